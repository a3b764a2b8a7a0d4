# SPDX-License-Identifier: Apache-2.0
"""doubles_a_key: answers calls of four axes with two lists of tensors in one reply."""

import json

from honest import Honest, serve
from scatterproof_worker import Worker


def spoils(call):
    return call["api"] == "torch.gather" and len(call["arguments"]["index"]["tensor"]["shape"]) == 4


class Liar(Worker):
    def answer(self, channel, call, payload):
        if not spoils(call):
            super().answer(channel, call, payload)
            return
        reply, data = self.execute(call, payload)
        reply = json.loads(reply)
        line = json.dumps({"seq": call["seq"], **reply, "bytes": len(data)})
        channel.send_raw(line.replace('"tensors"', '"tensors": [], "tensors"').encode() + b"\n" + data)


serve(Honest(), make=Liar)
