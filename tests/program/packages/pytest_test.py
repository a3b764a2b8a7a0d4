# SPDX-License-Identifier: Apache-2.0
"""The plug-in for pytest, in a virtual environment with nothing but pytest, numpy and the wheel."""

import os
import re
import shlex
import subprocess
import unittest

import python_environment
import small_data
from fixture import Fixture
from program import PROGRAM

small_data.use("numpy/*", "torch/torch.Tensor.scatter_add_")

WORKER = """
import numpy
from scatterproof_worker import Unsupported, Worker

worker = Worker(name="mine", framework="numpy", version="1", dtypes=["i64", "f64"])

@worker.call("numpy.take_along_axis")
def _(arr, indices, axis):
    {body}

worker.serve()
"""
RIGHT = "return numpy.take_along_axis(arr, indices, axis)"
WRONG = "return numpy.take_along_axis(arr, indices[..., ::-1], axis)"
ABSENT = "raise Unsupported('not yet')"
EMPTY = """if arr.size:
        raise Unsupported('not yet')
    return numpy.take_along_axis(arr, indices, axis)"""
FLAKY = """import os
    if not os.path.exists("asked"):
        open("asked", "w").close()
        raise ValueError("not today")
    return numpy.take_along_axis(arr, indices, axis)"""
KNOWN = """
baseline:
  - case: numpy.take_along_axis/*
    engine: "cmd:*"
    verdict: mismatch
    reason: it reads from the back
    since: 2026-11-01
"""
API = "numpy.take_along_axis"
KERNELS = """
import numpy as np
import pytest
from scatterproof import assert_allowed

@pytest.mark.scatterproof("numpy.take_along_axis", "numpy.take", dtypes=["f32"], cases=200)
def test_right(scatterproof_check, scatterproof_api):
    scatterproof_check(getattr(np, scatterproof_api.removeprefix("numpy.")))

# The strides of the index for those of the data: wrong where the index is smaller than the data.
def wrong(input, dim, index, src):
    out, flat = input.copy(), src.reshape(-1)
    for n, place in enumerate(np.ndindex(*index.shape)):
        target = list(place)
        if target:
            target[dim] = index[place]
        out[tuple(target)] += flat[n]
    return out

@pytest.mark.scatterproof("torch.scatter_add", dtypes=["f32"])
def test_wrong(scatterproof_check):
    scatterproof_check(wrong)

def test_asserted():
    x, i, s = np.zeros((2, 1), "f4"), np.array([[0], [1]]), np.array([[1, 2], [3, 4]], "f4")
    assert_allowed(wrong(x, 0, i, s), "torch.scatter_add", input=x, dim=0, index=i, src=s)

@pytest.mark.scatterproof("numpy.take_along_axis")
def test_loop(scatterproof_calls):
    for call in scatterproof_calls(20):
        assert_allowed(np.take_along_axis(**call.arguments), call.api, **call.arguments)
"""


