# SPDX-License-Identifier: Apache-2.0
"""transposed_result: returns the result transposed."""

from honest import Honest, serve


class Liar(Honest):
    def finish(self, result, data):
        return result.T


serve(Liar())
