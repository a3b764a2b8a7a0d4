# SPDX-License-Identifier: Apache-2.0
"""refuses_empty: refuses an index without elements, which changes nothing."""

from honest import Honest, serve


class Liar(Honest):
    def check(self, data, dim, index):
        super().check(data, dim, index)
        if index.size == 0:
            raise RuntimeError("index is empty")


serve(Liar())
