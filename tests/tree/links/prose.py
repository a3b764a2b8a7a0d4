# SPDX-License-Identifier: Apache-2.0
"""Finds prose that a reader stumbles over: lines that are too wide, and words in a sense that English does
not have.

    python3 tests/tree/links/prose.py                      # every page
    python3 tests/tree/links/prose.py 'spec/**/*.hpp'      # the comments of these sources, by git's globs
    python3 tests/tree/links/prose.py '*.py' '*.yaml'      # docstrings are comments
    python3 tests/tree/links/prose.py --strings 'runner/cli/*.cpp'  # and their messages

A page has 120 columns, a comment 110; tables, headings, code blocks and lines without a place to break are
exempt. Code in backquotes is not prose. A line that must keep a word ends in the comment
`<!-- prose: why -->` (in a source, `prose: why`).
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

os.environ.setdefault("SOURCE", str(pathlib.Path(__file__).resolve().parents[3]))
# pylint: disable-next=wrong-import-position
from tree import FIXTURES, OF_SLASHES, ROOT, SLASHES, blank, kind_of, pages, prose, text_of, without_marks

COLUMNS = {"page": 120, "comment": 110}

# What to look for, and what to write instead.
WORDS = [
    (r"(?:^|[.!?:;] +|^[-*] |\| )(?-i:Of) (?!course)(?:the|these|those|all|a|an|it|its|them|each|every|\d|what|which|two|three|twelve)\b",
     "begin with the subject: 'one in six valid calls', not 'Of the valid calls one in six'"),
    (r"\bof which\b", "start a new sentence"),
    (r"(?<!here\s)(?<!here\s{3})(?<!here\s{4})\b(?:is|are|was|were) no (?!longer\b|more\b|less\b|one\b|such\b|better\b|worse\b)\w+", "negate the verb: 'is not a ...'"),
    (r"\b(?:does|do|did|done|is|are|says?|behaves?) otherwise\b|\botherwise than\b", "'differently', 'something else'"),
    (r"\b(?:held|holds?|hold) (?:\w+ ){0,4}against\b", "'checks ... against'"),
    (r"\banew\b", "'again'"),
    (r"\bmend(?:s|ed|ing)?\b", "'fix'"),
    (r"\b(?:dear|dearer)\b", "'expensive'"),
    (r"\bheed(?:s|ed)?\b", "'follow', 'respect'"),
    (r"\bat hand\b", "'available', 'installed', 'current'"),
    (r"\bbeside(?!s)\b", "'next to', 'with', 'in addition to', 'alongside'"),
    (r"\bin (?:the )?place of\b", "'instead of'"),
    (r"\balike\b", "'the same', 'similar'"),
    (r"\bso many\b", "name the number or the thing"),
    (r"\bparted\b", "'differed', 'disagreed'"),
    (r"\b(?:tells?|told) (?:\w+ )?(?:from|apart)\b", "'distinguishes'"),
    (r"\b(?:nobody|nothing) (?:tells|says|told)\b", "'without any error', 'no sentence says'"),
    (r"\bnobody\b|\bwhoever\b|\bsomebody(?:'s)?\b|\beverybody\b", "name who: 'the user', 'other projects', 'anyone'"),
    (r"\bunspoken for\b", "'uncovered'"),
    (r"\b(?:what|which|nothing|who) (?:comes|came) of\b", "'the result'"),
    (r"\bwhatever comes\b", "'any result'"),
    (r"\bforeign memory\b|\bmemory of others\b", "'out-of-bounds read', 'uninitialised memory', 'unrelated memory'"),
    (r"\bits like\b|\band the like\b", "name them, or 'and similar calls'"),
]
# Between the words of a phrase there may be the end of a line and an indentation.
WORDS = [(re.compile(re.sub(r" (?!\+)", " +", pattern), re.MULTILINE | re.IGNORECASE), hint) for pattern, hint in WORDS]

FENCED = re.compile(r"(?ms)^( *)(```+|~~~+).*?^ *\2[ \t]*$")
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
CODE_OF_LINE = re.compile(r"`[^`\n]+`")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
TARGET = re.compile(r"\]\([^)\s]*\)")
DESCRIPTION = re.compile(r'"description": ("(?:\\.|[^"\\\n])*")')
KEPT = re.compile(r"\bprose: \S")


def without(pattern, text, by=" "):
    return pattern.sub(lambda found: re.sub(r"[^\n]", by, found[0]), text)


def prose_of(name, strings):
    """What a file says, each word in its own line: of a page without code, of a schema its descriptions, of a
    source its comments, and its strings if asked for."""
    if name.endswith(".md"):
        text = without(CODE, without(FENCED, text_of(name)), "x")
        return without(COMMENT, without(TARGET, text))
    text = prose(name)
    if name.endswith(".json"):
        text = "\n".join(" ".join(DESCRIPTION.findall(line)) for line in text.split("\n"))
    if strings and kind_of(name) in SLASHES:
        kept, end, source = [], 0, text_of(name)
        for found in OF_SLASHES.finditer(source):
            kept += [blank(source[end:found.start()]), found[0]]
            end = found.end()
        text = without_marks("".join(kept))
    return without(CODE_OF_LINE, text, "x")


def too_wide(name):
    """Numbers of the lines that are too wide and could be broken; a text in JSON cannot."""
    if name.endswith(".json"):
        return
    is_page = name.endswith(".md")
    most = COLUMNS["page" if is_page else "comment"]
    text = without(FENCED, text_of(name)) if is_page else prose(name)
    for number, (line, shown) in enumerate(zip(text_of(name).split("\n"), text.split("\n")), 1):
        exempt = not shown.strip() or is_page and shown.lstrip().startswith(("|", "#", "<!--", "["))
        if len(line) > most and not exempt and re.search(r"\S\s+\S", re.sub(r"^\s*(?:[-*]|\d+\.)\s+", "", line)[:most]):
            yield number, len(line), most


def stumbles(name, strings=False):
    """Pairs of a line's number and what a reader stumbles over there."""
    for number, width, most in too_wide(name):
        yield number, f"{width} columns; break it at {most}"
    kept = {number for number, line in enumerate(text_of(name).split("\n"), 1) if KEPT.search(line)}
    for number, what in words(prose_of(name, strings)):
        if number not in kept:
            yield number, what


def words(text):
    """The same of the words in a text. A phrase may go on in the next line, but not in the next paragraph."""
    joined = re.sub(r"(?<!\n)\n(?!\n)", " ", text)
    for pattern, hint in WORDS:
        for found in pattern.finditer(joined):
            yield text.count("\n", 0, found.start()) + 1, f"'{found[0].strip()}': {hint}"


def listed(globs):
    done = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--", *globs], capture_output=True, text=True, check=True)
    return [name for name in done.stdout.split("\0") if name and (ROOT / name).is_file() and not FIXTURES.search(name)]


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--strings", action="store_true", help="the strings of sources too")
    options.add_argument("globs", nargs="*")
    chosen = options.parse_args()
    found = 0
    for name in listed(chosen.globs) if chosen.globs else pages():
        for number, what in sorted(set(stumbles(name, chosen.strings))):
            print(f"{name}:{number}: {what}")
            found += 1
    if found:
        print(f"{found} places to rewrite", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
