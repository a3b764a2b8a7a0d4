# SPDX-License-Identifier: Apache-2.0
"""Tests of other projects as cases: those of the installed onnx package, and folders of tests."""

import glob
import os
import subprocess
import sys
import unittest

import small_data
from fixture import Fixture
from program import run, stream

small_data.use("onnx/*")

SKIPPED = 77
ENGINES = os.environ.get("SCATTERPROOF_ENGINES", os.path.expanduser("~/.local/share/scatterproof/engines"))
PYTHON = sorted(glob.glob(os.path.join(ENGINES, "onnx@*", "bin", "python")))

MAKE_TESTS = """
import os, sys
import numpy as np
import onnx
from onnx import helper, numpy_helper

def test(name, nodes, inputs, output, opset=13, damaged=False):
    folder = os.path.join(sys.argv[1], name, "test_data_set_0")
    os.makedirs(folder)
    infos = [helper.make_tensor_value_info(f"x{i}", helper.np_dtype_to_tensor_dtype(x.dtype), x.shape) for i, x in enumerate(inputs)]
    result = helper.make_tensor_value_info("y", helper.np_dtype_to_tensor_dtype(output.dtype), output.shape)
    model = helper.make_model(helper.make_graph(nodes, "g", infos, [result]), opset_imports=[helper.make_opsetid("", opset)])
    onnx.save(model, os.path.join(sys.argv[1], name, "model.onnx"))
    for kind, arrays in (("input", inputs), ("output", [output])):
        for i, array in enumerate(arrays):
            with open(os.path.join(folder, f"{kind}_{i}.pb"), "wb") as file:
                file.write(b"no tensor" if damaged else numpy_helper.from_array(array).SerializeToString())

def gather(**attributes):
    return [helper.make_node("Gather", ["x0", "x1"], ["y"], **attributes)]

data, index = np.array([[1.5, 2.5], [3.5, 4.5]], np.float32), np.array([1, 0, 1])
test("good", gather(axis=0), [data, index], data[index])
test("wrong", gather(axis=0), [data, index], data[index] + 1)
test("later opset", gather(axis=1), [data, index], data[:, index], opset=21)
test("u16", gather(), [data.astype(np.uint16), index], data[index].astype(np.uint16))
test("wide", gather(), [data, index], data[index].astype(np.float64))
test("old", gather(), [data, index], data[index], opset=7)
test("damaged", gather(), [data, index], data[index], damaged=True)
test("other", [helper.make_node("Abs", ["x0"], ["y"])], [data], data)
test("two", gather()[:0] + [helper.make_node("Abs", ["x0"], ["z"]), helper.make_node("Gather", ["z", "x1"], ["y"])], [data, index], data[index])
"""


class TheInstalledPackage(Fixture):
    def test_passes_on_the_engines_that_claim_to_be_onnx(self):
        cases, report = self.path("cases"), self.path("run.jsonl")
        imported = run("import", "onnx", "--output", cases)
        self.assertEqual(imported.returncode, 0, imported.stdout + imported.stderr)
        self.assertNotIn("left out", imported.stdout)
        self.assertIn("more tests are of operators without a spec", imported.stdout)
        engines = ["reference", "onnx"] + ["onnxruntime"] * bool(glob.glob(os.path.join(ENGINES, "onnxruntime@*", "bin")))
        result = run("run", cases, *(word for engine in engines for word in ("--engine", engine)), "--report", f"jsonl={report}")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        _, *records, _ = stream(report)
        others = {(record["api"], record["engine"].partition("@")[0], record["verdict"]) for record in records if record["verdict"] != "pass"}
        self.assertEqual(others, {("onnx.Scatter", "onnx", "unsupported")})
        self.assertGreaterEqual(len(records), 20 * len(engines))
        apis = ("Gather", "GatherElements", "GatherND", "Scatter", "ScatterElements", "ScatterND", "TensorScatter")
        self.assertEqual({record["api"] for record in records}, {f"onnx.{api}" for api in apis})


class Folders(Fixture):
    def setUp(self):
        super().setUp()
        self.tests, self.cases = self.path("tests"), self.path("cases")
        subprocess.run([PYTHON[-1], "-c", MAKE_TESTS, self.tests], check=True, capture_output=True, timeout=120)

    def test_become_cases_or_are_listed_with_the_reason(self):
        result = run("import", "onnx", self.tests, "--output", self.cases)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn(f"{self.cases}/onnx.Gather.yaml: 4 cases", result.stdout)
        self.assertIn("2 more tests are of operators without a spec, or of several nodes", result.stdout)
        for test, why in (("u16", "dtype u16 is not supported yet"), ("damaged", "it cannot be read:"),
                          ("wide", "it expects a result of f64[3, 2], which the call does not have")):
            self.assertIn(f"left out: {self.tests}/{test}/test_data_set_0: {why}", result.stdout)
        with open(os.path.join(self.cases, "onnx.Gather.yaml"), encoding="utf-8") as file:
            opsets = [line.split()[1] for line in file if "opset:" in line]
        # For opset 7, 13 and 21: the opset that last changed the operator.
        self.assertEqual(sorted(opsets), ["1", "13", "13", "13"])
        self.assertEqual(result.stdout.count("left out"), 3, result.stdout)

    def test_are_named_by_what_fails(self):
        run("import", "onnx", self.tests, "--output", self.cases)
        report = self.path("run.jsonl")
        result = run("run", self.cases, "--engine", "reference", "--engine", "openmp", "--report", f"jsonl={report}")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        _, *records, _ = stream(report)
        self.assertEqual([(record["id"], record["verdict"]) for record in records if record["disposition"] == "unexpected"],
                         [("onnx.Gather/imported/wrong/test_data_set_0", "disputed")])
        with open(os.path.join(self.cases, "onnx.Gather.yaml"), encoding="utf-8") as file:
            self.assertIn(f"{self.tests}/wrong/test_data_set_0", file.read())

    def test_nothing_is_overwritten(self):
        os.mkdir(self.cases)
        self.write("cases/onnx.Gather.yaml", "mine")
        result = run("import", "onnx", self.tests, "--output", self.cases)
        self.assertEqual(result.returncode, 4)
        self.assertIn("onnx.Gather.yaml: error: the file exists", result.stderr)

    def test_without_a_test_are_said(self):
        os.mkdir(self.path("empty"))
        result = run("import", "onnx", self.path("empty"), "--output", self.cases)
        self.assertEqual(result.returncode, 5)
        self.assertIn("error: no test was imported", result.stderr)


class NotInstalled(Fixture):
    def test_has_a_hint(self):
        result = run("import", "onnx", "--output", self.path("cases"), env={"SCATTERPROOF_ENGINES": self.path("none")})
        self.assertEqual(result.returncode, 4)
        self.assertIn("is not installed", result.stderr)
        self.assertIn("hint: scatterproof engines install onnx", result.stderr)


if __name__ == "__main__":
    if not PYTHON:
        print("skipped: no onnx engine is installed (scatterproof engines install onnx)")
        sys.exit(SKIPPED)
    unittest.main()
