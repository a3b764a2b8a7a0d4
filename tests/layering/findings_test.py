# SPDX-License-Identifier: Apache-2.0
"""docs/findings.md and the baselines name the same findings, the worst first; the README has the figures of that page and of
docs/status.md."""

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


SILENT = ["crash", "no end", "memory of others", "wrong result"]


def in_figures(rows, status):
    """The README's table: APIs and cases of each framework's documents, and what was found in each."""
    held = {name: (apis, cases) for name, apis, cases in re.findall(r"(?m)^\| (\w+) \| (\d+) \| (\d+) \|$", status)}
    found = {name for *_, release in rows for name in engines_of(release)}
    names = [*sorted(found | held.keys() - {"all"}), "all"]

    def findings(severities, name):
        return str(sum(severity in severities and name in [*engines_of(release), "all"] for _, severity, release in rows))

    table = [["", *names], ["---"] * (len(names) + 1),
             ["APIs with a spec", *(held.get(name, "-")[0] for name in names)],
             ["cases", *(held.get(name, "--")[1] for name in names)],
             ["findings", *(findings(SEVERITIES, name) for name in names)],
             ["of them crashes, endless loops, memory of others or silent wrong results", *(findings(SILENT, name) for name in names)]]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in table)


class Findings(unittest.TestCase):
    page = text_of("docs", "findings.md")
    entries = re.findall(r"(?m)^\| (F\d+) \| ([^|]+) \| ([^|]+) \|", page)
    rows = [(each, severity) for each, severity, _ in entries]
    ids = [each for each, _ in rows]

    def assert_table(self, path, head, table):
        """That the page has this table where one with this head stands; SCATTERPROOF_APPROVE=1 writes it there."""
        page = text_of(*path)
        printed = re.search(rf"(?m)^{re.escape(head)}.*\n(?:\|.*\n)*", page)
        wanted = page[:printed.start()] + table + page[printed.end():]
        if os.environ.get("SCATTERPROOF_APPROVE"):
            with open(os.path.join(SOURCE, *path), "w", encoding="utf-8") as file:
                file.write(wanted)
        else:
            self.assertEqual(page, wanted, "SCATTERPROOF_APPROVE=1 writes the table")

    def test_the_figures_are_those_of_the_rows(self):
        self.assert_table(("docs", "findings.md"), "| severity |", figures(self.entries))

    def test_the_readme_has_the_figures(self):
        self.assert_table(("README.md",), "|  | jax |", in_figures(self.entries, text_of("docs", "status.md")))

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
