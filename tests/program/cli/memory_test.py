# SPDX-License-Identifier: Apache-2.0
"""Small files that ask for much memory, and too little of it."""

import os
import resource
import subprocess
import unittest

import small_data
from fixture import Fixture
from program import PROGRAM, run

small_data.use("torch/torch.gather")


class Memory(Fixture):
    def cases(self, count, literal="shape: [4194304], fill: 0"):
        one = "  - id: large-{}\n    why: it is large\n    call: {{input: {{dtype: c128, {}}}, dim: 0, index: {{dtype: i64, values: [0]}}}}\n"
        return self.write("large.yaml", "api: torch.gather\ncases:\n" + "".join(one.format(i, literal) for i in range(count)))

    def peak(self, *args):
        """The most KiB that the program has at once, with all that is shipped."""
        process = subprocess.Popen([PROGRAM, *args], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, **small_data.EVERYTHING})
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 4)
        return usage.ru_maxrss

    def limited(self, mebibytes, *args, env=None):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (mebibytes << 20, mebibytes << 20))

        return subprocess.run([PROGRAM, *args], text=True, capture_output=True, timeout=120, preexec_fn=limit,
                              env={**os.environ, "NO_COLOR": "1", **(env or {})})

    def test_literals_have_a_limit_together(self):
        path = self.cases(30)
        result = run("list", path)
        self.assertEqual(result.returncode, 4, result.stdout)
        self.assertIn(f"{path}:23:19: error: the literals of the files together take more than 384 MiB", result.stderr)
        self.assertEqual(run("list", self.cases(6)).returncode, 0)

    def test_that_many_stay_below_512_mebibytes(self):
        for literal in ("shape: [4194304], fill: 0", "shape: [4194304], fill: 0, layout: transposed", "shape: [4194304], fill: 0, layout: sliced",
                        "shape: [1], values: [0], strides: [1], offset: 0, storage: 4194304"):
            for args in (["list"], ["run", "--engine", "reference"]):
                with self.subTest(literal, verb=args[0]):
                    self.assertLess(self.peak(*args, self.cases(30, literal)), 512 << 10)

    def test_what_it_was_needed_for_is_named(self):
        path = self.cases(6)
        ends = []
        for mebibytes in range(200, 2600, 200):
            result = self.limited(mebibytes, "run", path, "--engine", "reference", "-j", "1")
            if result.returncode == 127:  # the libraries do not fit
                continue
            ends.append(result.returncode)
            self.assertIn(result.returncode, (0, 1, 3), f"{mebibytes} MiB: {result.stderr}")
            if result.returncode == 1:  # the engine ran out of memory, and the call says so
                self.assertRegex(result.stdout, "on reference: infra.*\n  garbled reply: the engine threw: std::bad_alloc")
            if result.returncode == 3:
                self.assertRegex(result.stderr, "error: out of memory while (reading .*large.yaml|running .*large-|judging .*large-)")
        self.assertIn(3, ends)
        self.assertEqual(ends[-1], 0)

    def test_generated_calls_run_out_of_it_too(self):
        ends = []
        for mebibytes in range(80, 400, 64):
            result = self.limited(mebibytes, "fuzz", "--all", "--engine", "reference", "--cases", "300", "-j", "2", "--save", self.path("found"),
                                  env=small_data.EVERYTHING)
            ends.append(result.returncode)
            self.assertIn(result.returncode, (0, 3), f"{mebibytes} MiB: {result.stderr}")
            if result.returncode == 3:
                self.assertIn("error: out of memory", result.stderr)
        self.assertIn(3, ends)
        self.assertIn(0, ends)


if __name__ == "__main__":
    unittest.main()
