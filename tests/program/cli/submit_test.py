# SPDX-License-Identifier: Apache-2.0
"""The files and messages of `submit` without Slurm; tests/program/slurm has one."""

import os
import subprocess
import unittest

import small_data
from fixture import Fixture
from program import run, stream

small_data.use("torch/torch.gather")

# Answers as sbatch does, and keeps what it was asked. REFUSES is a word of the command that it refuses.
SBATCH = """#!/bin/sh
echo "$@" >>"$ASKED"
case "$*" in *"$REFUSES"*) echo "sbatch: error: $REFUSES is not allowed" >&2; exit 1 ;; esac
echo "$(wc -l <"$ASKED");cluster"
"""


class Submit(Fixture):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("bin"))
        os.chmod(self.write("bin/sbatch", SBATCH), 0o755)
        self.write("asked", "")
        self.environment = {"PATH": self.path("bin") + ":" + os.environ["PATH"], "ASKED": self.path("asked"), "REFUSES": "nothing"}

    def submit(self, *args, **environment):
        return run("submit", "slurm", *args, cwd=self.folder, env={**self.environment, **environment})

    def asked(self):
        with open(self.path("asked"), encoding="utf-8") as file:
            return file.read().splitlines()

    def refusal(self, *args, **environment):
        refused = self.submit(*args, **environment)
        self.assertEqual(refused.returncode, 4, refused.stdout)
        return refused.stderr

    def test_two_jobs_are_queued_and_the_next_steps_said(self):
        queued = self.submit("--", "run", "-e", "reference")
        self.assertEqual(queued.returncode, 0, queued.stderr)
        out = self.path("scatterproof-shards")
        self.assertEqual(self.asked(), [f"--parsable {out}/shards.sh", f"--parsable --dependency=afterany:1 {out}/merge.sh"])
        for words in ("8 shards as job 1, and job 2", "squeue -j 1,2", f"cat '{out}'/merge.log", f"report '{out}'/run.jsonl"):
            self.assertIn(words, queued.stdout)

    def test_the_scripts_make_the_run_without_slurm_too(self):
        name = """a %d folder # of "quotes" and 'others' too"""
        made = self.submit("--dry-run", "--shards", "2", "--out", name, "--report", "markdown=whole run.md", "--", "run", "torch.gather/*", "-e",
                           "reference", "-k", "not doc")
        self.assertEqual((made.returncode, self.asked()), (0, []), made.stderr)
        for script in ("shards.sh", "merge.sh"):
            with open(self.path(os.path.join(name, script)), encoding="utf-8") as file:
                self.assertIn(file.read(), made.stdout)

        def script(what, **environment):
            return subprocess.run([self.path(os.path.join(name, what))], cwd="/", env={**os.environ, **environment}, text=True,
                                  capture_output=True, timeout=60)

        nothing = script("merge.sh")
        self.assertEqual(nothing.returncode, 7)
        self.assertIn("no shard has begun", nothing.stderr)
        self.write(os.path.join(name, "shard-2.jsonl"), '{"type":"hea')  # of a task that was killed at once
        self.assertEqual(script("shards.sh", SLURM_ARRAY_TASK_ID="1").returncode, 0)
        part = script("merge.sh")
        self.assertEqual(part.returncode, 7, part.stderr)
        self.assertIn("shard-2.jsonl holds nothing yet", part.stderr)
        self.assertIn("error: shard 2/2 is missing\n  hint: run it again: sbatch --wait --array=2 '", part.stderr)
        self.assertEqual(script("shards.sh", SLURM_ARRAY_TASK_ID="2").returncode, 0)
        again = script("shards.sh", SLURM_ARRAY_TASK_ID="1")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(script("merge.sh").returncode, 0)
        self.assertTrue(os.path.exists(self.path("whole run.md")))
        run("run", "torch.gather/*", "-e", "reference", "-k", "not doc", "--report", f"jsonl={self.path('once.jsonl')}")
        ids = [sorted(one["id"] for one in stream(path)[1:-1]) for path in (self.path(os.path.join(name, "run.jsonl")), self.path("once.jsonl"))]
        self.assertEqual(*ids)

    def test_a_set_aside_stream_is_resumed(self):
        self.submit("--dry-run", "--shards", "1", "--out", "all", "--", "run", "torch.gather/*", "-e", "reference")
        task = {"env": {**os.environ, "SLURM_ARRAY_TASK_ID": "1"}, "text": True, "capture_output": True, "timeout": 60}
        subprocess.run([self.path("all/shards.sh")], check=True, **task)
        path = self.path("all/shard-1.jsonl")
        whole = len(stream(path))
        os.rename(path, path + ".before")  # as a task leaves it that is killed while it copies
        self.write("all/shard-1.jsonl", "")
        subprocess.run([self.path("all/shards.sh")], check=True, **task)
        self.assertIn("--resume", stream(path)[0]["command_line"])
        self.assertEqual((len(stream(path)), os.path.exists(path + ".before")), (whole, False))

    def test_a_command_that_cannot_be_sharded_is_refused_before_it_waits(self):
        for command, words in ((("run", "--shard", "1/2"), "--shard cannot be given to the shards"),
                               (("run", "--report", "html=a.html"), "--report cannot be given to the shards"),
                               (("run", "--record", "a"), "--record cannot be given to the shards"),
                               (("fuzz", "--all", "--corpus", "new"), "the shards cannot write one corpus"),
                               (("fuzz", "--all", "--tim", "1s"), "did you mean '--time'?"),
                               (("run", "--help"), "--help and --version cannot be submitted"),
                               (("bench",), "'bench' cannot be sharded"), ((), "command is missing")):
            self.assertIn(words, self.refusal("--", *command))
        self.assertIn("has a backslash", self.refusal("--out", "a\\b", "--", "run"))
        self.assertEqual((self.asked(), sorted(os.listdir(self.folder))), ([], ["asked", "bin"]))

    def test_sbatch_missing_or_refusing(self):
        command = ("--", "run", "-e", "reference")
        self.assertIn("error: sbatch is not on the PATH\n  hint: ", self.refusal(*command, PATH="/nowhere"))
        words = self.refusal("--sbatch-arg=--partition=x", *command, REFUSES="shards.sh")
        self.assertIn("sbatch: error: shards.sh is not allowed\nerror: sbatch refused the shards\n", words)
        words = self.refusal(*command, REFUSES="--dependency")  # into the same folder again
        self.assertIn("the shards are queued as job 2, but sbatch refused to merge them\n  hint: when they have ended: sh ", words)

    def test_an_answer_that_is_no_job_is_not_taken_for_one(self):
        self.write("bin/sbatch", "#!/bin/sh\necho welcome to the cluster\n")
        self.assertIn("error: sbatch refused the shards", self.refusal("--", "run", "-e", "reference"))

    def test_streams_of_an_earlier_submission_are_not_resumed(self):
        command = ("--", "run", "-e", "reference")
        self.assertEqual(self.submit(*command).returncode, 0)
        self.assertIn("scatterproof-shards: error: the folder is not empty\n  hint: ", self.refusal(*command))


if __name__ == "__main__":
    unittest.main()
