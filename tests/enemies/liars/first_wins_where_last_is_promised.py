# SPDX-License-Identifier: Apache-2.0
"""first_wins_where_last_is_promised: keeps the first of several values, where the document promises the
last."""

from honest import Honest, serve


class Liar(Honest):
    def combine(self, by, start, values, include_start):
        return super().combine(by, start, values[:1] if by == "assign" else values, include_start)


serve(Liar())
