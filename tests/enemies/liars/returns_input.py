# SPDX-License-Identifier: Apache-2.0
"""returns_input: returns what it was given, untouched."""

from honest import Honest, serve


class Liar(Honest):
    def finish(self, result, data):
        return data


serve(Liar())
