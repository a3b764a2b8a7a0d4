# SPDX-License-Identifier: Apache-2.0
"""off_by_one_axis: works along the axis after dim."""

from honest import Honest, serve


class Liar(Honest):
    def axis(self, dim, rank):
        return (dim + 1) % rank


serve(Liar())
