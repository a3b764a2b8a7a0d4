# SPDX-License-Identifier: Apache-2.0
"""wrong_dtype: returns f64 for every dtype."""

import numpy as np
from honest import Honest, serve


class Liar(Honest):
    def finish(self, result, data):
        return result.real.astype(np.float64)


serve(Liar())
