# SPDX-License-Identifier: Apache-2.0
"""Frameworks on devices: torch on one that an extension adds (device.cpp), in a right version and in wrong
ones, and other frameworks on devices that exist here."""

import glob
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import small_data
from program import SOURCE, run, stream

small_data.use("torch/*", "numpy/numpy.take_along_axis",
               "onnx/onnx.GatherElements", "jax/jax.numpy.take_along_axis", "tensorflow/tensorflow.gather_nd", "paddle/paddle.take_along_axis")

HERE = os.path.dirname(os.path.abspath(__file__))
DEVICE = "torch:device=hostdev"
CASES = [f"torch.{name}/*" for name in ("gather", "Tensor.gather", "scatter_add", "Tensor.scatter_add_", "Tensor.__getitem__")]
ENGINES = os.environ.get("SCATTERPROOF_ENGINES", os.path.expanduser("~/.local/share/scatterproof/engines"))
PYTHONS = sorted(glob.glob(os.path.join(ENGINES, "torch@*", "bin", "python")))
COMPILER = shutil.which(os.environ["TEST_COMPILER"])


def built(folder):
    """A folder with the package hostdev, installed as torch finds it, and compiled for that torch."""
    shutil.copytree(os.path.join(HERE, "package"), folder, dirs_exist_ok=True)
    about = os.path.join(folder, "hostdev-1.0.dist-info")
    os.mkdir(about)
    for name, text in (("METADATA", "Metadata-Version: 2.1\nName: hostdev\nVersion: 1.0\n"),
                       ("entry_points.txt", "[torch.backends]\nhostdev = hostdev:start\n")):
        with open(os.path.join(about, name), "w", encoding="utf-8") as file:
            file.write(text)
    torch = os.path.dirname(subprocess.run([PYTHONS[-1], "-c", "import torch; print(torch.__file__)"], check=True, text=True,
                                           capture_output=True).stdout.strip())
    include, library = os.path.join(torch, "include"), os.path.join(torch, "lib")
    command = [COMPILER, "-std=c++20", "-O0", "-fPIC", "-shared", "-I", include, "-I", os.path.join(include, "torch/csrc/api/include"),
               os.path.join(HERE, "device.cpp"), "-o", os.path.join(folder, "hostdev", "libhostdev.so"), "-L", library, "-lc10",
               "-ltorch_cpu", "-ltorch"]
    subprocess.run(command if not shutil.which("ccache") else ["ccache", *command], check=True)
    return folder


