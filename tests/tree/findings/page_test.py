# SPDX-License-Identifier: Apache-2.0
"""docs/results/findings.md and README.md have the tables that page.py makes, and baselines rest on findings
that exist."""

import glob
import os
import re
import unittest

import page
from findings import SEVERITIES, WORKERS, Finding, all_findings


class Page(unittest.TestCase):
    findings = all_findings()

    def test_the_tables_are_those_of_the_findings(self):
        for where, wanted in page.pages().items():
            self.assertEqual(page.text_of(*where), wanted, "tests/tree/findings/page.py --write writes the tables")

    def test_each_has_a_number_of_its_own(self):
        ids = [one.id for one in self.findings]
        self.assertEqual(len(set(ids)), len(ids))
        withdrawn = re.search(r"(?ms)^## Withdrawn\n(.*?)^## ", page.text_of("docs", "results", "findings.md"))[1]
        without_reasons = re.sub(r"\((F\d+)\)", "", withdrawn)
        self.assertFalse(set(re.findall(r"F\d+", without_reasons)) & set(ids), "withdrawn, and in a file")

    def test_severities_are_explained(self):
        for severity in SEVERITIES:
            self.assertIn(f"- **{severity}**", page.text_of("docs", "results", "findings.md"))

    def test_baselines_rest_on_findings(self):
        ids = {one.id for one in self.findings}
        for path in glob.glob(os.path.join(WORKERS, "*", "baseline.yaml")):
            named = set(re.findall(r"\bF\d+\b", page.text_of(os.path.relpath(path, page.SOURCE))))
            self.assertEqual(named - ids, set(), path)

    def test_the_engines_of_findings_exist(self):
        for one in self.findings:
            for engine in one.engines:
                self.assertIn(engine, Finding.pinned, one.id)


if __name__ == "__main__":
    unittest.main()
