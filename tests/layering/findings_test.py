# SPDX-License-Identifier: Apache-2.0
"""docs/findings.md and the baselines name the same findings, the worst first."""

import glob
import os
import re
import unittest

SOURCE = os.environ["SOURCE"]
SEVERITIES = ["crash", "no end", "memory of others", "wrong result", "writes an argument", "accepts", "refuses", "message"]


def text_of(*path):
    with open(os.path.join(SOURCE, *path), encoding="utf-8") as file:
        return file.read()


class Findings(unittest.TestCase):
    page = text_of("docs", "findings.md")
    rows = re.findall(r"(?m)^\| (F\d+) \| ([^|]+) \|", page)
    ids = [each for each, _ in rows]

    def test_each_has_a_number_of_its_own_and_a_severity(self):
        self.assertEqual(len(set(self.ids)), len(self.ids))
        places = [SEVERITIES.index(severity) for _, severity in self.rows]
        self.assertEqual(places, sorted(places))
        for severity in SEVERITIES:
            self.assertIn(f"- **{severity}**", self.page)

    def test_baselines_rest_on_findings(self):
        excused = set()
        for path in glob.glob(os.path.join(SOURCE, "engines", "workers", "*", "baseline.yaml")):
            named = set(re.findall(r"\bF\d+\b", text_of(os.path.relpath(path, SOURCE))))
            self.assertEqual(named - set(self.ids), set(), path)
            excused |= named
        without = set(re.findall(r"F\d+", re.search(r"No baseline has\s+(.*?)[.:]\s", self.page, re.S)[1]))
        self.assertEqual(set(self.ids) - excused, without)


unittest.main()
