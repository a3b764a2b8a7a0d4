# SPDX-License-Identifier: Apache-2.0
"""mixes_rows: keeps the first and the last of several rows in turns."""

from honest import Honest, serve


class Liar(Honest):
    def combine(self, by, start, values, include_start):
        self.turn = not getattr(self, "turn", False)
        return values[-1 if self.turn else 0] if by == "assign" else super().combine(by, start, values, include_start)


serve(Liar())
