# SPDX-License-Identifier: Apache-2.0
"""Executes the call behind every letter of a comparison again, and holds what comes of it against what the comparison saw.

    scatterproof compare gather_rows --json now.json --save calls
    SCATTERPROOF=build/release/scatterproof SOURCE=. python3 tests/compare/letters.py now.json

Files are found from the folder in which `compare` ran. Exit code 1: some letter is not repeated.
"""

import collections
import json
import os
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))

from program import run, stream  # noqa: E402

ATTEMPTS = 10  # at what threads do in one order or another
KINDS = {"refuses": "refused", "refuses after writing": "refused", "crashes": "crashed"}  # else: produced


def letters_of(path):
    """The letters of a comparison's JSON, by engine."""
    with open(path, encoding="utf-8") as source:
        families = json.load(source)["families"]
    by_engine = collections.defaultdict(list)
    for family in families:
        for cell in family["cells"]:
            by_engine[family["members"][cell["member"]]["engine"]] += cell["does"]
    return by_engine


def outcomes_of(files, engine):
    """What comes of the call in each file."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "again.jsonl")
        done = run("run", *files, "-e", engine, "--no-baseline", "--report", "jsonl=" + report)
        if not os.path.exists(report):
            raise SystemExit(done.stderr)
        records = [line for line in stream(report) if line["type"] == "record"]
    named = {record["id"].rsplit("/", 1)[1]: record["outcome"] for record in records}
    return {file: named[os.path.splitext(os.path.basename(file))[0]] for file in files}


def difference(does, outcome):
    """Words, if an outcome is not the one that a letter stands for. A letter with `repeated: false` stands for what was seen once."""
    if not does["repeated"]:
        return None
    if outcome["kind"] in ("timed_out", "garbled"):
        outcome = {**outcome, "kind": "crashed"}
    expected = KINDS.get(does["name"], "produced")
    if outcome["kind"] != expected:
        return f"{outcome['kind']} in place of {expected}"
    if expected == "crashed":
        return None
    before, now = does["outcome"], outcome["classes"][0] if expected == "refused" else outcome.get("values", "another result")
    is_same = before == now if expected == "refused" else does["digest"] == outcome["digest"]
    return None if is_same else f"{now} in place of {before}"


def main(path):
    repeated, by_chance, wrong = 0, 0, []
    for engine, letters in letters_of(path).items():
        outcomes = outcomes_of(sorted({does["case"] for does in letters}), engine)
        for does in letters:
            words = difference(does, outcomes[does["case"]])
            for _ in range(ATTEMPTS):  # in a process of its own: other calls may have damaged this one
                if words:
                    words = difference(does, outcomes_of([does["case"]], engine)[does["case"]])
            by_chance += not does["repeated"]
            repeated += does["repeated"] and words is None
            if words:
                wrong.append(f"{engine}: {does['letter']} {does['case']}: {words}")
    print("\n".join(wrong + [f"{repeated} letters repeated, {len(wrong)} not; {by_chance} said to be seen by chance"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
