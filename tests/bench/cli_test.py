# SPDX-License-Identifier: Apache-2.0
"""The `bench` verb as a user meets it: selection, files, exit codes."""

import json
import os
import signal
import subprocess
import time
import unittest

from fixture import Fixture
from program import PROGRAM, run

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
        # Against itself nothing has become slower than itself by half; a thousandfold is found.
        again = self.time("--compare", os.path.join(out, "timings.jsonl"))
        self.assertIn(again.returncode, (0, 1), again.stdout + again.stderr)
        with open(os.path.join(out, "timings.jsonl"), encoding="utf-8") as lines:
            text = lines.readlines()
        for record in records:
            record["seconds"] = [one / 1000 for one in record["seconds"]]
        before = self.write("before.jsonl", text[0] + "".join(json.dumps(record) + "\n" for record in records))
        slower = self.time("--compare", before)
        self.assertEqual(slower.returncode, 1, slower.stdout + slower.stderr)

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
        self.assertEqual(self.time("--compare", self.path("absent.jsonl")).returncode, 4)

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


if __name__ == "__main__":
    unittest.main()
