# SPDX-License-Identifier: Apache-2.0
"""doubles_last: adds the last of several values twice."""

from honest import Honest, serve


class Liar(Honest):
    def combine(self, by, start, values, include_start):
        values = [*values, values[-1]] if len(values) > 1 and by == "sum" else values
        return super().combine(by, start, values, include_start)


serve(Liar())
