# SPDX-License-Identifier: Apache-2.0
"""What three people do after `pip install scatterproof`: one has a kernel, one a CI, and one moves a model to
another framework."""

import os
import re
import shutil
import unittest

import yaml
from installed import Installed

UPDATES = "output[w.offset + stride * place(index[k], size, wrap_negative)] += updates[k];"
# Adds in parallel, where several updates may have one place, without an atomic.
RACE = """{
      int64_t* places = malloc((size_t)positions * sizeof *places + 1);
      for (int64_t k = 0; k < positions; ++k, step(&w)) places[k] = w.offset + stride * place(index[k], size, wrap_negative);
#pragma omp parallel for schedule(static, 1)
      for (int64_t k = 0; k < positions; ++k) output[places[k]] += updates[k];
      free(places);
    }"""
LOOP = "for (int64_t k = 0; k < positions; ++k, step(&w))\n      " + UPDATES


@unittest.skipUnless(shutil.which("cmake") and shutil.which("cc"), "no compiler")
class KernelEngineer(Installed):
    """Follows docs/use/test-your-kernel.md with a kernel that is wrong."""

    def kernel(self, *changes):
        """The library of a new kernel whose source is changed."""
        self.succeed("scatterproof", "engines", "new", "--lang", "c", "mine")
        folder = os.path.join(self.folder, "mine")
        with open(os.path.join(folder, "mine.c"), encoding="utf-8") as file:
            source = file.read()
        for before, after in changes:
            self.assertIn(before, source)
            source = source.replace(before, after)
        self.write("mine/mine.c", source)
        self.succeed("cmake", "-S", folder, "-B", os.path.join(folder, "build"), "-DCMAKE_C_FLAGS=-fopenmp")
        self.succeed("cmake", "--build", os.path.join(folder, "build"))
        return "so:" + os.path.join(folder, "libmine.so")

    def test_strides_of_the_index_for_those_of_the_data(self):
        kernel = self.kernel(('\\"dtypes\\": [\\"f32\\", \\"f64\\"]', '\\"dtypes\\": [\\"f32\\"]'), ("w->output->strides[d]", "w->index->strides[d]"))
        shown = self.fail_with(1, "scatterproof", "run", "--engine", kernel, "torch.Tensor.scatter_add_/*")
        self.assertIn("the call: torch.Tensor.scatter_add_(", shown)
        # Wrong results, and a write outside.
        self.assertLessEqual(len(re.findall("^FAILED ", shown, re.M)), 2, shown)
        self.fail_with(1, "scatterproof", "run", "--engine", kernel)
        # Where the machine is busy, finding forms of calls takes more than the ten seconds of the tutorial.
        # The first failure may be large, and each of its crashes starts a process: it need not get smallest.
        shown = self.fail_with(1, "scatterproof", "fuzz", "--engine", kernel, "--time", "60s", "-x")
        self.assertRegex(shown, "the smallest (found )?call that shows it:")

    def test_an_atomic_that_is_missing(self):
        kernel = self.kernel((LOOP, RACE), ("#include <stdio.h>", "#include <stdio.h>\n#include <stdlib.h>"))
        shown = self.fail_with(1, "scatterproof", "run", "--engine", kernel)
        self.assertIn("race", shown)

    def test_the_kernel_as_it_is_made(self):
        kernel = self.kernel()
        self.assertIn("next, generated calls: ", self.succeed("scatterproof", "run", "--engine", kernel))
        self.succeed("scatterproof", "fuzz", "--engine", kernel, "--time", "5s")


