# SPDX-License-Identifier: Apache-2.0
"""Answers recorded on one machine, and judged on another."""

import json
import os
import re
import signal
import subprocess
import time
import unittest

import small_data
from fixture import Fixture
from program import PROGRAM, SOURCE, run, stream, worker_python

small_data.use("torch/torch.gather", "torch/torch.Tensor.scatter_")

VERDICT = ("id", "version", "device", "verdict", "rung", "diagnosis", "explanation", "message")


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Recording(Fixture):
    def verdicts(self, *args, env=None):
        """The records of a run without the engine's name."""
        path = self.path("run.jsonl")
        result = run("run", *args, "--no-baseline", "--report", f"jsonl={path}", env=env)
        self.assertIn(result.returncode, (0, 1, 5), result.stdout + result.stderr)
        _, *records, _ = stream(path)
        return sorted((tuple(record.get(member) for member in VERDICT) for record in records), key=str)

    def record(self, engine, *what, env=None):
        path = self.path("recording.jsonl")
        return path, self.verdicts(*what, "--engine", engine, "--record", path, env=env)


class TheSameVerdicts(Recording):
    def judged_again(self, engine, least):
        path, live = self.record(engine, env=small_data.EVERYTHING)
        self.assertGreater(len(live), least)
        self.assertEqual(self.verdicts("--engine", f"recorded:{path}", env=small_data.EVERYTHING), live)

    def test_of_the_reference(self):
        self.judged_again("reference", 1000)

    def test_of_a_framework(self):
        worker_python()  # says it where numpy is not installed
        self.judged_again("numpy", 100)

    def test_of_engines_that_misbehave(self):
        for liar in ("crashes", "garbles", "returns_two", "writes_its_input"):
            with self.subTest(liar):
                worker = os.path.join(SOURCE, "tests", "enemies", "liars", f"{liar}.py")
                path, live = self.record(f"cmd:'{worker_python()}' '{worker}'", "torch.gather/*", "torch.Tensor.scatter_/*")
                self.assertGreater(len({verdict for _, _, _, verdict, *_ in live}), 1)
                self.assertEqual(self.verdicts("torch.gather/*", "torch.Tensor.scatter_/*", "--engine", f"recorded:{path}"), live)

    def test_of_calls_that_differ_in_what_shares_memory(self):
        self.write("minds.py", MINDS_SHARING.format(package=os.path.join(SOURCE, "engines", "workers", "python")))
        case = self.write("sharing.yaml", "api: torch.gather\nbase: {input: {dtype: i64, values: [1, 0]}, dim: 0}\ncases:\n"
                          "  - {id: apart, why: a, call: {index: {dtype: i64, values: [1, 0]}}}\n"
                          "  - {id: shared, why: b, call: {index: {view_of: input}}}\n"
                          "  - {id: swapped, why: c, call: {input: {view_of: index}, index: {dtype: i64, values: [1, 0]}}}\n")
        path, live = self.record(f"cmd:'{worker_python()}' '{self.path('minds.py')}'", case)
        self.assertEqual([verdict for _, _, _, verdict, *_ in live], ["pass", "mismatch", "mismatch"])
        self.assertEqual(self.verdicts("torch.gather/swapped", "torch.gather/apart", "torch.gather/shared", case, "--engine", f"recorded:{path}"), live)

    def test_a_call_that_is_not_there_is_unsupported(self):
        path, _ = self.record("reference", "torch.gather/doc/example")
        others = self.verdicts("torch.gather/*", "--engine", f"recorded:{path}")
        self.assertGreater(len(others), 10)
        for said in others:
            if said[0] != "torch.gather/doc/example":
                self.assertIn("unsupported", said)
                self.assertIn(f"not in {path}", said)


    def test_a_case_without_a_call_is_not_recorded(self):
        case = self.write("u16.yaml", "api: torch.gather\ncases:\n  - {id: a, why: b, call: {input: {dtype: u16, values: [1]}, dim: 0, "
                          "index: {dtype: i64, values: [0]}}}\n")
        path, live = self.record("reference", case)
        self.assertEqual(text_of(path).count("\n"), 1)
        ((*_, verdict, _, _, why, _),) = live
        self.assertEqual((verdict, why), ("unsupported", "dtype u16 is not supported yet"))
        self.assertEqual(self.verdicts(case, "--engine", f"recorded:{path}"), live)


class TheHeader(Recording):
    def test_says_which_release_the_answers_are_judged_by(self):
        self.write("case.yaml", "api: torch.gather\ncases:\n  - id: long\n    why: before 2.9 the page does not speak of an empty index\n    call:\n"
                   "      input: {dtype: i64, values: [[1, 2], [3, 4]]}\n      dim: 0\n      index: {dtype: i64, shape: [0]}\n")
        path, _ = self.record("reference", self.path("case.yaml"))
        verdicts = {}
        for version in ("1.13.1", "2.13.0"):
            with open(path, encoding="utf-8") as lines:
                header, call = map(json.loads, lines)
            header.update(engine=f"torch@{version}", framework="torch", version=version)
            with open(path, "w", encoding="utf-8") as lines:
                lines.write(json.dumps(header) + "\n" + json.dumps(call) + "\n")
            ((_, said, _, verdicts[version], *_),) = self.verdicts(self.path("case.yaml"), "--engine", f"recorded:{path}")
            self.assertEqual(said, version)
        self.assertNotEqual(verdicts["1.13.1"], verdicts["2.13.0"])


