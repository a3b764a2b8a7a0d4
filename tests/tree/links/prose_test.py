# SPDX-License-Identifier: Apache-2.0
"""prose.py finds what it names, and leaves plain sentences alone."""
import pathlib
import tempfile
import unittest
from unittest import mock

import prose

STUMBLES = (
    "It failed. Of the calls that obey one in six is large.",
    "calls, of which\nsome break a rule",
    "a heading is no clause",
    "what an API does otherwise on another engine",
    "specs are held\nagainst their documents",
    "the page is made anew",
    "the four mistakes were mended",
    "a call beside the others",
    "the release at hand",
    "one in place of the other",
    "failures that are alike",
    "with so many elements",
    "members that parted",
    "`diff` tells slower from noise",
    "memory that nobody wrote",
    "a clause that is unspoken for",
    "What came of it",
)
PLAIN = (
    "There is no such file.",
    "It no longer happens, and is no more than a note.",
    "Of course it does.",
    "Otherwise the run fails.",
    "one of the calls; part of the run",
    "It checks specs against documents, besides cases.",
    "`unspoken for` is code",
)


class Prose(unittest.TestCase):
    def test_words(self):
        for text in STUMBLES:
            with self.subTest(text):
                self.assertTrue(list(prose.words(text)))
        for text in PLAIN:
            with self.subTest(text):
                self.assertEqual(list(prose.words(prose.without(prose.CODE, text))), [])

    def test_lines_are_named(self):
        page = ("# A heading of any width " + "w " * 60 + "\n\nA plain line.\n" + "long words " * 12 + "\nmade\nanew\n"
                "| a table of any width | " + "w " * 60 + "|\n```\nanew " + "code " * 40 + "\n```\nIt stays anew. <!-- prose: a quotation -->\n")
        python = '"""Made anew.\n\nNot once anew."""\nTEXT = """\nanew\n"""\nx = 1  # anew\n'
        schema = '{"description": "made anew " ,\n"enum": ["anew"]}\n'
        source = "// A comment " + "w " * 60 + "\nint x = 0;  // made anew\n" + 'const char* y = "' + "w " * 60 + '";\n'
        with tempfile.TemporaryDirectory() as folder, mock.patch("tree.ROOT", pathlib.Path(folder)):
            for name, text in (("page.md", page), ("source.cpp", source), ("test.py", python), ("a.schema.json", schema),
                               ("data.yaml", 'text: "# anew"\nx: 1  # anew\n')):
                pathlib.Path(folder, name).write_text(text, encoding="utf-8")
            self.assertEqual([number for number, _ in sorted(prose.stumbles("page.md"))], [4, 6])
            self.assertEqual([number for number, _ in sorted(prose.stumbles("source.cpp"))], [1, 2])
            self.assertEqual([number for number, _ in sorted(prose.stumbles("test.py"))], [1, 3, 7])
            self.assertEqual([number for number, _ in sorted(prose.stumbles("a.schema.json"))], [1])
            self.assertEqual([number for number, _ in sorted(prose.stumbles("data.yaml"))], [2])


if __name__ == "__main__":
    unittest.main()
