# SPDX-License-Identifier: Apache-2.0
"""`selftest` as a user meets it: exit codes, the table, the list of equivalents."""

import os
import signal
import subprocess
import tempfile
import time
import unittest

from program import PROGRAM, run


class Selftest(unittest.TestCase):
    def equivalents(self, *names):
        handle, path = tempfile.mkstemp(suffix=".yaml")
        self.addCleanup(os.remove, path)
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write("equivalents:\n" if names else "equivalents: []\n")
            for name in names:
                out.write(f"  - {{names: [{name}], why: an argument for the sake of the test}}\n")
        return path

    def test_killed(self):
        done = run("selftest", "faulty:dropped-*", "--cases", "200", "--equivalents", self.equivalents())
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"faulty:dropped-tail +\d+ calls +mismatch +\S+\(")
        self.assertRegex(done.stdout, r"killed (\d+) of \1 within 200 calls; 0 equivalent")

    def test_alive(self):
        done = run("selftest", "faulty:mean-truncates", "--cases", "100", "--equivalents", self.equivalents())
        self.assertEqual(done.returncode, 1)
        self.assertIn("faulty:mean-truncates is alive: The mean of integers", done.stdout)
        self.assertIn("killed 0 of 1 within 100 calls", done.stdout)

    def test_an_interrupt_ends_it_in_the_middle(self):
        # Nothing kills these.
        for name in ("jax.numpy.ndarray.at.set/rule/T/weakened-2", "faulty:mean-truncates"):
            with self.subTest(name):
                process = subprocess.Popen([PROGRAM, "selftest", name, "--cases", str(10**9)],
                                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                time.sleep(3)
                process.send_signal(signal.SIGTERM)
                try:
                    shown, _ = process.communicate(timeout=60)
                finally:
                    process.kill()
                self.assertEqual(process.returncode, 2)
                self.assertIn("killed 0 of 0", shown)

    def test_equivalent(self):
        listed = self.equivalents("faulty:mean-truncates")
        done = run("selftest", "faulty:mean-truncates", "--cases", "100", "--equivalents", listed)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("equivalent: an argument for the sake of the test", done.stdout)

    def test_an_equivalent_that_is_killed(self):
        listed = self.equivalents("faulty:dropped-tail")
        done = run("selftest", "faulty:dropped-tail", "--cases", "100", "--equivalents", listed)
        self.assertEqual(done.returncode, 1)
        self.assertIn("faulty:dropped-tail is listed as an equivalent (line 2), but a call shows it", done.stdout)

    def test_mutants(self):
        done = run("selftest", "onnx.GatherND/for/*", "--cases", "100", "-j", "2")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"onnx.GatherND/for/i/changed-1 +\d+ calls")

    def test_a_name_that_is_none(self):
        listed = self.equivalents("faulty:dropped-tial")
        done = run("selftest", "faulty:dropped-tail", "--equivalents", listed)
        self.assertEqual(done.returncode, 4)
        self.assertIn(f"{listed}:2:14: error: unknown fault or mutant 'faulty:dropped-tial'", done.stderr)
        self.assertIn("did you mean 'faulty:dropped-tail'?", done.stderr)

    def test_a_glob_that_matches_nothing(self):
        for others in ((), ("faulty:dropped-tail",)):
            done = run("selftest", *others, "faulty:dropped-haed", "--cases", "100")
            self.assertEqual(done.returncode, 4, done.stdout)
            self.assertIn("no fault or mutant is called 'faulty:dropped-haed'", done.stderr)
            self.assertIn("did you mean 'faulty:dropped-head'?", done.stderr)

    def test_nothing_of_that_kind(self):
        self.assertEqual(run("selftest", "onnx.GatherND/for/*", "--engine-faults").returncode, 5)

    def test_drawn(self):
        done = run("selftest", "--seed", "7", "--count", "20", "--cases", "2000", "-j", "2")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(done.stdout, r"place +faults +1000 +2000 +unshown\n")
        self.assertRegex(done.stdout, r"\nall +\d+ +\S+ % +\S+ % +\d+\n")
        self.assertRegex(done.stdout, r"\nfaulty:drawn-7-\d+ in \S+  .*: .* If .*\.\n    alive: ")

    def test_a_drawn_fault_is_an_engine(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("fuzz", "--all", "--cases", "2000", "--engine", "faulty:drawn-7-0", "--save", folder)
        self.assertIn("faulty:drawn-7-0", done.stdout)

    def test_names_and_a_count_exclude_each_other(self):
        self.assertEqual(run("selftest", "faulty:*", "--count", "5").returncode, 4)

    def test_flags(self):
        self.assertEqual(run("selftest", "--cases", "0").returncode, 4)


if __name__ == "__main__":
    unittest.main()
