# SPDX-License-Identifier: Apache-2.0
"""Runs in shards on a real Slurm of one node; some tasks are killed halfway."""

import glob
import os
import re
import signal
import subprocess
import time
import unittest
from collections import Counter

from fixture import Fixture
from program import PROGRAM, run, stream
from slurm import Cluster

SHARDS = 3
VICTIM = f"2/{SHARDS}"
OUT = """all of "it" # 100 %d isn't much"""


def records(path):
    """What a stream says about each call, or kind of generated calls, and how often."""
    whole = stream(path)
    assert whole[-1]["type"] == "end", whole[-1]
    return Counter((one["id"], one["engine"], one["verdict"], one["disposition"], one.get("diagnosis"), one.get("practice"), one.get("count"))
                   for one in whole[1:-1])


def processes_of(shard):
    """Of a task: /proc gives the words of its command."""
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if words[0] == os.path.realpath(PROGRAM).encode() and shard.encode() in words:
            yield int(path.split("/")[2])


class Slurm(Fixture):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.stop)
        cls.engines = ["-e", "reference", "-e", "openmp"]
        if re.search("^numpy@", run("engines", "list").stdout, re.M):
            cls.engines += ["-e", "numpy"]

    def submit(self, *args):
        """Queues it: the numbers of both jobs."""
        queued = run("submit", "slurm", "--shards", str(SHARDS), "--out", OUT, *args, cwd=self.folder, env=self.cluster.environment)
        self.assertEqual(queued.returncode, 0, queued.stderr)
        return re.search(r"as job (\d+), and job (\d+)", queued.stdout).groups()

    def stop_in_the_middle(self):
        """Lets the victim work in slices of a few milliseconds until its stream is begun; gives its process,
        which is stopped."""
        path = self.path(os.path.join(OUT, f"shard-{VICTIM.split('/', maxsplit=1)[0]}.jsonl"))
        end = time.monotonic() + 60
        process = None
        while time.monotonic() < end:
            process = process or next(processes_of(VICTIM), None)
            if process:
                os.kill(process, signal.SIGSTOP)
                if os.path.exists(path) and os.path.getsize(path) > 0:
                    with open(path, encoding="utf-8") as file:
                        self.assertNotIn('"type":"end"', file.read(), "the task ended before it could be stopped")
                    return process
                os.kill(process, signal.SIGCONT)
            time.sleep(0.002)
        self.fail("the task did not begin\n" + self.cluster.logs())

    def text(self, name):
        with open(self.path(os.path.join(OUT, name)), encoding="utf-8") as file:
            return file.read()

    def assert_victim_is_named(self, merge):
        """By the merge job, and nothing else is; gives the command that it names."""
        self.cluster.wait_for_jobs()
        self.assertEqual(self.cluster.job(merge)["ExitCode"], "7:0")
        log = self.text("merge.log")
        self.assertEqual(re.findall(r"^error: shard (\S+)", log, re.M), [VICTIM], log)
        self.assertEqual(run("report", self.path(os.path.join(OUT, "run.jsonl"))).returncode, 2, "what is not whole has no end")
        return re.search(r"^  hint: run it again: (.*)$", log, re.M)[1]

    def test_a_run_with_a_cancelled_task(self):
        array, merge = self.submit("--report", "junit=whole run.xml", "--", "run", *self.engines)
        process = self.stop_in_the_middle()
        self.cluster.call("scancel", f"{array}_2")
        os.kill(process, signal.SIGCONT)
        again = self.assert_victim_is_named(merge)
        self.assertIn("--array=2 ", again)
        judged = len(self.text("shard-2.jsonl").splitlines())

        done = subprocess.run(["sh", "-c", again], cwd="/", env=self.cluster.environment, text=True, capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        resumed = stream(self.path(os.path.join(OUT, "shard-2.jsonl")))
        self.assertIn("--resume", resumed[0]["command_line"])
        self.assertGreater(len(resumed), judged)
        once = self.path("once.jsonl")
        self.assertEqual(run("run", *self.engines, "--report", f"jsonl={once}").returncode, 0)
        self.assertEqual(records(self.path(os.path.join(OUT, "run.jsonl"))), records(once))
        self.assertTrue(os.path.exists(self.path("whole run.xml")), "a relative path is seen from where the command was given")

    def test_fuzz_with_a_killed_task_that_is_requeued(self):
        fuzz = ("fuzz", "--api", "torch.gather", "--api", "numpy.put", *self.engines, "--cases", "3000", "--save", "none")
        array, merge = self.submit("--", *fuzz)
        os.kill(self.stop_in_the_middle(), signal.SIGKILL)
        self.assert_victim_is_named(merge)
        self.cluster.requeue(f"{array}_2")
        self.cluster.wait_for_jobs()
        merged = subprocess.run(["sh", self.path(os.path.join(OUT, "merge.sh"))], cwd="/", text=True, capture_output=True, timeout=60)
        self.assertEqual(merged.returncode, 0, merged.stdout + merged.stderr)
        once = self.path("once.jsonl")
        self.assertEqual(run(*fuzz, "--report", f"jsonl={once}").returncode, 0)
        self.assertEqual(records(self.path(os.path.join(OUT, "run.jsonl"))), records(once))

    def test_what_slurm_refuses(self):
        refused = run("submit", "slurm", "--out", OUT, "--sbatch-arg=--partition=nowhere", "--", "run", "-e", "reference", cwd=self.folder,
                      env=self.cluster.environment)
        self.assertEqual(refused.returncode, 4)
        self.assertIn("sbatch: error: invalid partition specified: nowhere", refused.stderr)
        self.assertIn("error: sbatch refused the shards", refused.stderr)
        self.assertEqual(os.listdir(self.path(OUT)), [])


if __name__ == "__main__":
    unittest.main()
