# SPDX-License-Identifier: Apache-2.0
"""Shared libraries behind the tool: an honest one is right everywhere, a bad one is caught and does no
harm."""

import collections
import os
import re
import tempfile
import unittest

import small_data
from program import run, stream

small_data.use("torch/torch.gather", "torch/torch.Tensor.scatter_add_", "onnx/onnx.GatherElements")

LIBRARIES = os.environ["PLUGIN_LIBRARIES"]


def library(name):
    return os.path.join(LIBRARIES, f"lib{name}.so")


class Libraries(unittest.TestCase):
    environment = None  # of the program, beyond this one

    def judge(self, path, *what, timeout="10"):
        """The records of a run, and the run."""
        with tempfile.TemporaryDirectory() as folder:
            report = os.path.join(folder, "run.jsonl")
            result = run("run", "--engine", f"so:{path}", "--timeout", timeout, "--report", f"jsonl={report}", *what, env=self.environment)
            return [line for line in stream(report) if line["type"] == "record"], result


class Honest(Libraries):
    """honest.cpp offers everything for four dtypes, so only calls that a kernel cannot express may be
    unsupported."""

    environment = small_data.EVERYTHING
    OTHERS = [
        r"so:.+ takes no \w+ tensors \(\w+\)",
        r"a rule of the API that no kernel can know: ",
        r"no caller can make a result for this call: ",
        r"an argument that no kernel has ends at the caller: ",
        r"what this API allows here ends at the caller: ",
        r"no kernel does what \w+ = \w+ asks for",
        r"no kernel drops, clips or fills what an index out of range names",
        r"no kernel multiplies the updates by a factor",
        r"an index stretched over no positions has no values for a kernel to check: ",
    ]

    def test_every_shipped_case_in_either_layout(self):
        for layout in ("strided", "contiguous"):
            with self.subTest(layout):
                records, result = self.judge(library("honest_" + layout))
                failing = [(r["id"], r["verdict"]) for r in records if r["disposition"] == "unexpected"]
                self.assertEqual(failing, [])
                self.assertEqual(result.returncode, 0, result.stderr)
                counts = collections.Counter(r["verdict"] for r in records)
                self.assertGreater(counts["pass"], 800)
                self.assertEqual(self.strangers(records), [])

    def strangers(self, records):
        reasons = {r["explanation"] for r in records if r["verdict"] == "unsupported"}
        return sorted(w for w in reasons if not any(re.match(other, w) for other in self.OTHERS))


