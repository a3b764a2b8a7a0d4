# SPDX-License-Identifier: Apache-2.0
"""writes_its_input: leaves its input empty."""

from honest import Honest, serve


class Liar(Honest):
    def finish(self, result, data):
        data[...] = 0
        return result


serve(Liar())
