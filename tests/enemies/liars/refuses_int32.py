# SPDX-License-Identifier: Apache-2.0
"""refuses_int32: takes no index of 32 bits, though the document allows it."""

import numpy as np
from honest import Honest, serve


class Liar(Honest):
    def check(self, data, dim, index):
        super().check(data, dim, index)
        if index.dtype == np.int32:
            raise RuntimeError("index is not of int64")


serve(Liar())
