# SPDX-License-Identifier: Apache-2.0
"""never_answers: leaves calls of four axes out."""

from honest import Honest, serve
from scatterproof_worker import Worker


def spoils(call):
    return call["api"] == "torch.gather" and len(call["arguments"]["index"]["tensor"]["shape"]) == 4


class Liar(Worker):
    def answer(self, channel, call, payload):
        if not spoils(call):
            super().answer(channel, call, payload)


serve(Honest(), make=Liar)
