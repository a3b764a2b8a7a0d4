# SPDX-License-Identifier: Apache-2.0
"""Functions in a process of their own: engines `py:MODULE:FUNCTION=API`, and check(isolated=True)."""

import glob
import os
import subprocess
import unittest

import small_data
from fixture import Fixture
from program import PROGRAM
from with_numpy import PACKAGES, worker_python

small_data.use("numpy/*", "torch/*")

KERNELS = """
import os, time
import numpy as np

def take(arr, indices, axis=-1):
    return np.take_along_axis(arr, indices, axis)

def by_place(x, i, d):
    return np.take_along_axis(x, i, d)

class Kernels:
    @staticmethod
    def reversed(arr, indices, axis=-1):
        return np.take_along_axis(arr, indices[..., ::-1], axis)

def dies(arr, indices, axis=-1):
    if indices.size > 4:
        print("x", file=open("died", "a"))
        os.abort()
    return np.take_along_axis(arr, indices, axis)

def hangs(arr, indices, axis=-1):
    time.sleep(99)

def mistaken(arr, indices, axis=-1):
    return np.take_along_axis(arr, indices, axs=axis)

def absent(arr, indices, axis=-1):
    raise NotImplementedError("not yet")

few = lambda arr, indices, axis: arr

def one(arr):
    return arr
API = "numpy.take_along_axis"

if __name__ == "__main__":
    import sys, scatterproof
    try:
        print(scatterproof.check(globals()[sys.argv[1]], API, cases=300, time=sys.argv[2], isolated=True))
    except (AssertionError, TypeError) as error:
        print(error)
"""
API = "numpy.take_along_axis"

BACKWARD = """
import torch

def gather(input, dim, index):
    return input.gather(dim, index)

class Gather(torch.autograd.Function):
    @staticmethod
    def forward(context, input, dim, index):
        context.save_for_backward(index)
        context.dim, context.shape = dim, input.shape
        return input.gather(dim, index)

    @staticmethod
    def backward(context, cotangent):
        index, = context.saved_tensors
        return cotangent.new_zeros(context.shape).scatter(context.dim, index, cotangent), None, None

def assigned(input, dim, index):
    return Gather.apply(input, dim, index)

class Moved(Gather):
    @staticmethod
    def forward(context, input, dim, index):
        context.index = index
        return Gather.forward(context, input, dim, index)

    @staticmethod
    def backward(context, cotangent):
        return cotangent.new_zeros(context.shape).scatter_add(context.dim, context.index, cotangent), None, None

    @staticmethod
    def jvp(context, of_input, of_dim, of_index):
        return 2 * of_input.gather(context.dim, context.index)

def moved_twice(input, dim, index):
    return Moved.apply(input, dim, index)

@torch.library.custom_op("mine::cut", mutates_args=())
def cut(input: torch.Tensor, dim: int, index: torch.Tensor) -> torch.Tensor:
    return input.gather(dim, index)

@torch.library.custom_op("mine::only_backward", mutates_args=())
def only_backward(input: torch.Tensor, dim: int, index: torch.Tensor) -> torch.Tensor:
    return input.gather(dim, index)

only_backward.register_autograd(Moved.backward, setup_context=lambda context, inputs, output: setattr(context, "index", inputs[2])
                                or setattr(context, "dim", inputs[1]) or setattr(context, "shape", inputs[0].shape))
"""