class Liars(Libraries):
    """Verdict and words by which each is caught, on the cases of scatter_add_."""

    DOCUMENTED = "torch.Tensor.scatter_add_/doc/*"
    CASES = [DOCUMENTED, "torch.Tensor.scatter_add_/layout/*"]
    EXPECTED = {
        "beyond_the_end": ("crash", "crashed: the kernel wrote at least 1 byte beyond the end of the result during this call: the guard bytes there changed"),
        "before_the_beginning": ("crash", "crashed: the kernel wrote at least 8 bytes before the beginning of the result during this call"),
        "far_beyond": ("crash", "crashed"),
        "beyond_an_input": ("crash", "crashed: the kernel wrote at least 1 byte beyond the end of its input 1 during this call"),
        "beyond_and_refuses": ("crash", "crashed: the kernel wrote at least 1 byte beyond the end of the result during this call: the guard bytes there changed"),
        "adds_one_too_many": ("mismatch", "expected"),
        "changes_its_index": ("mismatch", "argument_written/index"),
        "changes_its_updates": ("mismatch", "argument_written/src"),
        "loses_updates": ("mismatch", "lands here"),
        "segfaults": ("crash", "crashed"),
        "exits": ("crash", "exit"),
        "hangs": ("timeout", ""),
        "returns_nonsense": ("crash", "crashed: the kernel returned 77, which is not a scatterproof_status"),
        "fails": ("crash", "crashed: the kernel failed: out of sorts"),
        "late_to_fail": ("crash", "crashed: the kernel failed: the device is on fire"),
        "writes_to_its_last_result": ("crash", "crashed: the kernel wrote to the result of an earlier call after that call had returned"),
        "writes_to_its_last_input": ("crash", "crashed: the kernel wrote to input 1 of an earlier call after that call had returned"),
        "babbles": ("unexpected_error", "????"),
        "writes_and_refuses": ("unexpected_error", "'wrote': ['self']"),
        "throws": ("crash", "crashed: the engine threw: not my day"),
    }

    def test_each_is_caught(self):
        for name, (verdict, words) in self.EXPECTED.items():
            with self.subTest(name):
                cases = [self.DOCUMENTED] if name == "hangs" else self.CASES  # each takes its time
                records, result = self.judge(library(name), *cases, timeout="1")
                judged = [r for r in records if r["verdict"] not in ("unsupported", "open")]
                self.assertTrue(judged)
                caught = [r for r in judged if r["verdict"] == verdict and words in str(r)]
                self.assertTrue(caught, f"{name}: {[(r['verdict'], r['explanation']) for r in judged]}")
                self.assertEqual(result.returncode, 1, result.stderr)
                print(f"{name}: {len(caught)} of {len(judged)} calls are a {verdict}", flush=True)

    def test_a_read_outside_an_argument_shows_in_whatever_it_is_added_to(self):
        records, _ = self.judge(library("adds_one_too_many"), *self.CASES)
        verdicts = collections.Counter(r["verdict"] for r in records)
        self.assertGreater(verdicts["mismatch"], 5)
        self.assertEqual(verdicts["pass"], 0)

    def test_the_tools_words_are_not_the_kernels(self):
        records, _ = self.judge(library("beyond_the_end"), *self.CASES)
        crashes = [r for r in records if r["verdict"] == "crash"]
        self.assertTrue(crashes)
        for record in crashes:
            self.assertEqual(record["diagnosis"], "crash/misbehaviour")
            self.assertNotIn("garbled", record["explanation"])
            self.assertNotIn("stderr", record["explanation"])

    def test_a_result_made_of_other_memory_is_found_where_the_document_is_silent(self):
        for name, found in (("honest_but_for_what_lies_ahead", True), ("honest_contiguous", False)):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                result = run("fuzz", "--api", "torch.Tensor.scatter_add_", "--rule", "has-dimension", "--cases", "1000",
                             "--engine", f"so:{library(name)}", "--save", folder)
                self.assertEqual("diagnosis: foreign_memory" in result.stdout, found, result.stdout + result.stderr)
                self.assertIn("with two patterns in unwritten memory" if found else " open ", result.stdout)

    def test_inputs_share_memory_where_the_arguments_do(self):
        for name in ("honest_but_for_overlap_strided", "honest_but_for_overlap_contiguous"):
            with self.subTest(name):
                records, _ = self.judge(library(name), "*/memory/*")
                wrong = [r["id"] for r in records if r["verdict"] == "mismatch"]
                self.assertIn("torch.gather/memory/index-is-input", wrong)
                self.assertIn("torch.Tensor.scatter_add_/memory/src-is-index", wrong)

    def test_what_it_prints_is_its_own_affair(self):
        records, result = self.judge(library("chatters"), *self.CASES)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("pass", {r["verdict"] for r in records})

    def test_a_result_that_was_not_written_is_not_right_by_chance(self):
        records, _ = self.judge(library("leaves_gathers_alone"), "torch.gather/*", "onnx.GatherElements/*")
        verdicts = collections.Counter(r["verdict"] for r in records)
        self.assertGreater(verdicts["mismatch"], 10)
        wrong = [r for r in records if r["verdict"] == "mismatch"]
        self.assertEqual({r["diagnosis"] for r in wrong}, {"wrong_meaning/never_written"})
        self.assertEqual(wrong[0]["causes"], ["wrong_meaning/never_written"])
        with_elements = [r["id"] for r in records if r["verdict"] == "pass"]
        self.assertEqual(with_elements, [])


