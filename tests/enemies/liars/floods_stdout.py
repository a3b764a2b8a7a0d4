# SPDX-License-Identifier: Apache-2.0
"""floods_stdout: does its work well, and talks all the time."""

from honest import Honest, serve


class Liar(Honest):
    def finish(self, result, data):
        print("INFO: scattering\n" * 10_000)
        return result


serve(Liar())
