# SPDX-License-Identifier: Apache-2.0
"""nan_blind_max: looks for the greatest with comparisons alone, so that NaN alone gives infinity."""

import math

from honest import Honest, serve


class Liar(Honest):
    def extreme(self, by, numbers):
        best = -math.inf if by == "amax" else math.inf
        for number in numbers:
            best = number if (number > best if by == "amax" else number < best) else best
        return best


serve(Liar())
