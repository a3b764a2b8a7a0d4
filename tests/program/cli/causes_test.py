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
                    self.assertIn(f"\nlikely cause, as it explains every cell: {sentence}", one["explanation"])
                    self.assertEqual(one["explanation"].count("likely cause"), 1, one["explanation"])

    def test_a_call_that_several_mistakes_explain_names_them(self):
        told = [one["explanation"] for one in self.failures("index-strides-ignored") if "is read as if it were contiguous" in one["explanation"]]
        several = [one for one in told if "\nor: " in one]
        self.assertTrue(several)
        for one in told:
            self.assertLessEqual(one.count("\nor: "), 2, one)
            self.assertLess(one.index("likely cause"), one.find("\nor: ") % len(one), one)

    def test_lost_subnormals_are_not_taken_for_another_combiner(self):
        for one in self.failures("flush-to-zero"):
            self.assertNotIn("instead of", one["explanation"])


if __name__ == "__main__":
    unittest.main()
