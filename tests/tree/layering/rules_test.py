# SPDX-License-Identifier: Apache-2.0
"""From a clause to its check: the comments `Rule ID of: API, ...` in the reference against the spec files."""
import os
import pathlib
import re
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["SOURCE"], "tests", "support"))
from tables import specs

ROOT = pathlib.Path(os.environ["SOURCE"]).resolve()


def rules():
    """Every rule of every spec that lowers to a kernel: (api, id) -> the kinds it asks of native engines."""
    found = {}
    for path in sorted((ROOT / "spec/data/ops").rglob("*.yaml")):
        for spec in specs(path.read_text()):
            if "kernel" in spec:
                for rule in spec.get("rules", []):
                    promises = rule["broken"] if isinstance(rule["broken"], list) else [rule["broken"]]
                    found[spec["api"], rule["id"]] = {one["native"] for one in promises if "native" in one}
    return found


def named():
    """From the comments: (api, id) -> the refusal kinds of the check below the comment."""
    found = {}
    for path in sorted((ROOT / "engines/reference").glob("*.?pp")):
        waiting, at = [], None
        for line in path.read_text().splitlines():
            comment = re.match(r"\s*// (.*)", line)
            if comment and (rule := re.match(r"Rule (\S+) of: (.*)", comment[1])):
                at = rule[1]
                waiting += [(api, at) for api in re.findall(r"[^\s,]+", rule[2])]
            elif comment and at:
                waiting += [(api, at) for api in re.findall(r"[^\s,]+", comment[1])]
            else:
                at = None
            if refusal := re.search(r'refuse\("(\w+)"', line):
                for pair in waiting:
                    found.setdefault(pair, set()).add(refusal[1])
                waiting = []
        for pair in waiting:
            found.setdefault(pair, set())
    return found


class Rules(unittest.TestCase):
    def test_every_rule_named_exists(self):
        known = rules()
        self.assertEqual([" ".join(pair) for pair in sorted(named()) if pair not in known], [])

    def test_every_native_refusal_names_its_check(self):
        checks = named()
        asked = {pair: kinds for pair, kinds in rules().items() if kinds}
        self.assertGreater(len(asked), 10)
        self.assertEqual([" ".join(pair) for pair in sorted(asked) if pair not in checks], [])

    def test_checks_refuse_with_the_promised_kind(self):
        asked = rules()
        wrong = [f"{' '.join(pair)}: the check refuses with {sorted(kinds)}, the spec asks for {sorted(asked[pair])}"
                 for pair, kinds in sorted(named().items()) if asked.get(pair) and kinds != asked[pair]]
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    sys.exit(unittest.main())
