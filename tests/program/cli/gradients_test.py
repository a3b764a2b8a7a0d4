# SPDX-License-Identifier: Apache-2.0
"""Gradients: of the reference, and of a worker that computes them in right and in wrong ways."""

import shlex
import unittest

from fixture import Fixture
from gradient_engine import gradient_engine
from program import run, stream


class Gradients(Fixture):
    def engine(self, way):
        return gradient_engine(way)

    def fuzz(self, *args):
        return run("fuzz", "--gradients", "--save", self.path("found"), "-j", "1", "--report", f"jsonl={self.path('r.jsonl')}", *args)

    def diagnoses(self):
        _, *records, _ = stream(self.path("r.jsonl"))
        return {(one["id"], one["verdict"], one.get("diagnosis", "")) for one in records if one["verdict"] != "open"}

    def test_of_the_reference_follow_from_the_meaning(self):
        result = self.fuzz("--all", "-e", "reference", "--cases", "3000")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertEqual({verdict for _, verdict, _ in self.diagnoses()}, {"pass"})

    def test_of_a_right_worker_pass(self):
        result = self.fuzz("--api", "torch.gather", "-e", self.engine("right"), "--cases", "60")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_that_are_wrong_are_named(self):
        for way, diagnosis in [("last", "gradient/wrong_value/input"), ("none", "gradient/missing/input"),
                               ("forward", "cell/wrong_value"), ("wide", "gradient/form/input"),
                               ("doubled", "gradient/second_order"), ("bent", "gradient/second_order/input")]:
            with self.subTest(way):
                result = self.fuzz("--api", "torch.gather", "-e", self.engine(way), "--cases", "60")
                self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                self.assertIn(("torch.gather/fuzz/gradient", "mismatch", diagnosis), self.diagnoses())

    def test_must_leave_the_cotangent_as_it_is(self):
        result = self.fuzz("--api", "torch.gather", "-e", self.engine("writes"), "--cases", "20")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("the gradient wrote to its cotangent", " ".join(result.stdout.split()))
        self.assertEqual({verdict for _, verdict, _ in self.diagnoses()}, {"crash"})

    def test_must_leave_the_result_as_it_is(self):
        for way, code in [("other", 1), ("right", 0)]:
            result = self.fuzz("--api", "torch.Tensor.index_copy", "-e", self.engine(way), "--cases", "60")
            self.assertEqual(result.returncode, code, result.stdout + result.stderr)
            self.assertEqual("gradient/forward_changed" in {one for _, _, one in self.diagnoses()}, way == "other")

    def test_that_are_refused_are_open(self):
        result = self.fuzz("--api", "torch.gather", "-e", self.engine("refused"), "--cases", "20")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        _, record, _ = stream(self.path("r.jsonl"))
        self.assertEqual((record["verdict"], record["explanation"]), ("open", "the engine has no gradient of input: not yet"))

    def test_of_an_engine_without_any_are_not_asked(self):
        result = self.fuzz("--api", "torch.gather", "-e", "openmp")
        self.assertEqual(result.returncode, 5, result.stdout + result.stderr)
        self.assertIn("nothing ran: no selected engine has gradients of the chosen APIs", result.stderr)

    def test_that_are_wrong_are_shrunk_and_run_again(self):
        result = self.fuzz("--api", "torch.gather", "-e", self.engine("last"), "--cases", "60")
        _, *records, _ = stream(self.path("r.jsonl"))
        (failed,) = (one for one in records if one["verdict"] == "mismatch")
        self.assertIn("the smallest call that shows it", failed["explanation"])
        self.assertIn("--gradients", failed["reproduce"])
        again = run(*shlex.split(failed["reproduce"])[1:])
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
        self.assertIn("/gradient", again.stdout)

    def test_are_judged_in_a_share_of_all_generated_calls(self):
        faulty = {("torch.gather/fuzz/gradient", "mismatch")}
        for engine, expected in [("faulty:gradient-unreached-nan", faulty), ("reference", set())]:
            with self.subTest(engine):
                result = run("fuzz", "--api", "torch.gather", "-e", engine, "--cases", "400", "-j", "1", "--save", self.path("found"),
                             "--report", f"jsonl={self.path('r.jsonl')}")
                self.assertEqual(result.returncode, 1 if expected else 0, result.stdout + result.stderr)
                _, *records, _ = stream(self.path("r.jsonl"))
                failed = [one for one in records if one["verdict"] == "mismatch"]
                self.assertEqual({(one["id"], one["verdict"]) for one in failed if "/fuzz/" in one["id"]}, expected)
                if not expected:
                    continue
                again = run(*shlex.split(failed[0]["reproduce"])[1:])  # the line that is printed
                self.assertEqual(again.returncode, 1, again.stdout + again.stderr)
                self.assertIn("/gradient", again.stdout)

    def test_of_cases_have_records_of_their_own(self):
        result = run("run", "torch.gather/*", "--gradients", "-e", "reference", "--report", f"jsonl={self.path('r.jsonl')}")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertTrue(any(name.endswith("/gradient") for name, _, _ in self.diagnoses()), self.diagnoses())

    def test_that_a_case_states_must_follow_from_the_spec(self):
        case = """api: torch.gather
cases:
  - id: gradient/stated
    why: one element is read twice
    call: {input: {dtype: f32, values: [1, 2]}, dim: 0, index: {dtype: i64, values: [1, 1]}}
    gradient: {cotangent: [3, 5], expect: {input: [0, STATED]}}
"""
        for stated, verdict, code in [("8", "pass", 0), ("5", "disputed", 1)]:
            with self.subTest(stated):
                file = self.write("stated.yaml", case.replace("STATED", stated))
                result = run("run", file, "--gradients", "-e", "reference", "--report", f"jsonl={self.path('r.jsonl')}")
                self.assertEqual(result.returncode, code, result.stdout + result.stderr)
                self.assertIn(("torch.gather/gradient/stated/gradient", verdict), {one[:2] for one in self.diagnoses()})

    def test_that_are_wrong_have_a_likely_cause(self):
        self.fuzz("--api", "torch.gather", "-e", self.engine("last"), "--cases", "60")
        _, *records, _ = stream(self.path("r.jsonl"))
        (failed,) = (one for one in records if one["verdict"] == "mismatch")
        self.assertEqual(failed["causes"], ["gradient_mistake/cells_not_added"])

    def test_that_are_wrong_are_asked_for_again(self):
        for way, varies in [("varies", True), ("last", False)]:
            with self.subTest(way):
                result = run("run", "torch.gather/gradient/*", "--gradients", "-e", self.engine(way))
                self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                self.assertEqual("another one when it is asked for" in " ".join(result.stdout.split()), varies, result.stdout)

    def test_are_proved_by_the_check_of_a_worker(self):
        good, bad = (run("engines", "check", self.engine(way)) for way in ["right", "echo"])
        self.assertIn("the gradient of echo is the cotangent", good.stdout)
        self.assertIn("the derivative of second order by the cotangent of echo is the tangent of its value", good.stdout)
        self.assertEqual(bad.returncode, 1, bad.stdout)
        self.assertIn("the gradient of scatterproof.echo: ", bad.stdout)


if __name__ == "__main__":
    unittest.main()
