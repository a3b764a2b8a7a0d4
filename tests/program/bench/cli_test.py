# SPDX-License-Identifier: Apache-2.0
"""The `bench` verb as a user meets it: selection, files, exit codes."""

import json
import os
import signal
import subprocess
import time
import unittest

from fixture import Fixture
from gradient_engine import gradient_engine
from program import PROGRAM, run, worker_python

ROWS = """
benchmark: mine
about: two small rows
rows:
  - row: $operation_name/gather
    why: to be timed
    operation: gather
    for: {operation_name: [a]}
    tensors:
      data: {dtype: f32, shape: [1000], fill: lattice}
      index: {dtype: i64, shape: [5000], fill: uniform, into: data}
    api: torch.gather
    call: {input: $data, dim: 0, index: $index}
  - row: add
    why: to be timed
    operation: scatter_add
    tensors:
      data: {dtype: f32, shape: [1000], fill: lattice}
      index: {dtype: i64, shape: [5000], fill: zipf-1.2, into: data}
      updates: {dtype: f32, shape: [5000], fill: lattice}
    api: torch.Tensor.scatter_add_
    call: {self: $data, dim: 0, index: $index, src: $updates}
"""


class Bench(Fixture):
    def setUp(self):
        super().setUp()
        self.rows = self.write("mine.yaml", ROWS)

    def time(self, *flags):
        return run("bench", self.rows, "--engine", "openmp", "--threads", "1", "--repetitions", "5", *flags)

    def test_list_names_rows_and_times_nothing(self):
        result = run("bench", "--list", "B8/gather/*")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(result.stdout.splitlines()), 5)
        quick = run("bench", "--list", "--quick").stdout.splitlines()
        self.assertTrue(20 < len(quick) < 50)
        self.assertIn("B3/scatter_add/f32/i64/all_duplicate/256MiB/4Mi", quick)

    def test_rows_are_timed_and_written(self):
        out, google = self.path("out"), self.path("google.json")
        result = self.time("--out", out, "--json", google)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("openmp", result.stdout)
        with open(os.path.join(out, "timings.jsonl"), encoding="utf-8") as lines:
            machine, *records = [json.loads(line) for line in lines]
        self.assertEqual({record["row"] for record in records}, {"mine/a/gather", "mine/add"})
        self.assertEqual({record["verdict"] for record in records}, {"pass"})
        self.assertEqual([len(record["seconds"]) for record in records], [5, 5])
        self.assertTrue(os.path.exists(os.path.join(out, "summary.md")))
        with open(google, encoding="utf-8") as report:
            self.assertGreaterEqual(len(json.load(report)["benchmarks"]), 4)

    def test_gradients_are_timed_if_they_are_right(self):
        """That of a gather; `last` gives a place that is read twice the last cotangent alone."""
        flags = ("--gradients", "--threads", "1", "--repetitions", "2")
        right = run("bench", self.rows, "mine/a/*", *flags, "--engine", gradient_engine("right"))
        self.assertEqual(right.returncode, 0, right.stdout + right.stderr)
        self.assertIn("gather/gradient  out of place", right.stdout)
        self.assertRegex(right.stdout, r"right +1 +[\d.]+ [mu]s")
        wrong = run("bench", self.rows, "mine/a/*", *flags, "--engine", gradient_engine("last"))
        self.assertEqual(wrong.returncode, 1, wrong.stdout + wrong.stderr)
        self.assertIn("1 thread: mismatch: at reduced size: the gradient of input", wrong.stdout)
        self.assertEqual(run("bench", self.rows, "mine/add*", "--gradients", "--list").stdout, "mine/add/gradient\n")

    def test_globs_choose_rows(self):
        self.assertEqual(run("bench", self.rows, "mine/a/*", "--list").stdout, "mine/a/gather\n")
        nothing = run("bench", self.rows, "mine/ad", "--list")
        self.assertEqual(nothing.returncode, 4)
        self.assertIn("no row matches 'mine/ad'", nothing.stderr)
        self.assertIn("did you mean 'mine/add'?", nothing.stderr)

    def test_nothing_to_time_is_5(self):
        self.assertEqual(run("bench", self.rows, "--quick").returncode, 5)

    def test_errors_in_files_and_flags_are_4(self):
        broken = self.write("broken.yaml", ROWS.replace("zipf-1.2", "zpf-1.2"))
        result = run("bench", broken)
        self.assertEqual(result.returncode, 4)
        self.assertIn("broken.yaml:19:48: error: unknown fill 'zpf-1.2'", result.stderr)
        self.assertEqual(run("bench", "--threads", "0").returncode, 4)
        self.assertEqual(run("bench", self.path("absent.yaml")).returncode, 4)
        self.assertEqual(run("bench", self.rows, "--engine", "opnmp").returncode, 4)
        self.assertEqual(self.time("--json", self.path("no/such/folder/x.json")).returncode, 4)

    def test_a_refused_row_is_told_before_anything_is_timed(self):
        refused = self.write("refused.yaml", ROWS.replace("shape: [5000], fill: zipf-1.2", "shape: [5000, 2], fill: zipf-1.2"))
        result = run("bench", refused, "--engine", "openmp")
        self.assertEqual(result.returncode, 4, result.stdout)
        self.assertIn("row 'mine/add' is refused: rank", result.stderr)
        self.assertEqual(result.stdout, "")

    def test_an_engine_that_cannot_start_is_7(self):
        result = run("bench", self.rows, "--engine", "cmd:/bin/false")
        self.assertEqual(result.returncode, 7, result.stdout + result.stderr)

    def test_spatter_files_are_imported(self):
        suite = self.write("suite.json", '[{"kernel": "Gather", "pattern": "UNIFORM:8:4", "delta": 32, "count": 10, "wrap": 2}]')
        result = run("bench", "--import", suite, "--list")
        self.assertEqual((result.returncode, result.stdout), (0, "suite/gather/f64/0\n"), result.stderr)
        self.assertIn("wrap is not imitated", result.stderr)

    def test_ctrl_c_keeps_what_was_timed_and_is_2(self):
        with subprocess.Popen([PROGRAM, "bench", self.rows, "--engine", "openmp", "--repetitions", "1000"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as bench:
            time.sleep(1)
            bench.send_signal(signal.SIGINT)
            self.assertEqual(bench.wait(timeout=120), 2)


WORKER = """
import time
import numpy
from scatterproof_worker import Worker
worker = Worker(name='mine', framework='numpy', version='2.4.6', dtypes=['f32', 'i64'])
@worker.call('numpy.take_along_axis')
def _(arr, indices, axis):
    time.sleep(0.002)
    return numpy.take_along_axis(arr, indices, axis) RIGHT
DECLARES
worker.serve()
"""
LEAVES_OUT_LOOPS = """
from scatterproof_worker.protocol import Channel
send = Channel.send
def without(self, message, payload=b''):
    if isinstance(message, dict):
        message.get('ok', {}).pop('loops', None)
    send(self, message, payload)
Channel.send = without
"""


class BenchWorkers(Fixture):
    def time(self, right="", declares="", *flags):
        script = self.write("mine.py", WORKER.replace("RIGHT", right).replace("DECLARES", declares))
        return run("bench", "--workers", "--engine", f"cmd:'{worker_python()}' '{script}'", "--repetitions", "2",
                   "--out", self.path("out"), *flags)

    def speeds(self):
        with open(os.path.join(self.path("out"), "workers.json"), encoding="utf-8") as file:
            return json.load(file)["workers"]

    def test_judged_calls_and_a_bare_loop_are_timed(self):
        result = self.time()
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        row = next(line for line in result.stdout.splitlines() if line.startswith("cmd:"))
        self.assertTrue(row.endswith("numpy.take_along_axis"), row)
        (speed,) = self.speeds()
        self.assertEqual((speed["apis"], speed["calls"], speed["note"]), (["numpy.take_along_axis"], 64, ""))
        self.assertEqual((len(speed["judged_seconds"]), len(speed["bare_seconds"])), (2, 2))
        for seconds in speed["judged_seconds"] + speed["bare_seconds"]:
            self.assertGreaterEqual(seconds, 0.002)  # both include the time of the function itself

    def test_a_worker_without_bare_loops_gets_a_dash(self):
        result = self.time("", LEAVES_OUT_LOOPS)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"(?m)^cmd:.* - +- +- +- +numpy.take_along_axis$")
        self.assertIn("has no bare loop", result.stdout)

    def test_wrong_answers_are_not_timed(self):
        result = self.time("[..., :0]")
        self.assertEqual(result.returncode, 5, result.stdout + result.stderr)
        self.assertIn("none of the generated calls is answered rightly", result.stdout)

    def test_rows_and_workers_exclude_each_other(self):
        for flags in (["B1/*"], ["--quick"], ["--threads", "1"], ["--list"]):
            self.assertEqual(run("bench", "--workers", *flags).returncode, 4, flags)


if __name__ == "__main__":
    unittest.main()
