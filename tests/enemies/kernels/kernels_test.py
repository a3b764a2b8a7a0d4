# SPDX-License-Identifier: Apache-2.0
"""Right and wrong kernels: `run` and `fuzz` find nothing in a right version, and every wrong version except
those in survivors.json. A survivor that is found must leave the list.

The nightly preset fuzzes each library for a minute; otherwise it is a fixed number of calls.
SCATTERPROOF_APPROVE=1 writes the list again for this length.
"""

import concurrent.futures
import glob
import json
import os
import re
import tempfile
import unittest

import small_data
from program import run

small_data.use("torch/torch.gather", "torch/torch.index_select", "torch/torch.Tensor.scatter*_", "torch/torch.Tensor.index_copy_", "numpy/numpy.put_along_axis", "numpy/numpy.take_along_axis", "numpy/numpy.ufunc.at", "paddle/paddle.scatter", "paddle/paddle.index_add", "paddle/paddle.index_select", "tensorflow/tensorflow.tensor_scatter_nd_updates", "onnx/onnx.Gather*", "onnx/onnx.Scatter*")

HERE = os.path.dirname(os.path.abspath(__file__))
LIST = os.path.join(HERE, "survivors.json")
SHOWN = sorted(glob.glob(os.path.join(HERE, "shown", "*.yaml")))
LIBRARIES = os.environ["KERNELS"]
LONG = int(os.environ.get("SCATTERPROOF_TRIALS", "0")) >= 1_000_000
EFFORT, LENGTH = ("60s", ["--time", "60s"]) if LONG else ("2000 calls", ["--cases", "2000"])


def described(source):
    """From the comment of a kernel: its APIs, and the fault of each wrong version."""
    with open(source, encoding="utf-8") as file:
        comment = re.sub(r"\s*\n \*\s*", " ", file.read().split("*/", 2)[1])
    apis = re.search(r"apis: (.*?) wrong 1:", comment).group(1).split()
    wrong = re.findall(r"wrong (\d): (.*?)(?= wrong \d:|\s*$)", comment)
    return apis, {int(number): what.strip() for number, what in wrong}


KERNELS = {os.path.basename(path)[:-2]: described(path) for path in sorted(glob.glob(os.path.join(HERE, "*.c")))}


unsupported = {}  # by kernel: of the calls that were made for it, how many it did not take


def failures(kernel, wrong, *command, env=None):
    """What a verb prints about a version of a kernel when it finds something; else nothing."""
    done = run(*command, "--engine", f"so:{LIBRARIES}/{kernel}_{wrong}.so", env=env)
    if done.returncode not in (0, 1, 5):  # 5: no shipped case is of a dtype and combiner that the kernel has
        raise RuntimeError(f"{' '.join(command)} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    if made := re.search(r"(\d+) calls made: .*?(?:(\d+) unsupported)?(?:, |; )seed", done.stderr):
        unsupported[kernel, wrong] = int(made.group(2) or 0) / int(made.group(1))
    return done.stdout if done.returncode == 1 else ""


def hunt(kernel, wrong):
    """What `run` on the shipped cases or, if they show nothing, `fuzz` finds in a version of a kernel."""
    apis = [argument for api in KERNELS[kernel][0] for argument in ("--api", api)]
    with tempfile.TemporaryDirectory() as folder:
        fuzz = ["fuzz", "-x", "--shrink-time", "10ms", "--seed", "1", "-j", "1", "--save", folder, *LENGTH, *apis]
        return failures(kernel, wrong, "run", "-x", env=small_data.EVERYTHING) or failures(kernel, wrong, *fuzz)


def by_chance(what):
    """Whether a wrong version is a race, which a short run may find or not."""
    return what.endswith("by chance")


class Kernels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        versions = [(kernel, wrong) for kernel in KERNELS for wrong in range(4)]
        with concurrent.futures.ThreadPoolExecutor(max_workers=2) as pool:
            cls.found = dict(zip(versions, pool.map(lambda version: hunt(*version), versions)))

    def test_at_least_25_kernels_with_three_wrong_versions_each(self):
        self.assertGreaterEqual(len(KERNELS), 25)
        for kernel, (_, wrong) in KERNELS.items():
            self.assertEqual(sorted(wrong), [1, 2, 3], kernel)
            for what in wrong.values():
                self.assertIn("; shown by: ", what, kernel)

    def test_cases_made_for_them_show_every_wrong_version(self):
        """The wrong versions are wrong, and the right ones right, whatever `fuzz` reaches."""
        for kernel, (_, versions) in KERNELS.items():
            self.assertEqual(failures(kernel, 0, "run", *SHOWN), "")
            for wrong, what in versions.items():
                with self.subTest(kernel=kernel, wrong=wrong):
                    self.assertTrue(by_chance(what) or failures(kernel, wrong, "run", *SHOWN), what)

    def test_calls_are_made_within_what_a_kernel_offers(self):
        for kernel in KERNELS:
            with self.subTest(kernel):
                self.assertLess(unsupported[kernel, 0], 0.05)

    def test_nothing_is_found_in_a_right_version(self):
        for kernel in KERNELS:
            with self.subTest(kernel):
                self.assertEqual(self.found[kernel, 0], "")

    def test_every_wrong_version_but_the_survivors_is_found(self):
        survivors = {
            f"{kernel}/{wrong}": what
            for kernel, (_, versions) in KERNELS.items()
            for wrong, what in versions.items()
            if not self.found[kernel, wrong] and (LONG or not by_chance(what))
        }
        with open(LIST, encoding="utf-8") as file:
            listed = json.load(file)
        if os.environ.get("SCATTERPROOF_APPROVE") == "1":
            listed[EFFORT] = survivors
            with open(LIST, "w", encoding="utf-8") as file:
                file.write(json.dumps(listed, indent=2) + "\n")
        # How many calls are repeated depends on time, so a short run may find one more.
        expected = listed.get(EFFORT, {})
        self.assertEqual(survivors, expected if LONG else {name: expected.get(name) for name in survivors})


if __name__ == "__main__":
    unittest.main()
