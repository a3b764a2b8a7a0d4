# SPDX-License-Identifier: Apache-2.0
"""broadcasts: stretches sizes of 1 where the documents say it does not."""

import numpy as np
from honest import Honest, serve


class Liar(Honest):
    def scatter(self, data, dim, index, src, *rest, **more):
        if src.ndim == index.ndim:
            src = np.broadcast_to(src, np.maximum(src.shape, np.where(np.equal(src.shape, 1), index.shape, 1)))
        return super().scatter(data, dim, index, src, *rest, **more)


serve(Liar())
