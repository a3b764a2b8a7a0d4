# SPDX-License-Identifier: Apache-2.0
"""One word, one meaning: docs/understand/terms.md compared with the names of the product's types.

Types at namespace scope are found by their indentation, which clang-format guarantees: they start in the
first column.
"""
import os
import pathlib
import re
import unittest

ROOT = pathlib.Path(os.environ["SOURCE"]).resolve()
TOPS = ("spec", "engines", "reports", "runner")

# Terms of docs/understand/terms.md that are types: each is defined in exactly one place.
TYPES = {
    "spec": "OpSpec",
    "clause": "Clause",
    "anchor": "Anchor",
    "rule": "Rule",
    "promise": "Promise",
    "meaning": "Meaning",
    "formula": "Formula",
    "latitude": "Latitude",
    "doubt": "Doubt",
    "family": "Family",
    "role": "Role",
    "relation": "Relation",
    "argument": "Argument",
    "call": "Call",
    "case": "Case",
    "engine": "Engine",
    "call request": "CallRequest",
    "walk": "Walk",
    "outcome": "Outcome",
    "bag": "Bag",
    "contribution": "Contribution",
    "combiner": "Combiner",
    "expectation": "Expectation",
    "verdict": "Verdict",
    "comparison mode": "ComparisonMode",
    "reason": "Reason",
    "baseline": "Baseline",
    "record": "Record",
    "call form": "CallForm",
    "mutant": "Mutant",
    "benchmark row": "BenchmarkRow",
    "skew": "Skew",
}

# Engines never include each other: the header of one may use a name of another's.
GUESTS = ("engines/support/client", "engines/faulty", "engines/openmp", "engines/plugin", "engines/reference", "engines/thrust")

# Names that two headers may define, and why.
SHARED = {
    "ExpressionPtr": "spec:: and spec::language:: name the same type",
    "Node": "yaml::Node and language::Node: a node of either tree, always written with its namespace",
    "Block": "reports/console folds rows into blocks; engines/openmp and engines/plugin know blocks of memory",
    "Cells": "reports/console's cells are a table's; engines/openmp's and engines/reference's are a result's",
    "Refusal": "engines/reference shares no code with engines/support/native, on purpose",
    "Cell": "the judge's, and what engines/faulty spoils: two private headers that no source includes together",
    "Coords": "engines/reference keeps a position without an allocation",
    "Limits": "engines/openmp's and runner/shrink's: two private headers that no source includes together",
    "Tally": "reports/console's and runner/fuzz's: two private headers that no source includes together",
    "System": "Thrust's CPU and CUDA systems are alternatives: a build of a source sees one of them",
}

DEFINITION = re.compile(
    r"^(?:template <[^;{]*>\s*)?(?:struct|class|enum class|enum)\s+(?:\[\[\w+\]\]\s+)?(?:alignas\(\w+\)\s+)?(\w+)[^;<(]*\{"
    r"|^using (\w+) =", re.MULTILINE)
UNNAMED = re.compile(r"^namespace \{\n.*?^\}  // namespace$", re.MULTILINE | re.DOTALL)


def sources(*suffixes):
    for top in TOPS:
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in suffixes and "scaffolds" not in path.parts:
                yield path.relative_to(ROOT)


def component_of(path):
    return "/".join(path.parts[:1 if path.parts[0] == "reports" else 3 if path.parts[:2] == ("engines", "support") else 2])


def defined_in(text):
    return {struct or alias for struct, alias in DEFINITION.findall(text)}


def header_types():
    """Every type that a header defines at namespace scope, with these headers."""
    types = {}
    for path in sources(".hpp", ".h"):
        for name in defined_in((ROOT / path).read_text()):
            types.setdefault(name, []).append(path)
    return types


def private_types():
    """The types in the unnamed namespaces of the sources."""
    for path in sources(".cpp", ".cu"):
        for block in UNNAMED.findall((ROOT / path).read_text()):
            for name in sorted(defined_in(block)):
                yield path, name


def terms():
    """The words in the first column of docs/understand/terms.md, in the singular and without their marks."""
    words = set()
    for line in (ROOT / "docs" / "understand" / "terms.md").read_text().splitlines():
        if line.startswith("| ") and not line.startswith(("| term ", "|---")):
            for word in re.split(r"[,()]", line.split("|")[1]):
                words.add(word.replace("*", "").replace("`", "").strip())
    return words


class Terms(unittest.TestCase):
    def setUp(self):
        self.types = header_types()

    def test_types_were_found(self):
        self.assertGreater(len(self.types), 200)

    def test_a_name_means_one_type(self):
        for name, headers in sorted(self.types.items()):
            guests = {component_of(path) for path in headers}
            if len(headers) == 1 or name in SHARED or (len(guests) == len(headers) and guests <= set(GUESTS)):
                continue
            with self.subTest(name=name):
                self.fail(f"{name} is defined in {', '.join(map(str, headers))}: rename all but one")

    def test_shared_names_are_still_shared(self):
        for name in SHARED:
            with self.subTest(name=name):
                self.assertGreater(len(self.types.get(name, [])), 1, "remove it from SHARED")

    def test_a_term_is_one_type(self):
        for term, name in TYPES.items():
            with self.subTest(term=term):
                self.assertIn(term, terms(), "docs/understand/terms.md does not define it")
                self.assertEqual(len(self.types.get(name, [])), 1, f"{name}: {self.types.get(name, [])}")

    def test_private_types_take_no_name_that_has_a_meaning(self):
        of_terms = set(TYPES.values())
        for path, name in private_types():
            taken = [other for other in self.types.get(name, []) if component_of(other) == component_of(path)]
            with self.subTest(path=str(path), name=name):
                self.assertFalse(taken, f"a type of {taken}")
                self.assertFalse(name in of_terms, "docs/understand/terms.md gives the word a meaning")


class Errors(unittest.TestCase):
    def test_errors_name_their_fields(self):
        """`{"", {}, what, "", ""}` says nothing to its reader, and `{.what = what}` does."""
        nothing = r'(?:""|\{\})'
        start = re.compile(rf'\bError\{{\s*(?![\s.}}])[^{{}}]*,|\{{"",\s*\{{\}}|return \{{[^;]*,\s*{nothing},\s*{nothing}\}};'
                           rf'|(?:errors\w*|problems_)\.push_back\(\s*\{{(?!\s*\.)[^;]*,\s*{nothing}\}}\);')
        for path in sources(".cpp", ".hpp"):
            text = (ROOT / path).read_text()
            for found in start.finditer(text):
                with self.subTest(place=f"{path}:{text.count(chr(10), 0, found.start()) + 1}"):
                    self.fail(f"{found.group()!r}: write the fields' names, as in Error{{.file = f, .what = w}}")


if __name__ == "__main__":
    unittest.main()