class Torch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.package = built(os.path.join(cls.folder.name, "package"))
        cls.baseline = os.path.join(cls.folder.name, "expected.yaml")
        result, _ = cls.judged("")
        if result.returncode == 1:  # torch's own failures on any device
            written = run("baseline", "write", cls.baseline, "--from", os.path.join(cls.folder.name, "run.jsonl"))
            assert written.returncode == 0, written.stderr
        else:
            assert result.returncode == 0, result.stdout + result.stderr
            cls.baseline = None

    @classmethod
    def judged(cls, fault, *args, verb="run", engine=DEVICE):
        """The device with a fault: what the program says, and the records."""
        report = os.path.join(cls.folder.name, "run.jsonl")
        result = run(verb, *(args or CASES), "--engine", engine, "--report", f"jsonl={report}",
                     env={"SCATTERPROOF_PYTHON": PYTHONS[-1], "PYTHONPATH": cls.package, "SCATTERPROOF_TEST_DEVICE": fault,
                          "SCATTERPROOF_TEST_DEATHS": os.path.join(cls.folder.name, "deaths")})
        return result, [line for line in stream(report) if line["type"] == "record"]

    def failed(self, fault):
        """The records that are not as expected of the right device."""
        result, records = self.judged(fault, *CASES, *(["--baseline", self.baseline, "--allow-fixed"] if self.baseline else []))
        self.assertIn(result.returncode, (0, 1), result.stdout + result.stderr)
        self.assertGreater(len(records), 100)
        return [one for one in records if one["disposition"] == "unexpected"]

    def test_the_right_one_is_as_expected_and_named(self):
        self.assertEqual(self.failed(""), [])
        _, records = self.judged("", "torch.gather/doc/*")
        for one in records:
            self.assertTrue(one["engine"].startswith(DEVICE + "@"), one)
            self.assertEqual(one["verdict"], "pass")

    def test_indices_of_32_bits_lose_negative_ones(self):
        failed = self.failed("narrow")
        self.assertTrue(failed)
        self.assertEqual({one["api"] for one in failed}, {"torch.Tensor.__getitem__"})
        self.assertIn("index 4294967295 is out of bounds", " ".join(one["message"] for one in failed))

    def test_lost_contributions(self):
        failed = self.failed("lost")
        self.assertTrue(failed)
        self.assertTrue({one["api"] for one in failed} <= {"torch.Tensor.scatter_add_", "torch.Tensor.scatter_add", "torch.scatter_add"}, failed)

    def test_lost_contributions_spoil_the_gradient_of_a_gather(self):
        result, records = self.judged("lost", "torch.gather/*", "--gradients")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        failed = [one for one in records if one["disposition"] == "unexpected"]
        self.assertEqual({one["diagnosis"].partition("/")[0] for one in failed}, {"gradient"}, failed)
        result, _ = self.judged("", "torch.gather/*", "--gradients")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_an_expanded_index(self):
        failed = self.failed("expanded")
        self.assertTrue(failed)
        self.assertTrue({one["api"] for one in failed} <= {"torch.gather", "torch.Tensor.gather"}, failed)

    def test_a_device_that_dies_is_restarted_and_no_other_call_is_blamed(self):
        verdicts = {}
        for fault in ("", "dies"):
            _, records = self.judged(fault, "torch.gather/*")
            verdicts[fault] = {one["id"]: one["verdict"] for one in records}
        self.assertEqual(verdicts["dies"], verdicts[""])
        with open(os.path.join(self.folder.name, "deaths"), encoding="utf-8") as deaths:
            self.assertGreater(len(deaths.readlines()), 2)

    def test_generated_calls(self):
        args = "--api", "torch.gather", "-x", "--cases", "2000", "--seed", "1", "-j", "1", "--save", os.path.join(self.folder.name, "found")
        result, _ = self.judged("expanded", *args, verb="fuzz")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("index: expanded", result.stdout)
        result, _ = self.judged("", *args, verb="fuzz")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_one_that_is_not_there_is_named(self):
        result, _ = self.judged("", "torch.gather/*", engine="torch:device=nodev")
        self.assertEqual(result.returncode, 7, result.stdout + result.stderr)
        self.assertIn("unavailable: Expected one of cpu, cuda", result.stdout + result.stderr)


class Others(unittest.TestCase):
    def test_devices_that_are_here(self):
        for engine, cases in (("jax:device=cpu", "jax.numpy.take_along_axis/*"), ("tensorflow:device=CPU:0", "tensorflow.gather_nd/*"),
                              ("paddle:device=cpu", "paddle.take_along_axis/*"), ("openvino:device=HETERO:CPU", "onnx.GatherElements/*"),
                              ("onnxruntime:provider=CPU", "onnx.GatherElements/*")):
            with self.subTest(engine):
                result = run("run", cases, "--engine", engine)
                self.assertRegex(result.stdout, r"(?m)^ +[1-9]\d* pass ")
                self.assertIn(result.returncode, (0, 1), result.stdout + result.stderr)

    def test_devices_that_are_not(self):
        for engine, words in (("jax:device=cuda", "jax has no platform cuda"), ("tensorflow:device=GPU:0", "tensorflow has no device GPU:0"),
                              ("openvino:device=NONE", 'Device with "NONE" name'), ("onnxruntime:provider=CUDA", "this onnxruntime has no CUDAExecutionProvider")):
            with self.subTest(engine):
                result = run("run", "--engine", engine)
                self.assertEqual(result.returncode, 7, result.stdout + result.stderr)
                self.assertIn(words, result.stdout + result.stderr)


if __name__ == "__main__":
    if not PYTHONS or not COMPILER:
        print("skipped: " + ("no torch is installed" if COMPILER else "there is no compiler"))
        sys.exit(77)
    unittest.main()
