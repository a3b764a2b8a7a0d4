# SPDX-License-Identifier: Apache-2.0
"""lies_about_seq: answers calls of four axes in the name of another."""

from honest import Honest, serve
from scatterproof_worker import Worker


def spoils(call):
    return call["api"] == "torch.gather" and len(call["arguments"]["index"]["tensor"]["shape"]) == 4


class Liar(Worker):
    def answer(self, channel, call, payload):
        super().answer(channel, {**call, "seq": call["seq"] + 1} if spoils(call) else call, payload)


serve(Honest(), make=Liar)
