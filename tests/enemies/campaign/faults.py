# SPDX-License-Identifier: Apache-2.0
"""Faults, and their view of the worker and the call in which they are planted.

A fault names the verdicts that docs/formats/worker-protocol.md allows its call. With none, the call keeps the
verdict that it has without the fault.
"""

import collections
import copy
import json
import time

from honest import execute

FAULTS = {}
AT_START = {}
FOR_EVER = 3600

# How often a fault is drawn: some cost the run a time limit, twice.
QUICK, SLOW, RARE = 16, 4, 1

# act(planted) does it. `later`: it shows after the call, so a run has one such fault for each engine.
# `steady`: the fault happens whenever the call is executed; otherwise that is drawn, and it may happen only
# the first time.
Fault = collections.namedtuple("Fault", "act verdicts weight later steady")


def breaks_off(fault):
    """Whether the tool ends the worker when it sees the fault."""
    return not {"crash", "timeout", "infra"}.isdisjoint(fault.verdicts)


def fault(*verdicts, weight=QUICK, later=False, steady=False):
    def register(act):
        FAULTS[act.__name__] = Fault(act, verdicts, weight, later, steady or later)
        return act

    return register


def at_start(act):
    AT_START[act.__name__] = act
    return act


def edits(*verdicts):
    """The fault of a function that changes the honest reply."""

    def register(change):
        def act(planted):
            reply, data = planted.honest()
            change(reply, planted.pick)
            planted.note()
            planted.worker.send_raw(json.dumps(reply).encode() + b"\n" + data)

        act.__name__ = change.__name__
        return fault(*verdicts)(act)

    return register


def tensor(reply):
    return reply["ok"]["tensors"][0]


class Planted:
    """A fault's view of the worker and of the call that it is planted in."""

    def __init__(self, worker, call, payload, draw, note):
        self.worker, self.draw, self.note = worker, draw, note
        self.seq = call["seq"]
        self._call, self._payload = call, payload

    def pick(self, choices):
        self.draw, at = divmod(self.draw, len(choices))
        return choices[at]

    def indices(self):
        """The names of the call's index arguments."""
        return [name for name in self._call["arguments"] if name.startswith("ind")]

    def honest(self):
        """The honest reply, to be spoilt, and its payload."""
        reply, data = execute(self._call, self._payload)
        return copy.deepcopy({"seq": self.seq, **reply, **({"bytes": len(data)} if data else {})}), data

    def answer(self):
        reply, data = self.honest()
        self.worker.send_raw(json.dumps(reply).encode() + b"\n" + data)

    def after(self, method, act):
        """Does `act` once, right after the worker's next use of a method."""
        own = getattr(self.worker, method)

        def once(*arguments):
            setattr(self.worker, method, own)
            own(*arguments)
            act()

        setattr(self.worker, method, once)


def sleep_for_ever():
    while True:
        time.sleep(FOR_EVER)
