# SPDX-License-Identifier: Apache-2.0
"""swaps_dims: takes the first two coordinates in the wrong order."""

from honest import Honest, serve


class Liar(Honest):
    def cell(self, p, axis, value):
        right = super().cell(p, axis, value)
        return (right[1], right[0], *right[2:]) if len(right) > 1 else right


serve(Liar())
