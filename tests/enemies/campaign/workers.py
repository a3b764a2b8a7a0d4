# SPDX-License-Identifier: Apache-2.0
"""Worker faults: real runs on workers that misbehave at calls drawn by seed. Nothing may be lost, doubled or
left over, and each fault must be the verdict of its own call and of no other."""

import collections
import json
import os
import random
import subprocess
import tempfile

from catalogue import AT_START, FAULTS
from faults import breaks_off
from program import PROGRAM, stream
from surroundings import engine, left_over

CASES = ["torch.gather/*", "numpy.take_along_axis/*", "torch.Tensor.scatter_/*"]
ENGINES = 4  # at once
FAULTS_PER_ENGINE = 12
LONGEST_RUN = 300  # seconds; several times what the slowest takes
WHAT_DIFFERS = ("engine", "reproduce", "seed", "call_seconds", "judge_seconds")


def judged(record):
    """What a record says about a call, whichever engine made it."""
    return {key: value for key, value in record.items() if key not in WHAT_DIFFERS}


def run(folder, plans, jobs, timeout, seed):
    """Runs the cases on a worker for each plan: engine names, the stream, the exit code, stderr."""
    engines, scratch = [], os.path.join(folder, "tmp")
    os.mkdir(scratch)
    for number, plan in enumerate(plans):
        path = os.path.join(folder, f"plan{number}.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(plan, file)
        engines.append(engine(folder, path))
    report = os.path.join(folder, "run.jsonl")
    command = [PROGRAM, "run", *CASES, "-j", str(jobs), "--seed", str(seed), "--timeout", str(timeout), "--no-baseline",
               "--report", "jsonl=" + report]
    for name in engines:
        command += ["--engine", name]
    done = subprocess.run(command, env={**os.environ, "TMPDIR": scratch}, text=True, capture_output=True,
                          timeout=LONGEST_RUN, errors="replace")
    return engines, stream(report), done


def log_of(folder, number):
    with open(os.path.join(folder, f"plan{number}.json.log"), encoding="utf-8") as log:
        return log.read().splitlines()


class Honest:
    """What is judged of the worker without faults, and the calls in which a fault shows."""

    def __init__(self, timeout):
        with tempfile.TemporaryDirectory() as folder:
            _, lines, _ = run(folder, [{"starts": {}}], 1, timeout, 0)
            calls = [line.split() for line in log_of(folder, 0) if line != "start"]
        records = [line for line in lines if line["type"] == "record"]
        if len(calls) != len(records):
            raise RuntimeError(f"{len(records)} records of {len(calls)} calls of an honest worker")
        self.judged = {record["id"]: judged(record) for record in records}
        times = collections.Counter(key for key, _ in calls)
        self.key = {record["id"]: key for record, (key, _) in zip(records, calls)}
        self.good = [record["id"] for record, (key, size) in zip(records, calls)
                     if times[key] == 1 and size != "0" and (record["verdict"], record["rung"]) == ("pass", "exact")]


class Deck:
    """Every fault of a kind as often as its weight says, in a drawn order, repeatedly."""

    def __init__(self, draws, belongs):
        self.draws, self.cards = draws, []
        self.all = [name for name, fault in FAULTS.items() if belongs(fault) for _ in range(fault.weight)]

    def take(self):
        if not self.cards:
            self.cards = self.draws.sample(self.all, len(self.all))
        return self.cards.pop()


class Campaign:
    def __init__(self, seed, timeout):
        self.seed, self.timeout = seed, timeout
        self.draws = random.Random(seed)
        self.now = Deck(self.draws, lambda fault: not fault.later)
        self.later = Deck(self.draws, lambda fault: fault.later)
        self.quiet = Deck(self.draws, lambda fault: not fault.later and not breaks_off(fault))
        self.honest = Honest(timeout)
        self.runs = self.verdicts = self.starts = self.processes = 0
        self.planted, self.happened, self.blamed = (collections.Counter() for _ in range(3))
        self.problems, self.misjudged = [], []

    def plan(self, one_later):
        """A fault in each of some calls, and in some starts.

        A fault that shows later is searched for among the calls up to the one that was due. Another fault
        that ends the worker may be found instead, so such a fault is only combined with quiet ones.
        """
        calls = {}
        for at, case in enumerate(self.draws.sample(self.honest.good, FAULTS_PER_ENGINE)):
            name = (self.now if not one_later else self.quiet if at else self.later).take()
            once = not FAULTS[name].steady and self.draws.random() < 0.25
            calls[self.honest.key[case]] = {"fault": name, "draw": self.draws.randrange(1 << 40), "once": once, "id": case}
        self.planted.update(fault["fault"] for fault in calls.values())
        # A start that fails is repeated once: no two in a row.
        starts = {str(4 * block + self.draws.randrange(3)): self.draws.choice(list(AT_START)) for block in range(3)}
        return {"calls": calls, "starts": starts}

    def run(self):
        number, self.runs = self.runs, self.runs + 1
        plans = [self.plan(one_later=at % 2 == 1) for at in range(ENGINES)]
        where = f"seed {self.seed}, run {number}"
        with tempfile.TemporaryDirectory(prefix="scatterproof-campaign-") as folder:
            try:
                engines, lines, done = run(folder, plans, (1, ENGINES)[number % 2], self.timeout, self.draws.randrange(1, 1 << 30))
            except (OSError, ValueError, subprocess.TimeoutExpired) as error:
                self.problems.append(f"{where}: {error}")
                return
            finally:
                self.problems += [f"{where}: left over: {what}" for what in left_over(folder)]
            self.check_stream(where, engines, lines, done)
            for at, (name, plan) in enumerate(zip(engines, plans)):
                records = {line["id"]: line for line in lines if line["type"] == "record" and line["engine"] == name}
                self.check_blame(f"{where}, engine {at}", plan, log_of(folder, at), records)

    def check_stream(self, where, engines, lines, done):
        """Each verdict once, and a matching end."""
        records = [line for line in lines if line["type"] == "record"]
        self.verdicts += len(records)
        times = collections.Counter((record["id"], record["engine"]) for record in records)
        for at, name in enumerate(engines):
            for case in self.honest.judged:
                count = times.pop((case, name), 0)
                if count != 1:
                    self.problems.append(f"{where}: {count} verdicts of {case} on engine {at}")
        self.problems += [f"{where}: a verdict of {case} on {name}" for case, name in times]
        code = int(any(record["disposition"] == "unexpected" for record in records))
        end = lines[-1]
        if (end["type"], end.get("records"), end.get("exit_code"), done.returncode) != ("end", len(records), code, code):
            self.problems.append(f"{where}: exit code {done.returncode}, last line {end}: {done.stderr[-2000:]}")

    def check_blame(self, where, plan, log, records):
        self.processes += log.count("start")
        self.starts += sum(line.startswith("at start: ") for line in log)
        happened = set(log)
        for key, planted in plan["calls"].items():
            if key in happened:
                self.happened[planted["fault"]] += 1
        faults = {planted["id"]: planted for key, planted in plan["calls"].items() if key in happened}
        for case, record in records.items():
            planted = faults.get(case)
            allowed = FAULTS[planted["fault"]].verdicts if planted else ()
            if planted and planted["once"] and "timeout" in allowed:
                allowed = ()  # it answers in time when it is asked again
            right = record["verdict"] in allowed if allowed else judged(record) == self.honest.judged[case]
            if planted and right:
                self.blamed[planted["fault"]] += 1
            if not right:
                what = f"{planted['fault']}{' once' if planted['once'] else ''}" if planted else "no fault"
                self.misjudged.append(f"{where}: {what} in {case}, judged {record['verdict']}: {record['explanation'][:300]}")

    def passes(self):
        """Nothing lost, doubled or left over, and at most one call in a thousand faults judged wrongly."""
        return not self.problems and 1000 * len(self.misjudged) <= self.happened.total()

    def figures(self):
        return {"runs": self.runs, "verdicts": self.verdicts, "kinds of fault": len(FAULTS) + len(AT_START),
                "faults in calls": self.happened.total(), "faults in starts": self.starts,
                "processes": self.processes, "blamed on their call": self.blamed.total(),
                "misjudged": self.misjudged, "problems": self.problems,
                "by kind": {name: {"planted": self.planted[name], "happened": self.happened[name], "blamed": self.blamed[name]}
                            for name in FAULTS}}
