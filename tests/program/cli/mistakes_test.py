# SPDX-License-Identifier: Apache-2.0
"""Messages about mistakes on the command line: one style, a suggestion if a name is similar, exit code 4."""

import os
import unittest

import small_data
from fixture import Fixture
from program import SOURCE, run, stream

small_data.use("torch/torch.gather", "onnx/onnx.ScatterElements", "numpy/numpy.ndarray.__getitem__.selection")


class Mistakes(Fixture):
    def assert_usage(self, result, *words):
        self.assertEqual(result.returncode, 4, result.stdout + result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def test_a_misspelt_option_has_a_suggestion(self):
        self.assert_usage(run("run", "--egnine", "reference"), "error: unknown option '--egnine'", "did you mean '--engine'?")
        self.assert_usage(run("run", "--egnine=reference"), "error: unknown option '--egnine'", "did you mean '--engine'?")
        self.assert_usage(run("engines", "new", "--lagn", "c", "x"), "unknown option '--lagn'", "did you mean '--lang'?")
        self.assert_usage(run("list", "--qqqqqqqq"), "unknown option '--qqqqqqqq'", "`scatterproof list --help`")

    def test_a_misspelt_verb_has_a_suggestion(self):
        self.assert_usage(run("runn"), "unknown command 'runn'", "did you mean 'run'?")
        self.assert_usage(run("engines", "lst"), "unknown command 'lst'", "did you mean 'list'?")
        self.assert_usage(run("fly"), "unknown command 'fly'", "use one of run, fuzz")
        self.assert_usage(run("help", "fuz"), "no help on 'fuz'", "did you mean 'fuzz'?")
        self.assert_usage(run("man", "fuz"), "unknown verb 'fuz'", "did you mean 'fuzz'?")

    def test_something_is_missing(self):
        self.assert_usage(run(), "a command is missing", "use one of run, fuzz")
        self.assert_usage(run("show"), "case is missing", "usage: scatterproof show [OPTIONS] CASE")
        self.assert_usage(run("run", "--engine"), "--engine needs a value")
        self.assert_usage(run("completion", "bash", "more"), "unexpected argument 'more'")

    def test_invalid_values(self):
        for flags, words in ((("-j", "0"), "invalid number '0' for --jobs: use a whole number from 1 to 1024"),
                             (("--seed", "-1"), "invalid number '-1' for --seed: use a whole number from 0 to 18446744073709551615"),
                             (("--seed", "x"), "invalid number 'x' for --seed"),
                             (("--timeout", "0"), "invalid duration '0' for --timeout: use a time from 1ms to 24h"),
                             (("--timeout", "soon"), "invalid duration 'soon' for --timeout: use a number and a unit, such as 60s, 5m or 1h"),
                             (("--timeout", "3 days"), "invalid duration '3 days' for --timeout"),
                             (("--color", "allways"), "invalid value 'allways' for --color: use one of auto, always, never\n"
                                                      "  hint: did you mean 'always'?")):
            with self.subTest(flags):
                result = run("run", "torch.gather/doc/*", "--engine", "reference", *flags)
                self.assert_usage(result, f"error: {words}")
                self.assertLess(len(result.stderr), 250)

    def test_an_opset_may_lie_between_two_that_changed_the_operator(self):
        case = ("api: onnx.ScatterElements\ncases:\n  - {id: a, why: b, call: {data: {dtype: f32, values: [5, 7, 6]}, reduction: add, "
                "indices: {dtype: i64, values: [2, 2]}, updates: {dtype: f32, values: [3, 4]}, opset: OPSET}, expect: EXPECT}\n")
        # Reductions exist since opset 16.
        for opset, expect in (("17", "{values: [5, 7, 13]}"), ("15", "undefined")):
            result = run("run", self.write("case.yaml", case.replace("OPSET", opset).replace("EXPECT", expect)), "-e", "reference")
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        for opset in ("10", "19", "newest"):
            self.assert_usage(run("run", self.write("case.yaml", case.replace("OPSET", opset).replace("EXPECT", "open")), "-e", "reference"),
                              f"error: invalid choice of 'opset' '{opset}'", "hint: use an integer from 11 to 18")

    def test_a_number_for_a_word(self):
        case = ("api: onnx.ScatterElements\ncases:\n  - {id: a, why: b, expect: undefined, call: {data: {dtype: f32, values: [1]}, "
                "indices: {dtype: i64, values: [0]}, updates: {dtype: f32, values: [2]}, reduction: 3}}\n")
        self.assert_usage(run("run", self.write("case.yaml", case), "-e", "reference"),
                          "error: 'reduction' must be a word, and is '3'",
                          "hint: use one of none, add, mul, max, min; the word in quotes, if it is meant: \"3\"")
        text = "onnx.ScatterElements(data=f32[1] [1.0], indices=i64[1] [0], updates=f32[1] [2.0], reduction=3)"
        self.assert_usage(run("run", text, "-e", "reference"), "'reduction' must be a word, and is '3'", "use one of none, add, mul, max, min")

    def test_durations_have_units(self):
        for time in ("10", "10s", "0.5m", "1h", "20000ms"):
            self.assertEqual(run("run", "torch.gather/doc/*", "-e", "reference", "--timeout", time).returncode, 0, time)

    def test_a_glob_that_matches_nothing_has_a_suggestion(self):
        for glob, near in (("torch.gahter/*", "torch.gather/*"), ("torhc.gather/doc/*", "torch.gather/doc/*"),
                           ("torch.gather/dco/*", "torch.gather/doc/*")):
            self.assert_usage(run("list", glob), f"'{glob}' is not a file and matches no case id", f"did you mean '{near}'?")
        self.assert_usage(run("fuzz", "--api", "torhc.*"), "no API matches 'torhc.*'", "did you mean 'torch.*'?")
        self.assert_usage(run("spec", "show", "torch.gahter"), "no API matches 'torch.gahter'", "did you mean 'torch.gather'?")
        self.assert_usage(run("list", "zzzzzzzzz/*"), "`scatterproof list` prints every id")
        for word, meant in (("torch.gahter", "'torch.gather'"), ("gather", "'torch.Tensor.gather' or 'torch.gather'")):
            self.assert_usage(run("run", word), f"'{word}' is not a file and matches no case id", f"did you mean {meant}?")
        self.assert_usage(run("run", "--api", "torch.gahter"), "no API matches 'torch.gahter'", "did you mean 'torch.gather'?")

    def test_an_id_twice(self):
        path = self.copy_of("cases", "torch", "torch.gather", "doc.yaml")
        self.assert_usage(run("list", path, os.path.join(SOURCE, "cases", "torch", "torch.gather")), "duplicate id")
        result = run("run", path, os.path.join(SOURCE, "cases", "torch", "torch.gather"), "-e", "reference")
        self.assert_usage(result, "duplicate id")
        self.assertIn("as expected", result.stdout)

    def test_two_reports_in_one_place(self):
        self.assert_usage(run("run", "torch.gather/doc/*", "-e", "reference", "--report", "console=-", "--report", "jsonl=-"), "two reports")

    def test_a_mislabelled_rule_case(self):
        path = self.write("lie.yaml", "api: torch.gather\ncases:\n  - rule: index-in-range\n    side: obeys\n    why: it does not\n"
                                      "    call: {input: {dtype: i64, values: [1]}, dim: 0, index: {dtype: i64, values: [5]}}\n")
        result = run("run", path, "--engine", "reference")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("says that it obeys rule index-in-range", " ".join(result.stdout.split()))

    def test_unknown_id_has_a_suggestion(self):
        self.assert_usage(run("run", "torch.gather/doc/exmaple-5"), "did you mean 'torch.gather/doc/")

    def test_pips_way_to_name_a_version(self):
        for args in (("run", "torch.gather/doc/*"), ("bench", "--quick")):
            self.assert_usage(run(*args, "--engine", "torch==2.13.0", env=small_data.EVERYTHING), "unknown engine 'torch==2.13.0'", "did you mean 'torch@2.13.0'?")

    def test_unknown_engine(self):
        self.assert_usage(run("run", "torch.gather/*", "--engine", "refernce"), "did you mean 'reference'")

    def test_unknown_report_and_unwritable_path(self):
        wrong = self.path("x")
        self.assert_usage(run("run", "torch.gather/doc/*", "--report", f"junti={wrong}"), "unknown report kind 'junti'", "did you mean 'junit'?")
        self.assert_usage(run("run", "torch.gather/doc/*", "--engine", "reference", "--report", f"pdf={wrong}"), "pdf", "junit")
        self.assertFalse(os.path.exists(wrong))
        self.assert_usage(run("run", "torch.gather/doc/*", "--engine", "reference", "--report", "junit=/no/such/folder/x"))

    def test_bad_shard_expression_and_timeout(self):
        self.assert_usage(run("list", "--shard", "9/8"), "I/N")
        self.assert_usage(run("list", "-k", "and and"), "-k")
        self.assertEqual(run("run", "--timeout", "-1").returncode, 4)

    def test_every_error_of_a_file_at_once_with_its_place(self):
        path = self.write("bad.yaml", "api: torch.gather\ncases:\n  - id: a\n    why: x\n    cal: {}\n  - id: b\n    why: 3\n")
        result = run("run", path)
        self.assert_usage(result, f"{path}:5:5: error: ", "did you mean 'call'", f"{path}:7:")
        self.assertEqual(result.stdout, "")

    def test_a_bad_case_of_a_file_of_ones_own_stops_no_other(self):
        good = "call: {input: {dtype: i64, values: [1]}, dim: 0, index: {dtype: i64, values: [0]}}"
        path = self.write("mine.yaml", f"api: torch.gather\ncases:\n  - {{id: a, why: x, {good}}}\n  - {{id: b, why: x, cal: {{}}}}\n"
                                       "  - {id: c, why: x, call: {input: {dtype: i64, values: [1.5]}, dim: 0}}\n"
                                       f"  - {{id: d, why: x, {good}}}\n")
        worse = self.write("worse.yaml", "api: [\n")
        result = run("run", path, worse, "--engine", "reference", "--report", f"jsonl={self.path('r.jsonl')}", "--report", "console=-")
        self.assert_usage(result, f"{path}:4:", f"{path}:5:", f"{worse}:")
        self.assertIn("Summary: as expected, 2 calls judged", result.stdout)
        *_, end = stream(self.path("r.jsonl"))
        self.assertEqual(end["exit_code"], 4)
        # Nothing runs if none is valid, or if an invalid one is named.
        for what in ((worse,), (path, "torch.gather/b")):
            result = run("run", *what, "--engine", "reference")
            self.assert_usage(result, "error:")
            self.assertEqual(result.stdout, "")

    def test_a_call_that_its_spec_does_not_know(self):
        path = self.write("bad.yaml", "api: torch.gather\ncases:\n  - id: a\n    why: x\n    call:\n      inputt: {dtype: i64, values: [1]}\n"
                                      "      dim: 0\n      index: {dtype: i64, values: [0]}\n")
        self.assert_usage(run("run", path), f"{path}:6:7: error: ", "did you mean 'input'")

    def test_values_of_a_selection_with_too_many_parts(self):
        path = self.write("bad.yaml", "api: numpy.ndarray.__getitem__.selection\ncases:\n  - id: a\n    why: x\n    expect: {values: [1]}\n"
                                      "    call: {a: {dtype: f32, values: [1, 2]}, key: '0, 1'}\n")
        self.assert_usage(run("run", path), f"{path}:5:22: error: ", "0, 1 selects nothing of sizes (2,): it takes more dimensions than there are",
                          "hint: the call breaks a-has-axes: ")

    def test_a_missing_file_has_a_suggestion(self):
        self.assert_usage(run("run", self.path("none.yaml")), f"error: no such file '{self.path('none.yaml')}'")
        mine = self.write("mine.yaml", "")
        for args in (("run", self.path("mnie.yaml")), ("run", "--baseline", self.path("mnie.yaml")), ("report", self.path("mnie.yaml"))):
            self.assert_usage(run(*args), f"no such file '{self.path('mnie.yaml')}'", f"did you mean '{mine}'?")

    def test_a_deviation_that_is_none(self):
        path = self.write("b.yaml", "baseline:\n  - {case: x, engine: y, verdict: pass, reason: z, since: 2026-01-01}\n")
        self.assert_usage(run("run", "--baseline", path, "--engine", "reference"), f"{path}:2:")

    def test_nothing_selected(self):
        self.assertEqual(run("run", "-k", "no_such_word", "--engine", "reference").returncode, 5)

    def test_engine_that_is_not_there(self):
        result = run("run", "torch.gather/doc/*", "--engine", "cmd:./no-such-worker")
        self.assertEqual(result.returncode, 7, result.stderr)
        self.assertIn("no-such-worker", result.stderr)


if __name__ == "__main__":
    unittest.main()
