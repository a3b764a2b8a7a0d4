# SPDX-License-Identifier: Apache-2.0
"""lies_about_shape: announces more elements than it sends for calls of four axes."""

import json

from honest import Honest, serve
from scatterproof_worker import Worker


def spoils(call):
    return call["api"] == "torch.gather" and len(call["arguments"]["index"]["tensor"]["shape"]) == 4


class Liar(Worker):
    def execute(self, call, payload):
        reply, data = super().execute(call, payload)
        if spoils(call):
            reply = json.loads(reply)
            reply["ok"]["tensors"][0]["shape"][0] += 1
        return reply, data


serve(Honest(), make=Liar)
