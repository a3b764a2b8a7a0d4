# SPDX-License-Identifier: Apache-2.0
"""Each liar must be caught by the shipped cases, with the verdict that expected.yaml names; the honest must
pass. Where the document promises nothing, the record must name what the liar does."""

import collections
import fnmatch
import os
import re
import subprocess
import tempfile
import time
import unittest

import program
import small_data
from program import SOURCE, run, stream, worker_python

small_data.use("torch/torch.gather", "torch/torch.Tensor.scatter*_", "paddle/paddle.fluid.layers.scatter", "numpy/numpy.put_along_axis")

FOLDER = os.path.join(SOURCE, "tests", "enemies", "liars")


def expectations():
    """expected.yaml: one `name: {verdict: WORD, by: "GLOB", practice: WORD}` a line; all but the verdict
    optional."""
    pattern = re.compile(r'^(\w+): \{verdict: (\w+)(?:, by: "([^"]+)")?(?:, practice: ([\w/]+))?\}$')
    with open(os.path.join(FOLDER, "expected.yaml"), encoding="utf-8") as lines:
        for line in lines:
            if line.strip() and not line.startswith("#"):
                yield pattern.match(line.strip()).groups()


def daemon_lives():
    return subprocess.run(["pgrep", "-f", "^/bin/sleep 3600.25"], stdout=subprocess.DEVNULL, check=False).returncode == 0


def within_seconds(seconds, becomes_true):
    for _ in range(10 * seconds):
        if becomes_true():
            return True
        time.sleep(0.1)
    return False


def engine(name):
    return f"cmd:'{worker_python()}' '{os.path.join(FOLDER, name + '.py')}'"


def judge(name, folder):
    """Runs everything shipped on one liar. Its records and the program's exit code."""
    path = os.path.join(folder, name + ".jsonl")
    result = run("run", "--engine", engine(name), "--timeout", "1", "--report", f"jsonl={path}")
    return [line for line in stream(path) if line["type"] == "record"], result


class Liars(unittest.TestCase):
    def test_every_file_is_expected(self):
        files = {f[:-3] for f in os.listdir(FOLDER) if f.endswith(".py") and f != "liars_test.py"}
        self.assertEqual(files, {name for name, *_ in expectations()})

    def test_each_is_caught_and_the_honest_are_not(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, *expected in expectations():
                with self.subTest(name):
                    self.check(name, *expected, folder)

    def test_a_daemon_is_killed_and_named_once(self):
        with tempfile.TemporaryDirectory() as folder:
            _, result = judge("leaves_a_daemon", folder)
        self.assertEqual(result.stderr.count("outside its process group"), 1, result.stderr)
        self.assertRegex(result.stderr, r"warning: .* left a process running .*: sleep \(process \d+\); killed")
        self.assertFalse(daemon_lives())

    def test_no_daemon_outlives_a_tool_that_was_killed(self):
        with tempfile.TemporaryDirectory() as folder:
            script = os.path.join(folder, "worker.py")  # it never says that it has started, so the tool waits
            with open(script, "w", encoding="utf-8") as file:
                file.write("import subprocess, time\n"
                           "subprocess.Popen(['/bin/sleep', '3600.25'], start_new_session=True)\ntime.sleep(60)\n")
            tool = subprocess.Popen([program.PROGRAM, "run", "--engine", f"cmd:'{worker_python()}' '{script}'"],
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.assertTrue(within_seconds(30, daemon_lives))
            tool.kill()
            tool.wait()
            self.assertTrue(within_seconds(10, lambda: not daemon_lives()))

    def check(self, name, verdict, by, practice, folder):
        records, result = judge(name, folder)
        counts = collections.Counter(record["verdict"] for record in records)
        failing = [record for record in records if record["disposition"] == "unexpected"]
        if verdict == "pass":
            self.assertEqual([], [(r["id"], r["verdict"]) for r in failing])
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertGreater(counts["pass"], 100)
            return
        if practice:
            seen = [r["id"] for r in records if r["verdict"] == verdict and r.get("practice") == practice
                    and fnmatch.fnmatchcase(r["id"], by)]
            self.assertTrue(seen, f"{name}: no {practice} by {by}")
            return
        caught = [r["id"] for r in failing if r["verdict"] == verdict and fnmatch.fnmatchcase(r["id"], by)]
        self.assertTrue(caught, f"{name}: no {verdict} by {by}; it had {dict(counts)}")
        self.assertEqual(result.returncode, 1, result.stderr)
        print(f"{name}: {verdict} by {caught[0]} and {len(failing) - 1} more", flush=True)


if __name__ == "__main__":
    unittest.main()
