# SPDX-License-Identifier: Apache-2.0
"""ignores_include_self: lets the start value take part though include_self is false."""

from honest import Honest, serve


class Liar(Honest):
    def combine(self, by, start, values, include_start):
        return super().combine(by, start, values, True)


serve(Liar())
