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


def engines_of(release):
    """The frameworks that a row is about: `onnxruntime 1.31.1 (GatherND), onnx 1.23.2 (Gather)` names two."""
    return re.findall(r"(?:^|, )([a-z][a-z0-9]*) \d", release)


def figures(rows):
    """How many findings of each severity each framework has; one of two frameworks counts for both, and once in all."""
    names = sorted({name for *_, release in rows for name in engines_of(release)})
    table = [["severity", *names, "all"], ["---"] * (len(names) + 2)]
    for label, among in [*((one, [one]) for one in SEVERITIES), ("all", SEVERITIES)]:
        chosen = [release for _, severity, release in rows if severity in among]
        table.append([label, *(str(sum(name in engines_of(release) for release in chosen)) for name in names), str(len(chosen))])
    return "".join(f"| {' | '.join(cells)} |\n" for cells in table)


class Findings(unittest.TestCase):
    page = text_of("docs", "findings.md")
    entries = re.findall(r"(?m)^\| (F\d+) \| ([^|]+) \| ([^|]+) \|", page)
    rows = [(each, severity) for each, severity, _ in entries]
    ids = [each for each, _ in rows]

    def test_the_figures_are_those_of_the_rows(self):
        printed = re.search(r"(?m)^\| severity \|.*\n(?:\|.*\n)*", self.page)
        page = self.page[:printed.start()] + figures(self.entries) + self.page[printed.end():]
        if os.environ.get("SCATTERPROOF_APPROVE"):
            with open(os.path.join(SOURCE, "docs", "findings.md"), "w", encoding="utf-8") as file:
                file.write(page)
        else:
            self.assertEqual(self.page, page, "SCATTERPROOF_APPROVE=1 writes the table")

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
