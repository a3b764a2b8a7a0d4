# SPDX-License-Identifier: Apache-2.0
"""clamps: moves indices out of range to the nearest end."""

from honest import Honest, serve


class Liar(Honest):
    def in_range(self, value, size):
        return size > 0

    def place(self, value, size):
        return min(max(value, 0), size - 1)


serve(Liar())
