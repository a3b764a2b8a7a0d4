# SPDX-License-Identifier: Apache-2.0
"""Each long test is executed once in a round of days, another share of it in each round, and all days have
as much to do."""

import os
import re
import tempfile
import unittest

import costs
import in_turn
import plan

MADE_UP = {"long": set(), "longer": {"memory"}, "raced": {"memory", "threads"}, "short": {"memory"}, "unknown": {"threads"},
           **{f"part{number}": {"memory"} if number % 2 else {"threads"} for number in range(40)}}
SECONDS = {"long": 700, "longer": 900, "raced": 100, "short": plan.LONG - 1, **{f"part{number}": 60 + number for number in range(40)}}


class Plan(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tests = plan.labels_of(os.environ["BUILD"])

    def executed(self, tests, seconds):
        """How often a round executes each test without a sanitizer."""
        count = dict.fromkeys(tests, 0)
        for day in range(100, 100 + plan.TURNS):
            waiting, sanitized = plan.left_out(tests, seconds, day)
            for name in tests.keys() - set(sanitized) - {name for names in waiting.values() for name in names}:
                count[name] += 1
        return count

    def test_each_long_test_is_executed_once_in_a_round(self):
        for tests, seconds in ((MADE_UP, SECONDS), (self.tests, plan.costs())):
            for name, times in self.executed(tests, seconds).items():
                with self.subTest(name=name):
                    labelled = sum(extra[2] in tests[name] for extra in plan.EXTRAS.values())
                    self.assertEqual(times, 1 if seconds.get(name, 0) >= plan.LONG else plan.TURNS - labelled)

    def test_no_day_executes_a_test_with_its_sanitizer_and_without(self):
        for name, turn in plan.turns_of(MADE_UP, SECONDS).items():
            self.assertNotIn(plan.EXTRAS.get(turn, ("", 0, None))[2], MADE_UP[name], (name, turn))

    def test_what_waits_is_executed_on_the_day_that_is_named(self):
        for day in range(100, 100 + plan.TURNS):
            for later, names in plan.left_out(self.tests, plan.costs(), day)[0].items():
                waiting = plan.left_out(self.tests, plan.costs(), later)[0]
                self.assertFalse(set(names) & {name for of in waiting.values() for name in of}, (day, later))

    def test_days_have_about_as_much_to_do(self):
        turns = plan.turns_of(MADE_UP, SECONDS)
        loads = [plan.EXTRAS.get(turn, ("", 0))[1] + sum(SECONDS[name] for name, of in turns.items() if of == turn)
                 for turn in range(plan.TURNS)]
        self.assertLess(max(loads) - min(loads), 120, loads)

    def test_costs_are_those_of_tests(self):
        self.assertEqual(sorted(plan.costs().keys() - self.tests.keys()), [], "costs.py --write BUILD, or remove them by hand")

    def test_times_are_those_of_tests_that_passed(self):
        with tempfile.TemporaryDirectory() as build:
            os.makedirs(os.path.join(build, "Testing", "Temporary"))
            with open(os.path.join(build, "Testing", "Temporary", "CTestCostData.txt"), "w", encoding="utf-8") as file:
                file.write("quick 2 0.4\nslow 1 12.6\nplanned 0 300\n---\nfailed\n")
            self.assertEqual(costs.measured(build), {"quick": 0, "slow": 13})

    def test_the_page_has_the_table(self):
        with open(costs.PAGE, encoding="utf-8") as file:
            page = file.read()
        self.assertIn("<!-- slowest -->", page)
        self.assertEqual(costs.with_table(page, costs.table(plan.costs())), page, "costs.py --write BUILD writes it")


class Shares(unittest.TestCase):
    def test_each_turn_meets_each_share(self):
        """In as many rounds as there are shares; so does a test that is executed each day."""
        for shares in range(1, 20):
            for turn in range(in_turn.TURNS):
                days = range(turn, in_turn.TURNS * shares, in_turn.TURNS)
                self.assertEqual({in_turn.share_of(day, shares) for day in days}, set(range(shares)), (turn, shares))

    def test_both_languages_count_in_the_same_way(self):
        with open(os.path.join(os.environ["SOURCE"], "tests", "support", "in_turn.hpp"), encoding="utf-8") as file:
            found = re.search(r"days_of_a_round = (\d+);", file.read())
        self.assertEqual(int(found[1]), in_turn.TURNS)


if __name__ == "__main__":
    unittest.main()
