# SPDX-License-Identifier: Apache-2.0
"""The summaries in docs/results have the tables that results.py makes from the facts that are kept."""

import json
import os
import re
import unittest

import results


class Results(unittest.TestCase):
    def test_the_tables_are_those_of_the_facts(self):
        for where, wanted in results.pages().items():
            self.assertEqual(results.text_of(*where), wanted, "/usr/bin/python3 tests/tree/results/results.py --write writes the tables")

    def test_a_changed_fact_changes_the_table(self):
        facts = results.seen()
        before = results.by_family(facts), results.by_engine(facts)
        of = facts["families"][0]
        of["differences"].pop()
        name, row = next((name, row) for name, row in of["rows"].items() if set(row) == {"="})
        of["rows"][name] = ["R", *row[1:]]
        self.assertNotEqual(results.by_family(facts), before[0])
        self.assertNotEqual(results.by_engine(facts), before[1])
        status = results.status_of()
        self.assertNotEqual(results.status(re.sub(r"\| 0 % \|", "| 1 % |", status, count=1)), results.status(status))

    def test_each_cell_is_explained(self):
        """Every row has a cell for each member, of letters that have a name."""
        facts = results.seen()
        self.assertGreater(len(facts["families"]), 10)
        for one in facts["families"]:
            for name, row in one["rows"].items():
                self.assertEqual(len(row), len(one["members"]), (one["family"], name))
                self.assertLessEqual(set("".join(row)) - {"~"}, set(one["letters"]), (one["family"], name))

    def test_every_family_is_there(self):
        families = {os.path.splitext(name)[0] for name in os.listdir(os.path.join(results.SOURCE, "spec", "data", "comparisons", "meanings"))}
        self.assertEqual({one["family"] for one in results.seen()["families"]}, families)

    def test_facts_are_kept_of_what_compare_writes(self):
        does = [{"letter": "w", "name": "counts-from-end", "repeated": True}, {"letter": "R", "name": "refuses", "repeated": False}]
        facts = results.facts_of({"seed": 3, "families": [{
            "family": "f", "inputs": 7, "members": [{"api": "a.b", "engine": "a@1"}, {"api": "c.d", "engine": "c@2"}],
            "cells": [{"class": "index/negative", "member": 0, "does": does}, {"class": "index/negative", "member": 1, "does": does[1:]}],
            "differences": [{"name": "index/negative: counts-from-end | refuses", "kind": results.KINDS[0], "portable": ["add the size"]}]}]})
        self.assertEqual(facts["families"], json.loads("""[{"family": "f", "inputs": 7,
            "letters": {"R": "refuses", "w": "counts-from-end"}, "members": [["a.b", "a@1"], ["c.d", "c@2"]],
            "rows": {"index/negative": ["wR~", "R~"]},
            "differences": [["index/negative: counts-from-end | refuses", "documented difference", true]]}]"""))


if __name__ == "__main__":
    unittest.main()
