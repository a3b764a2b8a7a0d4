# SPDX-License-Identifier: Apache-2.0
"""loses_negative_zero: adds 0.0 to everything it returns."""

import numpy as np
from honest import Honest, serve


class Liar(Honest):
    def finish(self, result, data):
        return result + np.zeros((), result.dtype) if result.dtype.kind == "f" else result


serve(Liar())