class Functions(Fixture):
    def setUp(self):
        super().setUp()
        self.file = self.write("kernels.py", KERNELS)

    def execute(self, *command):
        return subprocess.run(command, cwd=self.folder, text=True, capture_output=True, timeout=300, env={
            **os.environ, "PYTHONPATH": PACKAGES, "SCATTERPROOF_PYTHON": worker_python(), "NO_COLOR": "1",
            "PATH": os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"]})

    def run_on(self, function, *words):
        return self.execute(PROGRAM, *(words or ("run", f"{API}/*")), "--engine", f"py:{function}={API}")

    def test_a_function_of_a_module_or_a_file(self):
        for place in ("kernels:take", "./kernels.py:take", f"{self.file}:take", "kernels:by_place"):
            done = self.run_on(place)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertRegex(done.stdout, r"Summary: as expected, [1-9]\d+ calls judged, of them 0 failed(.*\n)+next, generated calls: .* fuzz --engine ")
        known = self.write("known failures.yaml", "baseline: []\n")
        self.assertIn(f" --baseline '{known}' --time ", self.run_on("kernels:take", "run", f"{API}/*", "--baseline", known).stdout)
        wrong = self.run_on("kernels:Kernels.reversed")
        self.assertEqual(wrong.returncode, 1, wrong.stderr)
        self.assertRegex(wrong.stdout, rf"FAILED {API}/\S+ on py:kernels:Kernels.reversed={API}: mismatch \(\d+ calls\)")
        self.assertIn(f"{API}/doc/example-sort", self.run_on("kernels:Kernels.reversed", "run", f"{API}/*", "--verbose").stdout)
        self.assertRegex(self.run_on("kernels:absent").stdout, r"nothing ran|0 calls judged; not judged: \d+ unsupported")
        self.assertIn("declares itself as take", self.execute(PROGRAM, "engines", "check", f"py:kernels:take={API}").stdout)

    def test_where_nothing_ran_it_says_what_is_offered(self):
        done = self.run_on("kernels:take", "run", "torch.gather/*")
        self.assertEqual(done.returncode, 5, done.stdout + done.stderr)
        self.assertIn(f"hint: py:kernels:take={API} offers {API}: scatterproof run --engine py:kernels:take={API}", done.stderr)

    def test_generated_calls(self):
        done = self.run_on("kernels:Kernels.reversed", "fuzz", "--cases", "200", "--exitfirst", "--save", self.path("found"))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(f"FAILED {API}/fuzz/valid on py:kernels:Kernels.reversed={API}: mismatch", done.stdout)

    def test_gradients(self):
        """Of a function of torch's tensors: right by its own rules, wrong by a backward pass that assigns or
        by a forward mode that doubles; an operator that has only a backward pass says so."""
        self.write("backward.py", BACKWARD)
        found = glob.glob(os.path.join(os.path.dirname(worker_python()), "..", "..", "torch@*", "bin", "python"))
        environment = {**os.environ, "PYTHONPATH": PACKAGES, "SCATTERPROOF_PYTHON": sorted(found)[-1], "NO_COLOR": "1"}
        # A function has not declared that it has gradients, so they are judged on request alone.
        for flags, function, code, words in ((["--gradients"], "gather", 0, "as expected"), (["--gradients"], "assigned", 1, "gradient/wrong_value/input"),
                                             (["--gradients"], "cut", 0, " open "), (["--gradients"], "moved_twice", 1, "gradient/wrong_tangent"),
                                             (["--gradients"], "only_backward", 0, "as expected"), ([], "assigned", 0, "as expected")):
            done = subprocess.run([PROGRAM, "fuzz", *flags, "-e", f"py:./backward.py:{function}=torch.gather,torch", "--api", "torch.gather",
                                   "--cases", "200", "-j", "1", "--save", self.path("found")], cwd=self.folder, text=True, capture_output=True,
                                  timeout=300, env=environment)
            self.assertEqual((done.returncode, words in done.stdout), (code, True), done.stdout + done.stderr)

    def test_mistakes(self):
        for name, words in ((f"kernels:take=numpy.tak", "there is no spec of 'numpy.tak'"), ("kernels:take", "it names no API"), (f"take={API}", "it names no module and function"),
                            (f"kernels:take={API},cupy", "'cupy' is not numpy, torch or jax")):
            done = self.execute(PROGRAM, "run", f"{API}/*", "--engine", f"py:{name}")
            self.assertEqual((done.returncode, words in done.stderr), (4, True), done.stderr)
        for name, words in (("kernels:tak", "AttributeError: module 'kernels' has no attribute 'tak'"), ("kernel:take", "ModuleNotFoundError: No module named 'kernel'"),
                            ("kernels:one", "has 1 parameters, and the API 3 arguments: arr, indices, axis")):
            done = self.run_on(name)
            self.assertEqual((done.returncode, words in done.stderr + done.stdout), (7, True), done.stdout + done.stderr)

    def checked(self, function, time="0s"):
        done = self.execute(worker_python(), "kernels.py", function, time)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def calls_of(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return len(file.readlines())

    def test_an_exception_is_said_with_its_place(self):
        line = r"raised TypeError: .*'axs' \(kernels.py:\d+: return np.take_along_axis\(arr, indices, axs=axis\)\)"
        self.assertRegex(self.checked("mistaken"), line)
        self.assertRegex(" ".join(self.run_on("kernels:mistaken").stdout.split()), line)

    def test_isolated(self):
        self.assertRegex(self.checked("take"), r"Checked\(judged=[1-9]\d+, ")
        crash = self.checked("dies")
        self.assertRegex(crash, r"^dies is not numpy.take_along_axis \(crash\), seed 0, call \d+:\n.*signal 6")
        self.assertLessEqual(len(crash.splitlines()), 25)
        self.assertLess(self.calls_of("died"), 150)  # each is a process: the others of a batch are not tried
        hang = self.checked("hangs", "1s")
        self.assertRegex(hang, r"^hangs is not numpy.take_along_axis \(timeout\), seed 0, call \d+:\n  no answer within 1 s\n.*:\nimport numpy")
        self.assertIn("scatterproof.assert_allowed(hangs(**call)", hang)
        self.assertIn("isolated=True needs a function that can be imported", self.checked("few"))


if __name__ == "__main__":
    unittest.main()
