# SPDX-License-Identifier: Apache-2.0
"""forgets_untouched: clears the cells that index does not reach."""

import numpy as np
from honest import Honest, serve


class Liar(Honest):
    def finish(self, result, data):
        return np.where(result == data, np.zeros_like(result), result) if result.shape == data.shape else result


serve(Liar())
