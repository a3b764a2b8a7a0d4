# SPDX-License-Identifier: Apache-2.0
"""SIGKILL of the runner at random instants, and --resume, killed again or not: the final reports must be
those of a run that nothing interrupted, no judged call may be lost on the way, and no process may live on."""

import collections
import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
import xml.etree.ElementTree as ElementTree

from program import PROGRAM, stream
from surroundings import engine, lasting, left_over, processes_of

CASES = ["torch.gather/*", "torch.Tensor.scatter_/*"]
MOST_KILLS = 4  # of one run
LONGEST_RUN = 120  # seconds; many times what one takes
WHAT_DIFFERS = ("run", "started", "command_line", "call_seconds", "judge_seconds", "ended", "calls_per_second")


def records_in(path):
    """How many whole records a stream holds, whatever follows them; -1 when it has no header to resume
    from."""
    if path is None:
        return -1
    try:
        with open(path, "rb") as file:
            return file.read().count(b"\n") - 1
    except FileNotFoundError:
        return -1


class Campaign:
    def __init__(self, seed, timeout):
        self.seed, self.timeout = seed, timeout
        self.draws = random.Random(seed)
        self.folder = tempfile.mkdtemp(prefix="scatterproof-campaign-")
        os.mkdir(self.path("tmp"))
        with open(self.path("plan.json"), "w", encoding="utf-8") as file:
            json.dump({"calls": {}, "starts": {}}, file)
        self.engines = ["reference", engine(self.folder, self.path("plan.json"))]
        self.runs = self.kills = self.resumed = 0
        self.killed = collections.Counter()
        self.problems = []
        begin = time.monotonic()
        self.whole = {jobs: self.uninterrupted(jobs) for jobs in (1, 2)}
        self.seconds = (time.monotonic() - begin) / 2
        self.bytes = os.path.getsize(self.path("whole.jsonl"))
        self.records = len(self.whole[1][0]) - 2

    def __del__(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self, jobs, out, resume=None):
        command = [PROGRAM, "run", *CASES, "-j", str(jobs), "--timeout", str(self.timeout), "--report", "jsonl=" + out,
                   "--report", "junit=" + self.path("junit.xml")]
        for name in self.engines:
            command += ["--engine", name]
        if resume:
            command += ["--resume", resume]
        return subprocess.Popen(command, env={**os.environ, "TMPDIR": self.path("tmp")}, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True)

    def uninterrupted(self, jobs):
        out = self.path("whole.jsonl")
        _, errors = self.start(jobs, out).communicate(timeout=LONGEST_RUN)
        if not records_in(out) > 0:
            raise RuntimeError(f"the run that nothing interrupts fails: {errors}")
        return self.reports(out, jobs)

    def reports(self, out, jobs):
        """What the reports say, without times; several engines at once finish in any order."""
        lines = [{key: value for key, value in line.items() if key not in WHAT_DIFFERS} for line in stream(out)]
        if jobs > 1:
            lines[1:-1] = sorted(lines[1:-1], key=lambda line: (line["engine"], line["id"]))
        tests = [(test.get("classname"), test.get("name"), [(child.tag, child.attrib, child.text) for child in test])
                 for test in ElementTree.parse(self.path("junit.xml")).iter("testcase")]
        return lines, sorted(tests, key=repr)

    def kill(self, process, out):
        """Kills the run at a drawn instant, or when its stream has a drawn size. Returns whether it was still
        running."""
        instant = time.monotonic() + self.draws.uniform(0, 1.1 * self.seconds)
        size = self.draws.randrange(self.bytes)
        by_size = self.draws.random() < 0.5
        while process.poll() is None:
            if os.path.exists(out) and os.path.getsize(out) >= size if by_size else time.monotonic() >= instant:
                break
            time.sleep(0.0002)
        process.kill()
        process.communicate()
        return process.returncode == -signal.SIGKILL

    def run(self):
        number, self.runs = self.runs, self.runs + 1
        where = f"seed {self.seed}, run {number}"
        jobs = self.draws.randint(1, 2)
        resume, out, attempt = None, self.path(f"{number}.0.jsonl"), 0
        for attempt in range(self.draws.randint(1, MOST_KILLS)):
            if not self.kill(process := self.start(jobs, out, resume), out):
                break
            best = self.best_of(resume, out)
            self.check_kill(where, out, records_in(resume), records_in(best))
            # Into the same file, or into another.
            resume, out = best, best if best and self.draws.random() < 0.5 else self.path(f"{number}.{attempt + 1}.jsonl")
        else:
            process = self.start(jobs, out, resume)
        self.resumed += resume is not None
        self.check_end(where, process, out, jobs)
        for name in os.listdir(self.folder):
            if name.startswith(f"{number}."):
                os.remove(self.path(name))

    def best_of(self, resume, out):
        """The longest of the streams that a user finds after a kill; none if it has no header."""
        return max((path for path in (resume, out, out + ".before") if records_in(path) >= 0), key=records_in, default=None)

    def check_kill(self, where, out, before, after):
        self.kills += 1
        held = records_in(out)
        self.killed["before the stream begins" if held < 0 else "while calls are judged" if held < self.records else
                    "at the end"] += 1
        if after < before:
            self.problems.append(f"{where}: {before} judged calls before a kill, {after} after it")
        self.problems += [f"{where}: left over: {what}" for what in lasting(lambda: processes_of(self.folder))]
        shutil.rmtree(self.path("tmp"))  # a runner that is killed cannot remove its workers' files
        os.mkdir(self.path("tmp"))

    def check_end(self, where, process, out, jobs):
        lines, tests = self.whole[jobs]
        try:
            _, errors = process.communicate(timeout=LONGEST_RUN)
            final = self.reports(out, jobs)
        except (OSError, ValueError, ElementTree.ParseError, subprocess.TimeoutExpired) as error:
            process.kill()
            self.problems.append(f"{where}: {error}")
            return
        if process.returncode != lines[-1]["exit_code"]:
            self.problems.append(f"{where}: exit code {process.returncode}: {errors}")
        for got, want in zip(final[0], lines):
            if got != want:
                self.problems.append(f"{where}: {got} in place of {want}")
                break
        if (len(final[0]), final[1]) != (len(lines), tests):
            self.problems.append(f"{where}: {len(final[0])} lines in place of {len(lines)}, or another JUnit report")
        self.problems += [f"{where}: left over: {what}" for what in left_over(self.folder)]

    def passes(self):
        return not self.problems

    def figures(self):
        return {"runs": self.runs, "kills": self.kills, "runs that resumed": self.resumed, "records of a run": self.records,
                "killed": dict(self.killed), "problems": self.problems}
