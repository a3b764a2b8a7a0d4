# SPDX-License-Identifier: Apache-2.0
"""ignores_strides: reads memory in the order in which it lies."""

from honest import Honest, serve


class Liar(Honest):
    def scatter(self, data, dim, index, src, *rest, **more):
        return super().scatter(data, dim, index, src.ravel(order="K").reshape(src.shape), *rest, **more)


serve(Liar())
