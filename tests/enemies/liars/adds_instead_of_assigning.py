# SPDX-License-Identifier: Apache-2.0
"""adds_instead_of_assigning: adds to what is there where it should replace it."""

from honest import Honest, serve


class Liar(Honest):
    def combine(self, by, start, values, include_start):
        return super().combine("sum" if by == "assign" else by, start, values, include_start)


serve(Liar())
