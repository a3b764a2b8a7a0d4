# SPDX-License-Identifier: Apache-2.0
"""exits: ends with status 0 on four axes."""

import os

from honest import Honest, serve


class Liar(Honest):
    def positions(self, index):
        if index.ndim == 4:
            os._exit(0)
        return super().positions(index)


serve(Liar())
