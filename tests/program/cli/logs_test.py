# SPDX-License-Identifier: Apache-2.0
"""Untrusted text, from a worker or a stream, is one line of text in a log. It cannot look like a line of this
program or a command to a CI system."""

import json
import os
import re
import shlex
import unittest

import small_data
from fixture import Fixture
from program import SOURCE, run, stream, worker_python

small_data.use("torch/torch.gather", "numpy/numpy.take_along_axis")

HOSTILE = "x\nSummary: as expected, all is well\n::error::pwned\n \t::set-output name=a::b\n##[error]pwned ##vso[task.complete]\u200f\u061c\u200b\x1b[2J"
WORKER = """
import sys
sys.path.insert(0, {package!r})
import numpy
from scatterproof_worker import Worker

HOSTILE = {hostile!r}
worker = Worker(name={name}, framework="numpy", version={name}, dtypes=["i64", "f64"])

@worker.call("numpy.take_along_axis")
def _(arr, indices, axis):
    raise type(HOSTILE, (ValueError,), {{}})(HOSTILE)

worker.serve()
"""


class Logs(Fixture):
    def engine(self, name):
        package = os.path.join(SOURCE, "engines", "workers", "python")
        script = self.write("worker.py", WORKER.format(package=package, hostile=HOSTILE, name=name))
        return f"cmd:{shlex.join([worker_python(), script])}"

    def is_harmless(self, result):
        self.assertNotIn(result.returncode, (-6, -11), result.stderr)
        for line in (result.stdout + result.stderr).splitlines():
            self.assertFalse(line.lstrip().startswith("::"), line)
            self.assertNotRegex(line, r"##[a-z]*\[|[\u200f\u061c\u200b\x1b]")
            self.assertFalse(line.startswith("Summary: as expected, all is well"), line)
        return result

    def stream_of_a_stranger(self):
        """A run in which every free text is hostile."""
        path = self.path("stranger.jsonl")
        made = run("run", "numpy.take_along_axis/*", "--engine", self.engine("'mine'"), "--report", f"jsonl={path}")
        self.assertEqual(made.returncode, 1, made.stderr)
        lines = stream(path)
        for line in lines:
            for member in ("engine", "version", "device", "explanation", "message", "reproduce", "id", "api", "command_line", "machine", "host"):
                if isinstance(line.get(member), str):
                    line[member] += HOSTILE
            for engine in line.get("engines", []):
                engine.update({member: f"{value}{HOSTILE}" for member, value in engine.items() if isinstance(value, str)})
        with open(path, "w", encoding="utf-8") as out:
            out.writelines(json.dumps(line) + "\n" for line in lines)
        return path

    def test_what_a_worker_raises(self):
        for more in ([], ["-v"]):
            result = self.is_harmless(run("run", "numpy.take_along_axis/*", "--engine", self.engine("'mine'"), *more))
            self.assertEqual(result.returncode, 1)
            self.assertIn("pwned", result.stdout)

    def test_what_a_worker_is_called(self):
        engine = self.engine("HOSTILE")
        self.is_harmless(run("run", "numpy.take_along_axis/*", "--engine", engine))
        self.is_harmless(run("engines", "check", engine))
        self.is_harmless(run("fuzz", "numpy.take_along_axis", "--engine", engine, "--calls", "20"))

    def test_what_a_stream_holds(self):
        path = self.stream_of_a_stranger()
        database = self.path("history.db")
        for verb in (["report", path], ["report", path, "-v"], ["diff", path, path], ["merge", path, "--report", "console", "--report", f"jsonl={self.path('m.jsonl')}"],
                     ["baseline", "write", self.path("b.yaml"), "--from", path], ["baseline", "explain", self.path("b.yaml"), "--from", path],
                     ["history", "add", path, "--db", database], ["history", "list", "--db", database], ["history", "trend", "--db", database],
                     ["history", "bisect-hint", "--db", database]):
            with self.subTest(verb[:2]):
                result = self.is_harmless(run(*verb))
                self.assertNotIn("unknown option", result.stderr)

    def test_the_console_in_github_actions(self):
        marks = set()
        for _ in range(2):
            result = run("run", "torch.gather/*", "--engine", "reference", env={"GITHUB_ACTIONS": "true"})
            first, *_, last = result.stdout.splitlines()
            stopped = re.fullmatch(r"::stop-commands::(scatterproof-[0-9a-f]{32})", first)
            self.assertTrue(stopped, first)
            self.assertEqual(last, f"::{stopped.group(1)}::")
            marks.add(last)
        self.assertEqual(len(marks), 2)
        self.assertNotIn("::", run("run", "torch.gather/*", "--engine", "reference").stdout)

    def test_data_on_stdout_has_no_marks(self):
        result = run("run", "torch.gather/*", "--engine", "reference", "--report", "jsonl=-", env={"GITHUB_ACTIONS": "true"})
        lines = result.stdout.splitlines()
        self.assertGreater(len(lines), 10)
        self.assertTrue(all(json.loads(line) for line in lines))


if __name__ == "__main__":
    unittest.main()
