# SPDX-License-Identifier: Apache-2.0
"""Specs against the documents of the installed frameworks, and against changed copies of both."""

import glob
import os
import re
import shutil
import sys
import unittest

from fixture import Fixture
from in_turn import is_in_turn
from program import SOURCE, run

SKIPPED = 77


def on_request():
    """Engines that ./dev does not install."""
    for path in glob.glob(os.path.join(SOURCE, "engines", "workers", "*", "engine.yaml")):
        with open(path, encoding="utf-8") as manifest:
            if re.search(r"(?m)^on_request: true", manifest.read()):
                yield os.path.basename(os.path.dirname(path))


class Documents(Fixture):
    def specs_with(self, path, old, new):
        """A copy of all specs in which one file is changed."""
        folder = self.path("ops")
        shutil.copytree(os.path.join(SOURCE, "spec", "data", "ops"), folder)
        self.change(os.path.join(folder, path), old, new)
        return folder

    def test_every_clause_of_the_installed_releases_is_spoken_for(self):
        self.assertEqual(ALL.returncode, 0, ALL.stdout + ALL.stderr)
        for name in ("numpy.take_along_axis", "onnx.ScatterND", "torch.gather"):
            self.assertRegex(ALL.stdout, rf"(?m)^{re.escape(name)} .* 0 uncovered$")
        self.assertRegex(ALL.stdout, r"(?m)^numpy\.basics\.indexing +not available: --document ")

    def test_the_status_is_that_of_today(self):
        with open(os.path.join(SOURCE, "tests", "tree", "results", "expected", "status.md"), encoding="utf-8") as status:
            page = status.read()
        # Trying the compiled forms takes minutes: each day tests a twelfth of the APIs, neighbours, so that
        # the forms of few frameworks start, and then no totals.
        installed = re.findall(r"(?m)^(\w+@\S+) .*\n  version ", run("engines", "list", "*").stdout)
        engines = {name.split("@")[0] for name in installed}
        apis = [api for api, engine in re.findall(r"(?m)^\| (\w+\.[\w.]+) \|[^|]*\|(?: \S+ of (\w+)@)?", page)
                if not engine or engine in engines]
        today = [api for number, api in enumerate(apis) if is_in_turn(number * 12 // len(apis), 12)]
        now = run("spec", "documents", "--status", *today).stdout
        # Older releases are installed only on some machines: only releases on both sides are compared. The
        # newest must be on both.
        newest = {name.split("@")[0]: name for name in reversed(installed)}.values()
        compared = (set(re.findall(r"\w+@[\w.]+", page)) & set(installed)) | set(newest)

        def rows(text):
            for line in text.splitlines():
                *cells, executors, end = line.split("|") if line.startswith("| ") else (line, "", "")
                if today != apis and line.startswith("| ") and cells[1].strip() not in (*today, "API"):
                    continue
                names = [one.strip() for one in executors.split(",")]
                yield cells, [one for one in names if one in compared or one.split(":")[0] in {*engines, "native"}], end

        self.assertGreater(len(today), 15)
        self.assertEqual(list(rows(page)), list(rows(now)), "run `scatterproof spec documents --status` into that file, then tests/tree/results/results.py --write")

    def test_a_sentence_deleted_from_a_copy_of_a_docstring(self):
        # The text of a framework, from the clauses that are printed.
        shown = run("spec", "documents", "numpy.add.at").stdout
        sentences = re.findall(r"^ +\d+ (.*)$", shown, re.MULTILINE)
        gone = next(one for one in sentences if one.startswith("Operand must be"))
        page = self.write("at.txt", "\n\n".join(one for one in sentences if one != gone))
        result = run("spec", "documents", "numpy.add.at", "--document", f"numpy.ufunc.at={page}")
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"numpy\.ufunc\.at\.yaml:\d+:\d+: error: numpy\.add\.at: rule b-broadcast rests on a clause "
                                        r"that is gone from .*at\.txt: '\d+ Operand must be#")

    def test_an_anchor_deleted_from_a_copy_of_a_spec(self):
        with open(os.path.join(SOURCE, "spec", "data", "ops", "numpy", "numpy.ufunc.at.yaml"), encoding="utf-8") as spec:
            text = spec.read()
        (anchors,) = re.findall(r", clause: \[\"\d+ Operand must be#\w+\"\]", text)
        folder = self.specs_with("numpy/numpy.ufunc.at.yaml", anchors, "")
        for sibling in ("selection", "logical", "integers", "once"):
            self.change(os.path.join(folder, "numpy", f"numpy.ufunc.at.{sibling}.yaml"), anchors, "")
        result = run("spec", "documents", "numpy.add.at", "--specs", folder)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"numpy@[\d.]+/numpy\.ufunc\.at:\d+:1: error: nothing speaks for this clause \(Parameters\): "
                                        r"Operand must be")
        self.assertRegex(result.stderr, r"hint: .*\"\d+ Operand must be#[0-9a-f]{8}\"")

    def test_of_a_page_only_what_something_rests_on_counts(self):
        folder = self.specs_with("numpy/numpy.ufunc.at.yaml", "text: numpy.ufunc.at", "page: numpy.ufunc.at")
        text = self.write("at.txt", "Operand must be broadcastable over first operand after indexing or slicing. It is another call's.")

        def about(*flags):
            return run("spec", "documents", "numpy.add.at", "--document", f"numpy.ufunc.at={text}", *flags)

        self.assertIn("nothing speaks for this clause (): It is another call's.", about().stderr)
        page = about("--specs", folder)
        self.assertRegex(page.stdout, r"numpy\.ufunc\.at +1 clauses of .*: 1 covered, 0 omitted, 0 uncovered")
        self.assertNotIn("nothing speaks", page.stderr)
        self.assertIn("that is gone from", page.stderr)

    def test_what_changed_from_one_text_to_another(self):
        before = self.write("before.txt", "Operand must be broadcastable over first operand after indexing or slicing. It is old.")
        after = self.write("after.txt", "It is new.")
        result = run("spec", "documents", "--from", f"numpy.ufunc.at={before}", "--to", f"numpy.ufunc.at={after}")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stdout, r"-   1 Operand must be .*\n +numpy\.add\.at: rule b-broadcast(; numpy\.\w+\.at(\.selection)?: rule b-broadcast)*\n"
                                        r"  -   2 It is old\.\n  \+   1 It is new\.\n")
        same = run("spec", "documents", "numpy.*", "--from", "numpy", "--to", "numpy")
        self.assertEqual(same.returncode, 0, same.stdout)
        self.assertEqual(run("spec", "documents", "--from", "numpy").returncode, 4)

    def test_a_framework_that_is_there_must_give_its_texts(self):
        folder = self.specs_with("numpy/numpy.ufunc.at.yaml", "text: numpy.ufunc.at", "text: numpy.ufunc.on")
        result = run("spec", "documents", "numpy.add.at", "--specs", folder)
        self.assertEqual(result.returncode, 1)
        self.assertIn("error: the text of 'numpy.ufunc.on' is missing: numpy has no document numpy.ufunc.on", result.stderr)

    def test_no_text_is_available(self):
        result = run("spec", "documents", "torch.scatter_reduce.v1_11")
        self.assertEqual(result.returncode, 5)
        self.assertIn("not available", result.stdout)

    def test_mistakes(self):
        for flags, words in ((("--document", "torch.gather"), "use NAME=FILE"),
                             (("--document", "torch.gathr=x"), "did you mean 'torch.gather'?"),
                             (("--document", "=/etc/hostname"), "it is `text:`, `seed:` or `page:` of a document"),
                             (("--document", "torch.gather=/no/such"), "/no/such: error: cannot read the document"),
                             (("--engine", "nunpy"), "did you mean 'numpy'?")):
            result = run("spec", "documents", *flags)
            self.assertEqual(result.returncode, 4, result.stdout + result.stderr)
            self.assertIn(words, result.stderr)


if __name__ == "__main__":
    ALL = run("spec", "documents")
    if missing := set(re.findall(r"not available: (\S+)@\S+ is not installed", ALL.stdout)) - set(on_request()):
        print(", ".join(sorted(missing)), "are not installed")
        sys.exit(SKIPPED)
    unittest.main()
