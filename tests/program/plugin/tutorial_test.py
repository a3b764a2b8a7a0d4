# SPDX-License-Identifier: Apache-2.0
"""Executes docs/use/test-your-kernel.md literally: runs its commands in an empty folder and compares their
output."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

from program import PROGRAM, SOURCE

DOCUMENT = os.path.join(SOURCE, "docs", "use", "test-your-kernel.md")
BOUNDARY = "=== end of step, status "


def steps():
    """Pairs of commands and the output that the document shows."""
    with open(DOCUMENT, encoding="utf-8") as file:
        text = file.read()
    return re.findall(r"^```sh\n(.*?)^```\n```text\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def pattern(shown):
    """A line of the document as a regular expression: `...` is anything, and spaces are spaces."""
    parts = [r"\s+".join(map(re.escape, part.split())) for part in shown.strip().split("...")]
    return re.compile(".*".join(rf"\s*{part}\s*" if part else "" for part in parts))


def missing(shown, printed):
    """Lines of the document that the output lacks, in their order."""
    lines = iter(printed.splitlines())
    for line in shown.splitlines():
        if line.strip() in ("", "..."):
            continue
        if not any(pattern(line).fullmatch(candidate) for candidate in lines):
            yield line


class Tutorial(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="tutorial ")
        self.addCleanup(shutil.rmtree, self.folder)

    def follow(self, commands):
        """Runs the steps in one shell, as a reader does; what each printed, and its status."""
        script = "".join(f'{step}echo "{BOUNDARY}$?"\n' for step in commands)
        path = os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"]
        done = subprocess.run(["sh"], input=script, cwd=self.folder, env={**os.environ, "PATH": path, "NO_COLOR": "1", "COLUMNS": "80"},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=1500)
        pieces = re.split(re.escape(BOUNDARY) + r"(\d+)\n", done.stdout)
        return list(zip(pieces[0::2], map(int, pieces[1::2])))

    def test_every_command_prints_what_the_document_says(self):
        whole = steps()
        with open(DOCUMENT, encoding="utf-8") as file:
            self.assertEqual(len(whole), file.read().count("```sh"), "a step without output shown")
        done = self.follow([commands for commands, _ in whole])
        self.assertEqual(len(done), len(whole))
        for (commands, shown), (printed, status) in zip(whole, done):
            with self.subTest(commands.splitlines()[-1]):
                self.assertEqual(status, 0, printed)
                self.assertEqual(list(missing(shown, printed)), [], printed)

    def test_a_line_that_is_not_printed_is_found(self):
        self.assertEqual(list(missing("one\n...\nthree 3 ms", "one\ntwo\nthree  4 ms")), ["three 3 ms"])
        self.assertEqual(list(missing("two\none", "one\ntwo")), ["one"])
        self.assertEqual(list(missing("three ... ms", "one\nthree  4 ms")), [])


if __name__ == "__main__":
    unittest.main()
