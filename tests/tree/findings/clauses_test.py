# SPDX-License-Identifier: Apache-2.0
"""What findings quote stands on the pages, as the installed frameworks give them; and their files are well
formed."""

import collections
import glob
import json
import os
import re
import tempfile
import unittest

from environments import execute, python_of
from findings import HERE, WORKERS, Finding, all_findings, manifests, mistakes


def normalised(text):
    """Words and signs only, without markup, line breaks and typographic quotes."""
    text = re.sub(r":[a-z:]+:`~?([^`]*)`", r"\1", text)
    text = re.sub(r"[`*\\_]", "", text).translate(str.maketrans("“”‘’–", "\"\"''-"))
    return re.sub(r"\s+", "", text).lower()


def texts(names):
    """By name the text, of the pinned release of the framework whose package the name begins with. Frameworks
    on request that are not installed give none."""
    found = {}
    by_package = collections.defaultdict(list)
    for name in sorted(names):
        by_package[name.partition(".")[0]].append(name)
    of_package = {manifest["framework"]: name for name, manifest in manifests().items()}
    for package, wanted in by_package.items():
        engine = package if package in Finding.pinned else of_package[package]
        python = python_of(engine, Finding.pinned[engine])
        if python is None and engine in Finding.on_request:
            print(f"without the texts of {engine}, which is not installed", flush=True)
            continue
        with tempfile.TemporaryDirectory() as folder:
            ended = execute(python, [os.path.join(HERE, "texts.py"), WORKERS, *wanted], folder)
        found |= json.loads(ended.printed.strip().splitlines()[-1])
    return found


class Clauses(unittest.TestCase):
    def test_files_are_well_formed(self):
        paths = glob.glob(os.path.join(WORKERS, "*", "findings", "*"))
        self.assertGreater(len(paths), 100)
        for path in sorted(paths):
            with self.subTest(os.path.relpath(path, WORKERS)):
                self.assertEqual(mistakes(path), [])

    def test_quotations_stand_on_their_pages(self):
        quoted = [(one.id, clause) for one in all_findings() for clause in one.data["clauses"] if "text" in clause]
        given = texts({clause["text"] for _, clause in quoted})
        for number, clause in quoted:
            if clause["text"] not in given:
                continue
            page = given[clause["text"]]
            with self.subTest(f"{number}: {clause['text']}"):
                self.assertIsNotNone(page, "the framework gives no such text")
                place, page = 0, normalised(page)
                for part in map(normalised, clause["says"].split("[...]")):
                    place = page.find(part, place)
                    self.assertGreaterEqual(place, 0, f"not on the page: {clause['says']}")
                    place += len(part)


if __name__ == "__main__":
    unittest.main()
