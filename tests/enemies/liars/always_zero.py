# SPDX-License-Identifier: Apache-2.0
"""always_zero: returns zeros, of the right shape and dtype."""

import numpy as np
from honest import Honest, serve


class Liar(Honest):
    def finish(self, result, data):
        return np.zeros_like(result)


serve(Liar())
