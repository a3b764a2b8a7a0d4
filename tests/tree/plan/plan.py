# SPDX-License-Identifier: Apache-2.0
"""What `./dev test` executes on which day (UTC): short tests on each, a long one once in a round of TURNS
days.

    plan.py extra DAY            # what the day, counted from 1970, has in addition: headers, asan, tsan
    plan.py left-out DAY BUILD   # the tests of a build that wait for another day, as a regular expression;
                                 # says which day
"""

import datetime
import json
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "..", "support"))
from in_turn import TURNS  # pylint: disable=wrong-import-position

COSTS = os.path.join(HERE, "costs.txt")
LONG = 15  # seconds; a test that takes less is executed each day, and one that is not in the file

# What a turn has in addition to tests: what it costs, in seconds of three tests at a time, and the label of
# the tests that it executes. They are not executed a second time without the sanitizer on that day.
EXTRAS = {0: ("asan", 1800, "memory"), 1: ("headers", 300, None), 2: ("tsan", 1200, "threads")}


def costs(path=COSTS):
    """Seconds of each test."""
    with open(path, encoding="utf-8") as lines:
        return {name: int(seconds) for name, seconds in (line.split() for line in lines if line[0] != "#")}


def labels_of(build):
    """Each test of a build, and its labels."""
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
    return {test["name"]: {label for of in test["properties"] if of["name"] == "LABELS" for label in of["value"]}
            for test in json.loads(listed.stdout)["tests"]}


def turns_of(tests, seconds):
    """The turn of each long test: the longest first, each to the turn with the least to do."""
    load = [EXTRAS.get(turn, ("", 0, None))[1] for turn in range(TURNS)]
    found = {}
    for name in sorted(tests, key=lambda one: (-seconds.get(one, 0), one)):
        if seconds.get(name, 0) >= LONG:
            without = [turn for turn in range(TURNS) if turn not in EXTRAS or EXTRAS[turn][2] not in tests[name]]
            found[name] = min(without, key=lambda turn: (load[turn], turn))
            load[found[name]] += seconds[name]
    return found


def left_out(tests, seconds, day):
    """The tests that wait, by the day that executes them, and those that today's sanitizer executes."""
    turns = turns_of(tests, seconds)
    waiting = {day + ahead: sorted(name for name, turn in turns.items() if turn == (day + ahead) % TURNS) for ahead in range(1, TURNS)}
    label = EXTRAS.get(day % TURNS, ("", 0, None))[2]
    return waiting, sorted(name for name in tests if label in tests[name] and name not in turns)


def date(day):
    return datetime.date.fromordinal(day + datetime.date(1970, 1, 1).toordinal())


def main(what, day, build=None):
    day = int(day)
    if what == "extra":
        print(EXTRAS.get(day % TURNS, ("nothing",))[0])
        return
    waiting, sanitized = left_out(labels_of(build), costs(), day)
    for later, names in waiting.items():
        print(f"left to {date(later)}, because a long test has one day of {TURNS}: {' '.join(names)}", file=sys.stderr)
    if sanitized:
        print(f"left to the sanitizer, which executes them today: {' '.join(sanitized)}", file=sys.stderr)
    print(f"^({'|'.join(map(re.escape, [*sanitized, *(name for names in waiting.values() for name in names)]))})$")


if __name__ == "__main__":
    main(*sys.argv[1:])
