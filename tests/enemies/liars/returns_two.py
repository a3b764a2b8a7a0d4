# SPDX-License-Identifier: Apache-2.0
"""returns_two: returns its result twice."""

from honest import Honest, serve


class Liar(Honest):
    def finish(self, result, data):
        return result, result


serve(Liar())