class Gradients(Libraries):
    """honest.cpp offers the gradients of everything."""

    environment = small_data.EVERYTHING

    def fuzz(self, name, *options):
        with tempfile.TemporaryDirectory() as folder:
            report = os.path.join(folder, "run.jsonl")
            result = run("fuzz", "--all", "--gradients", "-e", f"so:{library(name)}", "-j", "1", "--save", os.path.join(folder, "found"),
                         "--report", f"jsonl={report}", *options, env=self.environment)
            return result, [line for line in stream(report) if line["type"] == "record"]

    def test_of_right_kernels_pass_in_either_layout(self):
        for layout in ("strided", "contiguous"):
            with self.subTest(layout):
                result, records = self.fuzz(f"honest_{layout}", "--cases", "4000")
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                self.assertGreater(int(re.search(r"as expected, (\d+) calls judged", result.stdout)[1]), 3000)
                self.assertEqual([one["id"] for one in records if one["verdict"] not in ("pass", "open", "unsupported")], [])

    def test_of_shipped_cases_pass(self):
        records, result = self.judge(library("honest_strided"), "--gradients", "torch.index_add/*", "numpy.take_along_axis/*")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        gradients = collections.Counter(one["verdict"] for one in records if one["id"].endswith("/gradient"))
        self.assertGreater(gradients["pass"], 15)

    def test_that_are_wrong_are_found(self):
        # A crash costs a start of the host, so of these there are fewer calls.
        for name, diagnosis, cases in [("gives_each_all", "gradient/shares_of_tie", "1500"),
                                       ("leaves_zeros_out", "gradient/of_what_does_not_matter", "1500"),
                                       ("strays", "crash/misbehaviour", "100")]:
            with self.subTest(name):
                result, records = self.fuzz(f"gradient_{name}", "--cases", cases, "--shrink-time", "1ms")
                self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                self.assertIn(diagnosis, {"/".join(one.get("diagnosis", "").split("/")[:2]) for one in records})

    def test_of_a_kernel_without_any_are_not_asked(self):
        result, _ = self.fuzz("loses_updates", "--cases", "10")
        self.assertEqual(result.returncode, 5, result.stdout + result.stderr)
        self.assertIn("no selected engine has gradients", result.stderr)


class Strangers(Libraries):
    """Libraries that cannot be used: the check and the run give the reason, and the run ends with 7."""

    EXPECTED = {
        "other_version": "speaks version 2 of the kernel ABI",
        "small_struct": "has 16 bytes",
        "null_struct": "scatterproof_kernels_v1 returned NULL",
        "null_run": "run is NULL",
        "bad_description": "kernals",
        "no_device": "no abacus",
        "without_entry": "does not export scatterproof_kernels_v1()",
    }

    def assert_unavailable(self, path, words):
        check = run("engines", "check", f"so:{path}")
        self.assertEqual(check.returncode, 1, check.stderr)
        self.assertIn(words, check.stdout)
        self.assertNotIn("hint: answer the first message", check.stdout)  # which is for workers
        self.assertNotRegex(check.stdout, r"\n *\n")
        result = run("run", "--engine", f"so:{path}", "torch.Tensor.scatter_add_/doc/*")
        self.assertEqual(result.returncode, 7, result.stdout + result.stderr)
        self.assertIn(words, result.stdout + result.stderr)

    def test_each_says_why(self):
        for name, words in self.EXPECTED.items():
            with self.subTest(name):
                self.assert_unavailable(library(name), words)

    def test_a_file_that_is_no_library(self):
        self.assert_unavailable(os.path.abspath(__file__), "cannot load the library")

    def test_a_file_that_is_not_there(self):
        result = run("engines", "check", "so:./nowhere.so")
        self.assertEqual(result.returncode, 4)
        self.assertIn("nowhere.so", result.stderr)


if __name__ == "__main__":
    unittest.main()
