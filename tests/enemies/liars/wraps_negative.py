# SPDX-License-Identifier: Apache-2.0
"""wraps_negative: lets negative indices count from the end."""

from honest import Honest, serve


class Liar(Honest):
    def in_range(self, value, size):
        return -size <= value < size

    def place(self, value, size):
        return value % size


serve(Liar())
