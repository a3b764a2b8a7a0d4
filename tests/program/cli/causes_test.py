# SPDX-License-Identifier: Apache-2.0
"""Likely causes of wrong results: kernels with one mistake, and the cause that the report names."""

import unittest

import small_data
from fixture import Fixture
from program import run, stream

APIS = ("torch.Tensor.scatter_add_", "torch.Tensor.scatter_reduce_", "torch.Tensor.scatter_", "torch.gather", "torch.take_along_dim")
small_data.use(*(f"torch/{api}" for api in APIS))


class Causes(Fixture):
    def failures(self, fault):
        report = self.path("run.jsonl")
        result = run("run", *(f"{api}/*" for api in APIS), "--engine", f"faulty:{fault}", "--report", f"jsonl={report}")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        return [one for one in stream(report) if one.get("verdict") == "mismatch"]

    def test_each_is_named_after_the_mistake_that_was_made(self):
        for fault, diagnosis, sentence in (
                ("index-strides-ignored", "wrong_meaning/strides_ignored/index", "index is read as if it were contiguous"),
                ("updates-strides-ignored", "wrong_meaning/strides_ignored/src", "src is read as if it were contiguous"),
                ("updates-by-index-strides", "wrong_meaning/strides_of_index/src", "src is addressed by the strides of the index"),
                ("index-column-major", "wrong_meaning/column_major/index", "index is read in column-major order"),
                ("axis-always-first", "wrong_meaning/other_dimension[0,1]", "the index is applied along dimension 0 instead of 1"),
                ("flush-to-zero", "wrong_meaning/flushed_to_zero", "subnormal numbers are flushed to zero")):
            with self.subTest(fault):
                named = [one for one in self.failures(fault) if one["diagnosis"] == diagnosis]
                self.assertTrue(named)
                for one in named:
                    self.assertEqual(one["causes"][0], diagnosis)
                shown = run("report", self.path("run.jsonl"), "--report", f"tap={self.path('run.tap')}")
                self.assertIn(shown.returncode, (0, 1), shown.stdout + shown.stderr)
                with open(self.path("run.tap"), encoding="utf-8") as file:
                    self.assertIn(f"\\nlikely cause, as it explains every cell: {sentence}", file.read())

    def test_a_call_that_several_mistakes_explain_names_them(self):
        named = [one.get("causes", []) for one in self.failures("index-strides-ignored")]
        told = [causes for causes in named if any("strides_ignored" in cause for cause in causes)]
        self.assertTrue([causes for causes in told if len(causes) > 1])
        for causes in told:
            self.assertLessEqual(len(causes), 3)
            self.assertEqual(len(causes), len(set(causes)))

    def test_lost_subnormals_are_not_taken_for_another_combiner(self):
        for one in self.failures("flush-to-zero"):
            self.assertFalse([cause for cause in one.get("causes", []) if "combine" in cause])


if __name__ == "__main__":
    unittest.main()