class Mistakes(Recording):
    def assert_usage(self, result, *words):
        self.assertEqual(result.returncode, 4, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def test_a_bad_line_is_named(self):
        path, _ = self.record("reference", "torch.gather/doc/*")
        self.change(path, '"outcome":', '"outcme":')
        self.assert_usage(run("run", "torch.gather/doc/*", "--engine", f"recorded:{path}"),
                          f"{path}:2:1: error: the line has no 'outcome'", "hint: scatterproof run --record")

    def test_a_recording_can_be_checked(self):
        path, live = self.record("reference", "torch.gather/*")
        checked = run("engines", "check", f"recorded:{path}")
        self.assertEqual(checked.returncode, 0)
        self.assertIn(f"ok    a recording of {len(live)} calls of reference", checked.stdout)
        self.assert_usage(run("engines", "check", f"recorded:{__file__}"), "error:")

    def test_what_is_no_recording(self):
        self.assert_usage(run("run", "--engine", f"recorded:{SOURCE}/LICENSE"), "LICENSE:1:1: error: the line is not JSON", "hint: scatterproof run --record")
        self.assert_usage(run("run", "--engine", "recorded:/no/such"), "/no/such: error: cannot read the recording")

    def test_a_cut_off_line_is_said_once(self):
        path, _ = self.record("reference", "torch.gather/doc/*")
        with open(path, "rb+") as file:
            file.truncate(os.path.getsize(path) - 20)
        result = run("run", "torch.gather/doc/*", "--engine", f"recorded:{path}")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(result.stderr.count("is cut off, and was left out"), 1, result.stderr)

    def test_one_engine_at_a_time(self):
        path = self.path("r.jsonl")
        self.assert_usage(run("run", "-e", "reference", "-e", "openmp", "--record", path), "a recording is of one engine, not of 2", "hint:")
        self.assert_usage(run("run", "-e", "reference", "--record", path, "--resume", __file__), "cannot be used together")
        self.assert_usage(run("run", "-e", "reference", "--record", "/no/such/folder/r"), "cannot")


MINDS_SHARING = """
import sys
sys.path.insert(0, {package!r})
import numpy as np
from scatterproof_worker import Worker
worker = Worker(name="minds", version="1", device="cpu", dtypes=["i64"])
@worker.call("torch.gather")
def gather(input, dim, index):
    return np.take_along_axis(input, index, dim) + np.may_share_memory(input, index)
worker.serve()
"""

SLOW = """
import sys, time
sys.path.insert(0, {package!r})
from scatterproof_worker import Worker, Unsupported
worker = Worker(name="slow", version="1", device="cpu", dtypes=["i64", "f32"])
@worker.call("torch.gather")
def gather(input, dim, index):
    with open({begun!r}, "a") as begun:
        begun.write("a call\\n")
    time.sleep(0.2)
    raise Unsupported("only slow")
worker.serve()
"""


class Death(Recording):
    FIRST_BATCH = 8  # calls

    def test_loses_nothing_and_the_file_is_locked_until_then(self):
        begun = self.write("begun", "")
        self.write("slow.py", SLOW.format(package=os.path.join(SOURCE, "engines", "workers", "python"), begun=begun))
        path = self.path("r.jsonl")
        engine = f"cmd:'{worker_python()}' '{self.path('slow.py')}'"
        small = self.write("small.yaml", "api: torch.gather\nbase: {input: {dtype: i64, values: [1]}, dim: 0, index: {dtype: i64, values: [0]}}\n"
                           "cases:\n" + "".join(f"  - {{id: a{i}, why: less than a buffer in all, call: {{}}}}\n" for i in range(30)))
        going = subprocess.Popen([PROGRAM, "run", small, "--engine", engine, "--record", path],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while text_of(begun).count("\n") <= self.FIRST_BATCH:  # then the first batch has been judged
            time.sleep(0.05)
        by_then = text_of(path)
        second = run("run", "-e", "reference", "--record", path)
        going.send_signal(signal.SIGKILL)
        going.wait()
        self.assertEqual(second.returncode, 4)
        self.assertRegex(second.stderr, "another run.* is writing this file")
        whole = re.findall(r".*\n", text_of(path))
        self.assertGreater(by_then.count("\n"), self.FIRST_BATCH)  # and the first line
        for line in whole:
            json.loads(line)
        # It can be read, but has no result.
        self.assertEqual(run("run", small, "--engine", f"recorded:{path}").returncode, 5)


if __name__ == "__main__":
    unittest.main()
