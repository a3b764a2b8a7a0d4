# SPDX-License-Identifier: Apache-2.0
"""Compiled and exported forms of frameworks as engines. A framework that is not installed fails the test."""

import os
import tempfile
import unittest

from program import run, stream


class Forms(unittest.TestCase):
    def judge(self, engine, *ids):
        """How each case ended on an engine, by id."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.jsonl")
            result = run("run", *ids, "--engine", engine, "--report", "jsonl=" + path)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
            records = {line["id"]: line for line in stream(path) if line["type"] == "record"}
        self.assertTrue(records)
        for one in records.values():
            self.assertTrue(one["engine"].startswith(engine + "@"), one)
            self.assertIn(one["disposition"], ("as_expected", "known"), one)
        return records

    def test_jit_of_jax(self):
        records = self.judge("jax:jit", "jax.ops.segment_sum/*", "jax.numpy.ndarray.at.add/*")
        verdicts = [one["verdict"] for one in records.values()]
        self.assertGreater(verdicts.count("pass"), 20)
        # How many segments there are is then not known to the compiler.
        unsupported = [one for one in records.values() if one["verdict"] == "unsupported"]
        self.assertTrue(unsupported)
        for one in unsupported:
            self.assertRegex(one["explanation"], "^(Abstract tracer value encountered|Array boolean indices must be concrete)")

    def test_function_of_tensorflow(self):
        records = self.judge("tensorflow:function", "tensorflow.gather/*", "tensorflow.scatter_nd/*")
        self.assertGreater([one["verdict"] for one in records.values()].count("pass"), 40)
        # Refused when the graph is made.
        refused = records["tensorflow.scatter_nd/rule/I/obeys/i16"]
        self.assertIn("must be int32 or int64, but was int16", refused["message"])

    def test_compile_of_torch(self):
        refused = "torch.Tensor.index_put_/rule/values-shape/breaks/longer"
        records = self.judge("torch:compile", "torch.gather/doc/*", "torch.gather/rule/same-rank/*",
                             "torch.Tensor.scatter_/doc/*", refused)
        self.assertGreater([one["verdict"] for one in records.values()].count("pass"), 5)
        # What tracing raises is the call's own refusal, and what lowering raises is the compiler's.
        self.assertEqual(records["torch.gather/rule/same-rank/breaks/index-less"]["outcome"]["classes"], ["RuntimeError"])
        self.assertEqual(records[refused]["verdict"], "unsupported")
        self.assertRegex(records[refused]["explanation"], "^LoweringException: AssertionError: Broadcast failed.*$")

    def test_mistakes(self):
        for name, what, hint in (("jax:jot", "jax has no form 'jot'", "did you mean 'jax:jit'?"),
                                 ("numpy:jit", "numpy has one form", "write numpy")):
            result = run("run", "--engine", name)
            self.assertEqual(result.returncode, 4)
            self.assertEqual(result.stderr, f"error: unknown engine '{name}': {what}\n  hint: {hint}\n")


unittest.main()
