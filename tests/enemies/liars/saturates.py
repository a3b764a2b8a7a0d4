# SPDX-License-Identifier: Apache-2.0
"""saturates: stops at the ends of the integers instead of wrapping."""

import numpy as np
from honest import Honest, serve


class Liar(Honest):
    def narrow(self, number, dtype):
        if dtype.kind in "iu":
            number = min(max(number, np.iinfo(dtype).min), np.iinfo(dtype).max)
        return super().narrow(number, dtype)


serve(Liar())
