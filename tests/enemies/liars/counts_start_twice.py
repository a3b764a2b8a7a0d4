# SPDX-License-Identifier: Apache-2.0
"""counts_start_twice: lets the start value take part two times."""

from honest import Honest, serve


class Liar(Honest):
    def combine(self, by, start, values, include_start):
        values = [start, *values] if include_start and by != "assign" else values
        return super().combine(by, start, values, include_start)


serve(Liar())
