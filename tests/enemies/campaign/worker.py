# SPDX-License-Identifier: Apache-2.0
"""The honest worker with the faults that a plan plants in it: `worker.py PLAN`.

A plan is a JSON file: {"calls": {key: {"fault": NAME, "draw": INTEGER, "once": BOOLEAN}}, "starts": {number:
NAME}}. The file PLAN.log gets a line for each process that starts, and one for each fault just before it
happens. Without "calls", it gets a line for each call instead: its key, and the size of its result.
"""

import json
import os
import sys
import zlib

from catalogue import AT_START, FAULTS
from faults import Planted, breaks_off
from honest import Worker, execute


def key_of(call, payload):
    """The key of a call: its API and arguments, without its place in the payload."""
    key = zlib.crc32(call["api"].encode())
    for name, argument in call["arguments"].items():
        argument = dict(argument or {})
        tensor = argument.get("tensor")
        if tensor:
            key = zlib.crc32(payload[tensor["start"] : tensor["start"] + tensor["length"]], key)
            argument["tensor"] = {**tensor, "start": 0}
        key = zlib.crc32(json.dumps([name, argument]).encode(), key)
    return f"{key:08x}"


class FaultyWorker(Worker):
    def __init__(self, path):
        super().__init__()
        with open(path, encoding="utf-8") as plan:
            self.plan = json.load(plan)
        self.log = os.open(path + ".log", os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        with open(path + ".log", encoding="utf-8") as log:
            self.before = log.read().splitlines()
        self.start_fault = self.plan["starts"].get(str(self.before.count("start")))
        self.spoilt = False
        self.note("start")

    def note(self, line):
        os.write(self.log, line.encode() + b"\n")

    def answer_start(self, seq):
        if self.start_fault:
            self.note("at start: " + self.start_fault)
            AT_START[self.start_fault](self, seq)
        super().answer_start(seq)

    def answer(self, call, payload):
        key = key_of(call, payload)
        if "calls" not in self.plan:
            self.note(f"{key} {len(execute(call, payload)[1])}")
        planted = self.plan.get("calls", {}).get(key)
        if planted is None or (planted["once"] and (self.spoilt or key in self.before)):
            super().answer(call, payload)
            return
        fault = FAULTS[planted["fault"]]
        fault.act(Planted(self, call, payload, planted["draw"], lambda: self.happens(key, fault)))

    def happens(self, key, fault):
        """The tool ignores a process after its first fault, so later faults do not count."""
        if not self.spoilt:
            self.note(key)
        self.spoilt = self.spoilt or breaks_off(fault)


if __name__ == "__main__":
    FaultyWorker(sys.argv[1]).serve()
