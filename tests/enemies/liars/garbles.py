# SPDX-License-Identifier: Apache-2.0
"""garbles: answers calls of four axes with something that is not a reply."""

from honest import Honest, serve
from scatterproof_worker import Worker


def spoils(call):
    return call["api"] == "torch.gather" and len(call["arguments"]["index"]["tensor"]["shape"]) == 4


class Liar(Worker):
    def answer(self, channel, call, payload):
        if spoils(call):
            channel.send_raw(b"Segmentation fault (not really)\n")
        else:
            super().answer(channel, call, payload)


serve(Honest(), make=Liar)
