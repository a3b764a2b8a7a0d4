# SPDX-License-Identifier: Apache-2.0
"""Hostile kernels: a worker that attacks the tool between honest answers, drawn by seed, in a process
namespace where the machine gives one and without. No attack may reach anything, the run must be that of an
honest worker, and nothing may live on."""

import collections
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile

import namespaces
from program import PROGRAM, stream
from surroundings import left_over
from workers import CASES, LONGEST_RUN, judged

WORKER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "attacks.py")
CALLS_PER_ATTACK = 10


class Campaign:
    def __init__(self, seed, timeout):
        self.seed, self.timeout = seed, timeout
        self.draws = random.Random(seed)
        self.apart = namespaces.are_given()
        self.runs = self.runs_apart = self.verdicts = 0
        self.tried, self.problems = collections.Counter(), []
        self.honest = self.code = None
        self.honest = self.attacked("an honest run", every=0, apart=False)

    def run(self):
        number, self.runs = self.runs, self.runs + 1
        apart = self.apart and number % 2 == 0
        self.runs_apart += apart
        where = f"seed {self.seed}, run {number}{', apart' if apart else ''}"
        for case, record in self.attacked(where, CALLS_PER_ATTACK, apart).items():
            if record != self.honest[case]:
                self.problems.append(f"{where}: {case} is judged {record['verdict']}: {record['explanation'][:300]}")

    def attacked(self, where, every, apart):
        """A run on the worker: what was judged of each case."""
        with tempfile.TemporaryDirectory(prefix="scatterproof-campaign-") as folder:
            os.mkdir(os.path.join(folder, "tmp"))
            plan, report = os.path.join(folder, "plan.json"), os.path.join(folder, "run.jsonl")
            with open(plan, "w", encoding="utf-8") as file:
                json.dump({"every": every or float("inf"), "draw": self.draws.randrange(1 << 40), "apart": apart}, file)
            worker = shlex.join([sys.executable, "-S", "-E", "-X", f"pycache_prefix={folder}/python", WORKER, plan])
            command = [PROGRAM, "run", *CASES, "--no-baseline", "--timeout", str(self.timeout), "--engine", "cmd:" + worker,
                       "--report", "jsonl=" + report]
            try:
                done = subprocess.run(command, env={**os.environ, "TMPDIR": os.path.join(folder, "tmp")}, text=True,
                                      capture_output=True, timeout=LONGEST_RUN, preexec_fn=None if apart else namespaces.refuse)
                records = {line["id"]: judged(line) for line in stream(report) if line["type"] == "record"}
            except (OSError, ValueError, subprocess.TimeoutExpired) as error:
                self.problems.append(f"{where}: {error}")
                return {}
            finally:
                self.problems += [f"{where}: left over: {what}" for what in left_over(folder)]
            self.check(where, done, records, plan + ".log")
        return records

    def check(self, where, done, records, log):
        self.verdicts += len(records)
        if self.honest is None:
            self.code = done.returncode  # the worker is not right everywhere
        elif done.returncode != self.code or set(records) != set(self.honest):
            self.problems.append(f"{where}: exit code {done.returncode}, {len(records)} verdicts: {done.stderr[-2000:]}")
        with open(log, encoding="utf-8") as lines:
            for line in lines:
                outcome, name = line.split()[:2]
                self.tried[name] += 1
                if outcome == "reached":
                    self.problems.append(f"{where}: {line.strip()}")

    def passes(self):
        return not self.problems

    def figures(self):
        return {"runs": self.runs, "runs with a namespace": self.runs_apart, "verdicts": self.verdicts,
                "attacks": self.tried.total(), "kinds": dict(self.tried), "problems": self.problems}
