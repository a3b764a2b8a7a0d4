# SPDX-License-Identifier: Apache-2.0
"""`fuzz` repeats large calls with many numbers of threads: it finds each race, and nothing in the right
version. On two quiet cores that takes seconds; the limit is for a busy machine."""

import os
import tempfile
import unittest

from program import run

LIBRARIES = os.environ["RACES"]
FORMS = ("adds", "carries", "tables", "firsts", "owners")


def fuzz(form, *options):
    with tempfile.TemporaryDirectory() as folder:
        return run("fuzz", "--all", "--save", folder, "-j", "1", "--engine", f"so:{LIBRARIES}/{form}.so", *options)


class Races(unittest.TestCase):
    @unittest.skipIf(os.cpu_count() < 2, "threads on one core hardly race")
    def test_a_race_is_found(self):
        for form in FORMS:
            with self.subTest(form):
                done = fuzz(f"{form}_races", "-x", "--time", "240s", "--shrink-time", "1s")
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)

    def test_nothing_is_found_in_a_right_version(self):
        for form in FORMS:
            with self.subTest(form):
                done = fuzz(f"{form}_right", "--cases", "3000")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class ManyLookups(unittest.TestCase):
    """`run` gives a kernel with threads one call of each API with thousands of lookups: cases are small."""

    def found(self, form):
        done = run("run", "torch.Tensor.scatter_add_/*", "--engine", f"so:{LIBRARIES}/{form}.so")
        self.assertEqual(done.returncode, 0 if form.endswith("right") else 1, done.stdout + done.stderr)
        return done.stdout

    def test_what_fails_there_counts(self):
        shown = self.found("dies")
        self.assertIn("crash/signal/SIGABRT", shown)
        self.assertIn("with its index and updates over and over, 32768 values in all", " ".join(shown.split()))
        self.assertIn("over and over", self.found("forgets"))

    def test_nothing_is_found_in_a_right_version(self):
        self.found("adds_right")


if __name__ == "__main__":
    unittest.main()
