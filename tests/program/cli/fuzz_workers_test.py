# SPDX-License-Identifier: Apache-2.0
"""Faults that show only in some ways of calling a worker: defaults, shared memory, repeated tensors; and how
often workers start."""

import glob
import os
import unittest

from fuzz_test import FAULT, Fixture
from program import SOURCE, run, worker_python

TAKE = """
import numpy
from scatterproof_worker import Worker
worker = Worker(name='take', framework='numpy', version='2.4.6', dtypes=['f32', 'i32', 'i64'])
seen = {}
@worker.call('numpy.take_along_axis')
def take(arr, indices, AXIS):
    BODY
    return numpy.take_along_axis(arr, indices, axis)
worker.serve()
"""


class TakeAlongAxis(Fixture):
    def engine(self, body="pass", axis="axis"):
        script = os.path.join(self.folder, "take.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write(TAKE.replace("AXIS", axis).replace("BODY", body))
        return f"cmd:'{worker_python()}' '{script}'"


class Memory(TakeAlongAxis):
    ADDS_TO_SHARED = "if numpy.may_share_memory(arr, indices): arr = arr + 1"

    def verdicts(self, body):
        return self.fuzz("--api", "numpy.take_along_axis", "--valid", "--cases", "2000", "-j", "1", "--engine", self.engine(body))

    def assert_found(self, result):
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("numpy.take_along_axis/fuzz/valid on take: mismatch", result.stdout)

    def test_what_remembers_a_tensor_by_its_identity_is_found(self):
        self.assert_found(self.verdicts("_, indices = seen.setdefault(id(indices), (indices, indices.copy()))"))

    def test_what_remembers_it_by_its_address_is_found(self):
        self.assert_found(self.verdicts("key = indices.ctypes.data, indices.shape, indices.strides; "
                                        "_, indices = seen.setdefault(key, (indices, indices.copy()))"))

    def test_what_takes_shared_memory_for_its_own_is_found_saved_and_replayed(self):
        result = self.verdicts(self.ADDS_TO_SHARED)
        self.assert_found(result)
        self.assertIn("in the memory of arr", result.stdout)
        saved = glob.glob(os.path.join(self.found, "*", "*.yaml"))
        self.assertTrue(saved)
        for path in saved:
            with open(path, encoding="utf-8") as file:
                self.assertRegex(file.read(), "(indices: {view_of: arr|arr: {view_of: indices)")
            self.assertEqual(run("run", path, "--engine", self.engine(self.ADDS_TO_SHARED)).returncode, 1)
            self.assertEqual(run("run", path, "--engine", self.engine()).returncode, 0)

    def test_what_remembers_nothing_is_right(self):
        result = self.verdicts("pass")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


class ArgumentsLeftOut(TakeAlongAxis):
    """A default that is not the documented one shows only where the argument is left out."""

    def found_with(self, axis):
        """The saved calls. A run must succeed if nothing is saved, and fail otherwise."""
        result = self.fuzz("--api", "numpy.take_along_axis", "--valid", "--cases", "600", "--engine", self.engine(axis=axis))
        saved = glob.glob(os.path.join(self.found, "*", "*.yaml"))
        self.assertEqual(result.returncode, 1 if saved else 0, result.stdout + result.stderr)
        return saved, result.stdout

    def test_a_wrong_default_is_found_shrunk_and_saved(self):
        saved, shown = self.found_with("axis=0")
        self.assertTrue(saved)
        self.assertIn("axis=-1) (axis: left out)", shown)
        for path in saved:
            with open(path, encoding="utf-8") as file:
                self.assertNotIn("axis:", file.read())
            self.assertEqual(run("run", path, "--engine", self.engine(axis="axis=0")).returncode, 1)
            self.assertEqual(run("run", path, "--engine", self.engine(axis="axis=-1")).returncode, 0)

    def test_a_right_default_and_none_are_as_good(self):
        self.assertEqual(self.found_with("axis=-1")[0], [])
        self.assertEqual(self.found_with("axis")[0], [])

    def test_what_fails_anyway_is_saved_with_its_arguments(self):
        self.fuzz("--api", "numpy.take_along_axis", "--cases", "300", "--engine", FAULT)
        saved = glob.glob(os.path.join(self.found, "*", "*.yaml"))
        self.assertTrue(saved)
        for path in saved:
            with open(path, encoding="utf-8") as file:
                self.assertIn("axis: ", file.read())


class Starts(Fixture):
    def worker(self, most):
        """An honest worker that records its starts and has a limited number of them."""
        self.starts = os.path.join(self.folder, "starts")
        script = os.path.join(self.folder, "worker.sh")
        worker = os.path.join(SOURCE, "tests", "enemies", "liars", "honest.py")
        with open(script, "w", encoding="utf-8") as file:
            file.write(f"echo started >> '{self.starts}'\n"
                       f"test $(wc -l < '{self.starts}') -le {most} || exit 3\n"
                       f"exec '{worker_python()}' '{worker}'\n")
        return f"cmd:sh '{script}'"

    def started(self):
        with open(self.starts, encoding="utf-8") as file:
            return len(file.readlines())

    def test_are_opened_once_a_job(self):
        result = self.fuzz("--api", "torch.gather", "--engine", self.worker(most=9), "--cases", "600", "-j", "2", "--valid")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual(self.started(), 2)

    def test_are_not_lost_in_silence(self):
        result = self.fuzz("--api", "torch.gather", "--engine", self.worker(most=1), "--cases", "600", "-j", "2", "--valid")
        self.assertEqual(result.returncode, 7, result.stdout + result.stderr)
        self.assertRegex(result.stderr, "error: cmd:sh .*worker.sh.* started once but did not start again for another job: .")


if __name__ == "__main__":
    unittest.main()
