# SPDX-License-Identifier: Apache-2.0
"""ignores_start: starts from zeros instead of self."""

import numpy as np
from honest import Honest, serve


class Liar(Honest):
    def start(self, data):
        return np.zeros_like(data)


serve(Liar())
