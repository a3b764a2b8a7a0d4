# SPDX-License-Identifier: Apache-2.0
"""`diff` of two benchmarks: faster, slower, the same or undecided, with the p that scipy computes from the
same times."""

import json
import os
import random
import unittest

from scipy.stats import mannwhitneyu

from fixture import Fixture
from program import SOURCE, run

STEADY = [1 + 0.002 * i for i in range(10)]  # an interquartile range of 1 %
NOISY = [1, 3, 1.2, 2.5, 1.1, 4, 1.3, 2, 1.5, 3.5]


def scaled(factor, times):
    return [factor * one for one in times]


class TimingDiff(Fixture):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with open(os.path.join(SOURCE, "tests/unit/reports/timing/recorded.jsonl"), encoding="utf-8") as lines:
            cls.machine, cls.record = [json.loads(line) for line in lines][:2]

    def stream(self, name, times, machine=None, **fields):
        """A benchmark with a row for each list of times; None: the result is wrong."""
        lines = [self.machine | (machine or {})]
        for i, seconds in enumerate(times):
            row = {"row": f"B1/row{i}", "seconds": seconds or [], "verdict": "pass" if seconds else "mismatch"}
            lines.append(self.record | row | fields)
        return self.write(name, "".join(json.dumps(line) + "\n" for line in lines))

    def diff(self, before, after, *options, **fields):
        result = run("diff", self.stream("a.jsonl", before), self.stream("b.jsonl", after, **fields), "--json", self.path("d.json"), *options)
        with open(self.path("d.json"), encoding="utf-8") as source:
            return result, json.load(source)

    def test_what_is_slower_fails_and_is_told_from_noise(self):
        result, data = self.diff([STEADY, NOISY, STEADY, STEADY], [scaled(1.3, STEADY), scaled(1.3, NOISY), STEADY, scaled(0.7, STEADY)])
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual({row["row"]: row["change"] for row in data["rows"]},
                         {"B1/row0": "slower", "B1/row1": "undecided", "B1/row2": "same", "B1/row3": "faster"})
        self.assertIn("slower     B1/row0 on openmp, 1 thread, in place: 1.01 s -> 1.31 s, 1.30 times as long, p = 4.3e-05\n", result.stdout)
        self.assertTrue(result.stdout.endswith("Summary: 1 slower, 1 faster, 1 the same, 1 undecided, 0 wrong now\n"), result.stdout)
        self.assertNotIn("B1/row2", result.stdout)  # without -v
        self.assertIn("B1/row2", self.diff([STEADY] * 3, [STEADY] * 3, "-v")[0].stdout)

    def test_what_is_faster_or_undecided_does_not_fail(self):
        result, _ = self.diff([STEADY, NOISY], [scaled(0.7, STEADY), scaled(1.3, NOISY)])
        self.assertEqual(result.returncode, 0, result.stdout)

    def test_p_is_that_of_scipy(self):
        draw = random.Random(7)
        before = [[draw.lognormvariate(0, 0.2) for _ in range(n)] for n in (8, 12, 15, 40)]
        after = [[draw.lognormvariate(0.1, 0.2) for _ in range(n)] for n in (9, 11, 15, 45)]
        before.append([float(draw.randrange(1, 9)) for _ in range(50)])  # many are equal
        after.append([float(draw.randrange(2, 10)) for _ in range(40)])
        _, data = self.diff(before, after)
        rows = {row["row"]: row for row in data["rows"]}
        for i, (a, b) in enumerate(zip(before, after)):
            exact = len(a) + len(b) <= 60
            self.assertEqual(rows[f"B1/row{i}"]["exact"], exact)
            self.assertAlmostEqual(rows[f"B1/row{i}"]["p"], mannwhitneyu(b, a, method="exact" if exact else "asymptotic").pvalue, places=12)
        # Holm, by its definition.
        ordered = sorted(rows.values(), key=lambda row: row["p"])
        least = 0
        for rank, row in enumerate(ordered):
            least = max(least, min(1, (len(ordered) - rank) * row["p"]))
            self.assertAlmostEqual(row["p_holm"], least, places=12)

    def test_a_wrong_result_fails(self):
        result, data = self.diff([STEADY, STEADY], [STEADY, None])
        self.assertEqual(result.returncode, 1)
        self.assertIn("wrong      B1/row1 on openmp, 1 thread, in place: mismatch\n", result.stdout)
        self.assertEqual(data["counts"]["wrong"], 1)

    def test_too_few_repetitions_are_told(self):
        result, data = self.diff([STEADY[:5]] * 8, [scaled(2, STEADY[:5])] * 8)
        self.assertEqual((result.returncode, data["counts"]["undecided"]), (0, 8))
        self.assertIn("use bench --repetitions 6", result.stdout)  # 8 * 2 / 924 < 0.05

    def test_nothing_in_common_is_no_success(self):
        result, _ = self.diff([STEADY], [STEADY], engine="torch@2.13.0")
        self.assertEqual(result.returncode, 5, result.stdout)
        self.assertIn("not compared: 1 rows timed only in", result.stdout)

    def test_another_machine_is_told(self):
        before = self.stream("a.jsonl", [STEADY])
        result = run("diff", before, self.stream("b.jsonl", [STEADY], machine={"cpu": "another"}))
        self.assertIn("the machines differ, which alone may explain a difference", result.stdout)

    def test_two_versions_of_one_file(self):
        with open(self.stream("a.jsonl", [STEADY], engine="torch@2.12.0"), encoding="utf-8") as source:
            old = source.read()
        with open(self.stream("b.jsonl", [scaled(1.3, STEADY)], engine="torch@2.13.0"), encoding="utf-8") as source:
            both = self.write("both.jsonl", old + source.read().split("\n", 1)[1])
        result = run("diff", "torch@2.12.0", "torch@2.13.0", "--timings", both)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("slower     B1/row0 on torch@2.13.0", result.stdout)
        mixed = run("diff", both, both)
        self.assertEqual(mixed.returncode, 4)
        self.assertIn("--timings", mixed.stderr)
        typo = run("diff", "torch@2.12.0", "torch@2.13", "--timings", both)
        self.assertEqual(typo.returncode, 4)
        self.assertIn("did you mean 'torch@2.13.0'?", typo.stderr)

    def test_a_run_and_a_benchmark_cannot_be_compared(self):
        result = run("diff", self.stream("a.jsonl", [STEADY]), os.path.join(SOURCE, "tests/unit/reports/recorded.jsonl"))
        self.assertEqual(result.returncode, 4)
        self.assertIn("a.jsonl: error: this is a benchmark, and the other is none", result.stderr)


if __name__ == "__main__":
    unittest.main()
