# SPDX-License-Identifier: Apache-2.0
"""answers_once_more: answers calls of four axes again when the run has ended."""

from honest import Honest, serve
from scatterproof_worker import Worker


def spoils(call):
    return call["api"] == "torch.gather" and len(call["arguments"]["index"]["tensor"]["shape"]) == 4


class Liar(Worker):
    def answer(self, channel, call, payload):
        super().answer(channel, call, payload)
        if not spoils(call):
            return
        send = channel.send

        def send_more(message, payload=b""):
            send(message, payload)
            if "answered" in message.get("ok", {}):
                channel.send = send
                send({"seq": call["seq"], "unsupported": {"reason": "after all"}})

        channel.send = send_more


serve(Honest(), make=Liar)
