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


if __name__ == "__main__":
    unittest.main()
