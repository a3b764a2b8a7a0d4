# SPDX-License-Identifier: Apache-2.0
"""mean_counts_wrong: divides a mean by one too many."""

import numpy as np
from honest import Honest, serve


class Liar(Honest):
    def reduce(self, by, values):
        return super().reduce(by, [*values, np.zeros_like(values[0])] if by == "mean" else values)


serve(Liar())
