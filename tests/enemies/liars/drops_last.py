# SPDX-License-Identifier: Apache-2.0
"""drops_last: never gets to the last position of index."""

from honest import Honest, serve


class Liar(Honest):
    def positions(self, index):
        return super().positions(index)[:-1]


serve(Liar())
