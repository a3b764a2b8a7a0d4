# SPDX-License-Identifier: Apache-2.0
"""crashes: dies of four axes."""

import os
import signal

from honest import Honest, serve


class Liar(Honest):
    def positions(self, index):
        if index.ndim == 4:
            os.kill(os.getpid(), signal.SIGSEGV)
        return super().positions(index)


serve(Liar())