FUNCTIONS = """
import numpy as np
import pytest
import scatterproof

def strides_of_the_index(input, dim, index, src):
    out, flat = input.copy(), src.reshape(-1)
    for n, place in enumerate(np.ndindex(*index.shape)):
        target = list(place)
        if target:
            target[dim] = index[place]
        out[tuple(target)] += flat[n]
    return out

def without_atomic(input, dim, index, source):
    out = np.moveaxis(input.copy(), dim, 0) if input.ndim else input.copy().reshape(1)
    out[index] += np.moveaxis(source, dim, 0) if source.ndim else source.reshape(1)
    return np.moveaxis(out, 0, dim) if input.ndim else out.reshape(())

def test_check():
    scatterproof.check(strides_of_the_index, like="torch.scatter_add", dtypes=["f32"], errors=False)

def test_check_of_duplicates():
    scatterproof.check(without_atomic, like="torch.index_add", dtypes=["f32"], errors=False)

def test_assert_allowed():
    call = dict(input=np.zeros((2, 1), "f4"), dim=0, index=np.array([[0], [1]]), src=np.ones((2, 2), "f4") * [[1, 2]])
    call["src"] = call["src"].astype("f4")
    call["src"][1, 0] = 5
    scatterproof.assert_allowed(strides_of_the_index(**call), "torch.scatter_add", **call)

@pytest.mark.scatterproof("numpy.take_along_axis", dtypes=["f32"])
def test_right(scatterproof_check):
    scatterproof_check(np.take_along_axis)
"""


class PythonKernelEngineer(Installed):
    def test_pytest_finds_both(self):
        file = self.write("test_kernels.py", FUNCTIONS)
        shown = self.fail_with(1, "pytest", "-q", "--tb=short", "-p", "no:cacheprovider", file)
        self.assertIn("3 failed, 1 passed", shown)
        for message in re.findall(r"^E   .*(?:\nE   .*|\nE$)*", shown, re.M):
            self.assertLessEqual(len(message.splitlines()), 25, message)
        self.assertIn("strides_of_the_index is not torch.scatter_add (mismatch)", shown)
        self.assertIn("without_atomic is not torch.index_add (mismatch)", shown)
        self.assertIn("torch.scatter_add does not allow this result (mismatch)", shown)


class Maintainer(Installed):
    """Follows docs/use/ci.md with an engine that has one fault."""

    ENGINE = "faulty:index-strides-ignored"

    def test_one_fault_is_a_group_of_each_kind(self):
        shown = self.fail_with(1, "scatterproof", "run", "--engine", self.ENGINE, "--report", "console", "--report", "jsonl=run.jsonl")
        self.assertLessEqual(len(shown.splitlines()), 60)
        # Wrong results, and an index that was misread.
        self.assertLessEqual(len(re.findall("^FAILED ", shown, re.M)), 2, shown)
        self.succeed("scatterproof", "baseline", "write", "known.yaml", "--from", "run.jsonl")
        with open(os.path.join(self.folder, "known.yaml"), encoding="utf-8") as file:
            self.assertLessEqual(len(yaml.safe_load(file)["baseline"]), 10)
        self.succeed("scatterproof", "run", "--engine", self.ENGINE, "--baseline", "known.yaml")

    def test_the_gate_is_where_the_help_says(self):
        pages = self.succeed("scatterproof", "help").splitlines()[-1].removeprefix("Pages, and recipes for CI: ")
        gate = os.path.join(pages, "use", "ci", "gate.sh")
        self.fail_with(1, "sh", gate, "--engine", self.ENGINE)
        self.succeed("sh", gate, "--engine", "reference", "torch.gather/*")
        self.assertTrue(os.path.exists(os.path.join(self.folder, "scatterproof-reports", "run.html")))
        self.assertTrue(os.path.exists(os.path.join(pages, "use", "test-your-kernel.md")))


class Porter(Installed):
    def test_from_torch_to_jax(self):
        """One command; no framework is installed, so the documents answer."""
        shown = self.succeed("scatterproof", "compare", "torch.scatter_add", "jax", "--predict")
        self.assertRegex(shown, r"(?m)^torch\.scatter_add ")
        self.assertRegex(shown, r"(?m)^jax\.numpy\.ndarray\.at\.add\.tuple .*w")

    def test_a_call_as_text(self):
        shown = self.execute("scatterproof", "compare", "--check", "torch.gather([[1., 2.]], 1, [[-1]])", "--predict")
        self.assertIn("numpy.take_along_axis", shown.stdout)
        self.assertIn(shown.returncode, (0, 1), shown.stderr)


__all__ = ["KernelEngineer", "Maintainer", "Porter", "PythonKernelEngineer"]
