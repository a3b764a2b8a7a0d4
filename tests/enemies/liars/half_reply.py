# SPDX-License-Identifier: Apache-2.0
"""half_reply: sends half of its replies to calls of four axes."""

import json

from honest import Honest, serve
from scatterproof_worker import Worker


def spoils(call):
    return call["api"] == "torch.gather" and len(call["arguments"]["index"]["tensor"]["shape"]) == 4


class Liar(Worker):
    def answer(self, channel, call, payload):
        if spoils(call):
            reply, data = self.execute(call, payload)
            reply = json.loads(reply)
            channel.send_raw(json.dumps({"seq": call["seq"], **reply, "bytes": len(data)}).encode() + b"\n" + data[:-1])
        else:
            super().answer(channel, call, payload)


serve(Honest(), make=Liar)