class PytestPlugIn(Fixture):
    @classmethod
    def setUpClass(cls):
        cls.programs = python_environment.make(cls.enterClassContext(python_environment.folder()), python_environment.wheel())

    def setUp(self):
        super().setUp()
        self.write("test_own.py", "def test_of_the_suite(): pass\n")

    def run_here(self, command, environment):
        path = os.pathsep.join([os.path.dirname(PROGRAM), os.environ["PATH"]])
        return subprocess.run(command, cwd=self.folder, env={**environment, "COLUMNS": "300", "PATH": path}, text=True, capture_output=True,
                              timeout=300)

    def pytest(self, *options, program=PROGRAM):
        kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "SCATTERPROOF")}
        return self.run_here([os.path.join(self.programs, "python"), "-m", "pytest", "-v", f"--scatterproof-program={program}", *options], kept)

    def pasted(self, command):
        """What a printed command does in a shell that finds the program, as that of pytest did."""
        return self.run_here(["sh", "-c", command], os.environ)

    def engine(self, body):
        """The option that names a worker which does this."""
        script = self.write("worker.py", WORKER.format(body=body))
        return f"--scatterproof-engine=cmd:{shlex.join([os.path.join(self.programs, 'python'), script])}"

    def check(self, done, code, *words):
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        for word in words:
            self.assertRegex(done.stdout, word)

    def test_a_framework_that_this_interpreter_lacks_is_named(self):
        options = ("--scatterproof-api=torch.Tensor.scatter_add_", "-W", "error::scatterproof_pytest.ScatterproofWarning")
        done = self.pytest("--scatterproof-engine=torch", *options)
        self.assertIn(f"{self.programs}/python does not import it", done.stdout)
        own = self.pytest("--scatterproof-engine=numpy", "--scatterproof-api=numpy.take", "--collect-only", *options)
        self.assertNotIn("does not import it", own.stdout)

    def test_without_an_engine_it_adds_nothing(self):
        done = self.pytest(program="/nowhere")
        self.check(done, 0, "plugins: .*scatterproof-", r"=+ 1 passed in ")
        self.assertNotIn("scatterproof::", done.stdout)

    def test_the_framework_of_this_interpreter(self):
        chosen = ["--scatterproof-engine=numpy", "--scatterproof-api=numpy.choose", "--scatterproof-api=numpy.*put"]
        done = self.pytest(*chosen, "-rx")
        version = python_environment.numpy_pin().replace("==", "@")
        self.check(done, 0, r"scatterproof::numpy::numpy.put PASSED", r"scatterproof::numpy::numpy.choose XFAIL", "1 xfailed",
                   r"XFAIL .*numpy.choose/many/100: 64 arrays .*\(F69\)", rf"\n{version}: \d+ calls judged, of them 1 failed \(1 known\); not judged: \d+ open, \d+ unsupported\n +\d+ pass, 1 unexpected_error known, ")
        strict = self.pytest(*chosen, "--runxfail", "-k", "choose")
        self.check(strict, 1, r"numpy.choose FAILED", "FAILED numpy.choose/many/100 on numpy@", "1 failed, 1 deselected|1 failed, ")
        command = re.search(r"  reproduce: (SCATTERPROOF_PYTHON=.*)", strict.stdout).group(1)
        again = self.pasted(command)
        self.assertEqual((again.returncode, "numpy.choose/many/100" in again.stdout), (1, True), again.stderr)
        # The engine is this interpreter's numpy, not one that the program has installed.
        self.assertIn(os.path.join(self.programs, "python"), command)

    def test_a_worker_that_is_right(self):
        engine = self.engine(RIGHT)
        done = self.pytest(engine)
        self.check(done, 0, rf"{API} PASSED", r"\ncmd:.*: \d+ calls judged, of them 0 failed; not judged: 5 open, \d+ unsupported\n +\d+ pass, \d+ weak\n", "2 passed")
        # In the program's own words.
        own = subprocess.run([PROGRAM, "run", f"{API}/*", "--engine", engine.partition("=")[2]], cwd=self.folder, text=True, capture_output=True, timeout=300)
        self.assertIn(f": {re.search(r'Summary: as expected, (.*)', own.stdout).group(1)}\n", done.stdout)

    def test_a_worker_that_is_wrong(self):
        done = self.pytest(self.engine(WRONG))
        self.check(done, 1, rf"{API} FAILED", rf"FAILED {API}/\S+ on mine: mismatch \(\d+ calls", r"out\[0.*\] is .*, expected ",
                   r"\nFAILED scatterproof::.* - \d+ unexpected failures, \d+ calls judged, of them \d+ failed; not judged: ", "1 failed, 1 passed")
        command = re.search(r"\nrepeat it: (.*)", done.stdout).group(1)
        again = self.pasted(command)
        self.assertEqual((again.returncode, f"FAILED {API}/" in again.stdout), (1, True), again.stderr)

    def test_expected_failures_and_those_that_no_longer_happen(self):
        known = f"--scatterproof-baseline={self.write('known.yaml', KNOWN)}"
        self.check(self.pytest(self.engine(WRONG), known, "-rx"), 0, rf"{API} XFAIL", "it reads from the back", "1 passed, 1 xfailed")
        self.check(self.pytest(self.engine(RIGHT), known), 1, rf"{API} FAILED", r"- 1 stale baseline entry, ")

    def test_what_is_flaky_vacuous_or_not_judged_is_said(self):
        flaky = self.engine(FLAKY)
        self.check(self.pytest(flaky), 1, "not today")
        os.remove(self.path("asked"))
        self.check(self.pytest(flaky, "--scatterproof-retries=1"), 0, rf"{API} PASSED", r"ScatterproofWarning: flaky: ", r"\ncmd:.* failed \(1 flaky\)")
        self.check(self.pytest(self.engine(EMPTY)), 0, rf"{API} PASSED", r"ScatterproofWarning: vacuous: every call of numpy")
        self.check(self.pytest(self.engine(ABSENT), "-rs"), 0, rf"{API} SKIPPED", r"0 calls judged; not judged: \d+ unsupported", "1 passed, 1 skipped")

    def test_an_engine_starts_once_for_all_apis(self):
        counted = 'open("starts", "a").write(".")'
        script = self.write("worker.py", WORKER.format(body=RIGHT).replace("worker.serve()", f"""
worker.call("numpy.put", overwrites="a")(lambda a, ind, v, mode="raise": numpy.put(a, ind, v, mode) or a)
{counted}
worker.serve()"""))
        engine = f"--scatterproof-engine=cmd:{shlex.join([os.path.join(self.programs, 'python'), script])}"
        self.check(self.pytest(engine), 0, rf"{API} PASSED", "numpy.put PASSED", "3 passed")
        with open(self.path("starts"), encoding="utf-8") as starts:
            together = len(starts.read())
        self.check(self.pytest(engine, "-k", "put"), 0, "numpy.put PASSED", "1 passed, 2 deselected")
        with open(self.path("starts"), encoding="utf-8") as starts:
            self.assertEqual(len(starts.read()) - together, together)  # for the list and for the run

    def test_functions(self):
        self.write("test_kernels.py", KERNELS)
        done = self.pytest("test_kernels.py")
        self.check(done, 1, r"test_right\[numpy.take_along_axis\] PASSED", r"test_right\[numpy.take\] PASSED", r"test_wrong\[torch.scatter_add\] FAILED",
                   "test_asserted FAILED", r"test_loop\[numpy.take_along_axis\] PASSED", "2 failed, 3 passed")
        for message in re.findall(r"^E   +(?:AssertionError: )?wrong is not torch.scatter_add.*?(?=^\S)", done.stdout, re.DOTALL | re.MULTILINE):
            self.assertLessEqual(len(message.strip().splitlines()), 25, message)
        self.assertRegex(done.stdout, r"E +AssertionError: wrong is not torch.scatter_add \(mismatch\)")
        self.assertRegex(done.stdout, r"E +AssertionError: torch.scatter_add does not allow this result \(mismatch\):\nE +out\[1,0\] is 2.0, expected 3.0")
        self.assertNotIn("judging.py", done.stdout)
        self.check(self.pytest("test_kernels.py", "--scatterproof-fuzz=2s", "-k", "right"), 0, "2 passed")

    def test_a_test_without_an_api(self):
        self.write("test_kernels.py", "def test_it(scatterproof_check): pass\n")
        done = self.pytest("test_kernels.py")
        self.assertEqual(done.returncode, 2 if "error" in done.stdout else 4, done.stdout)
        self.assertIn("name an API, as in @pytest.mark.scatterproof", done.stdout + done.stderr)

    def test_mistakes_end_the_session(self):
        self.check(self.pytest("--scatterproof-engine=nummpy"), 2, "unknown engine 'nummpy'", r"did you mean 'numpy'\?", "1 error")
        self.check(self.pytest("--scatterproof-engine=numpy", program="/nowhere"), 2, "cannot run /nowhere: No such file")
        self.check(self.pytest("--scatterproof-engine=numpy", "--scatterproof-api=numpy.tak"), 2, "matches no case id")


if __name__ == "__main__":
    unittest.main()
