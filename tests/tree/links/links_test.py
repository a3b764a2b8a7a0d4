# SPDX-License-Identifier: Apache-2.0
"""What pages and comments name is there: pages, headings, numbered sections, files. Sources name their
licence, and figures that a page repeats are those of the source."""
import functools
import json
import pathlib
import posixpath
import re
import sys
import unittest
import urllib.parse

from tree import SLASHES, files, kind_of, pages, paths, place, prose, sources, text_of, without_marks

FENCED = re.compile(r"(?ms)^( *)(```+|~~~+).*?^ *\2[ \t]*$")
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
HEADING = re.compile(r"(?m)^#{1,6} +(.*?)[ #]*$")
LINK = re.compile(r"\]\(<?([^()\s>]+)>?(?:\s+\"[^\"]*\")?\)|^\[[^\]\n]+\]: *(\S+)", re.MULTILINE)


def without(pattern, text):
    """The text with these parts blank: places stay."""
    return pattern.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


@functools.cache
def headings(page):
    return HEADING.findall(without(FENCED, text_of(page)))


@functools.cache
def anchors(page):
    """GitHub's rule: the words in small letters, without punctuation, joined by hyphens; a second one gets
    `-1`."""
    found = {}
    for heading in headings(page):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        found[name] = found.get(name, -1) + 1
        if found[name]:
            found[f"{name}-{found[name]}"] = 0
    return found


@functools.cache
def sections(page):
    """The numbers of its headings: `## 8. Timed calls`, `### 8.1 Bare loops`."""
    return {found[1] for heading in headings(page) if (found := re.match(r"(\d+(?:\.\d+)*)\.? ", heading))}


class Links(unittest.TestCase):
    maxDiff = None  # every link that leads nowhere

    def test_links_lead_somewhere(self):
        wrong, seen = [], 0
        for page in pages():
            text = without(CODE, without(FENCED, text_of(page)))
            for link in LINK.finditer(text):
                target = link[1] or link[2]
                if re.match(r"[a-z]+:", target):
                    continue
                seen += 1
                if why := self.why_not(page, urllib.parse.unquote(target)):
                    wrong.append(f"{place(page, text, link.start())}: {target}: {why}")
        self.assertGreater(seen, 200)
        self.assertEqual(wrong, [])

    def test_every_page_is_in_the_index(self):
        index = [posixpath.normpath(posixpath.join("docs", link[1])) for link in LINK.finditer(text_of("docs/README.md")) if link[1]]
        self.assertEqual([page for page in pages() if page.startswith("docs/") and page not in index], ["docs/README.md"])

    @staticmethod
    def why_not(page, target):
        path, _, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page
        if path not in paths():
            return "no such file"
        if anchor and anchor not in anchors(path):
            return "no such heading"
        return None


# A page by its path from the root, in a Markdown page also from its folder; `[page](page#anchor)` names it
# once.
PAGE = r"(?<![\w./-])(?P<page>(?:[\w-]+/)*[\w-]+\.md)(?:\]\([^)\s]*\)|`)?"
SECTION = r"(?:§|\bsections? )\s*"
NUMBERS = r"(?P<numbers>\d+(?:\.\d+)*(?:(?:,| and| to)\s+§\d+(?:\.\d+)*)*)"
NUMBERED = re.compile(rf"(?:{PAGE}(?:,?\s+|\s+\()|(?P<foreign>\b(?:IEEE|RFC) \d+,?\s+))?{SECTION}{NUMBERS}(?P<there> there)?")
QUOTED = re.compile(rf"{PAGE},\s+\\?\"(?P<heading>[^\"\\]+)\\?\"")
DOCS = re.compile(r"(?<![\w./-])docs/(?:[\w-]+/)*[\w-]+\.md")


def page_named(name, word):
    """The page of this name: from the root, from the folder of who names it, or the one of docs/ with this
    file name."""
    near = posixpath.normpath(posixpath.join(posixpath.dirname(name), word))
    named = [path for path in pages() if path.startswith("docs/") and posixpath.basename(path) == word]
    return next((path for path in (word, near, *named) if path in files()), None)


class Sections(unittest.TestCase):
    """`docs/understand/judging.md §11`, `docs/understand/judging.md, section 11`
    and `docs/use/bench.md, "The floor"`, in pages, comments and messages."""
    maxDiff = None

    @staticmethod
    def texts():
        for name in pages():
            yield name, text_of(name)
        for name in sources():
            if "§" in text_of(name) or ".md" in text_of(name):
                yield name, without_marks(text_of(name))

    def test_pages_named_in_sources_exist(self):
        wrong = [f"{place(name, text, found.start())}: {found[0]}" for name, text in self.texts() if not name.endswith(".md")
                 for found in DOCS.finditer(text) if found[0] not in files()]
        self.assertEqual(wrong, [])

    def test_numbered_sections_exist(self):
        wrong, seen = [], 0
        for name, text in self.texts():
            for found in NUMBERED.finditer(text):
                if found["foreign"]:
                    continue
                seen += 1
                page = self.page_of(name, text, found)
                for number in re.findall(r"\d+(?:\.\d+)*", found["numbers"]):
                    if not page or number not in sections(page):
                        wrong.append(f"{place(name, text, found.start())}: {page or 'no page'} has no section {number}")
        self.assertGreater(seen, 50)
        self.assertEqual(wrong, [])

    @staticmethod
    def page_of(name, text, found):
        """The page of a section: the one before it; in a page its own, unless `there` says the one named
        last."""
        if found["page"]:
            return page_named(name, found["page"])
        if name.endswith(".md") and not found["there"]:
            return name
        before = [page for word in re.finditer(PAGE, text[:found.start()]) if (page := page_named(name, word["page"]))]
        return before[-1] if before else None

    def test_quoted_headings_exist(self):
        wrong = []
        for name, text in self.texts():
            for found in QUOTED.finditer(text):
                page, heading = page_named(name, found["page"]), " ".join(found["heading"].split())
                if not page or heading not in [re.sub(r"^[\d.]+ ", "", one) for one in headings(page)]:
                    wrong.append(f"{place(name, text, found.start())}: {found['page']} has no heading {heading!r}")
        self.assertEqual(wrong, [])


TOPS = ("spec", "engines", "cases", "runner", "reports", "docs", "tests", "cmake")
ROOTED = re.compile(rf"(?<![\w./:>}}$\"-])(?:{'|'.join(TOPS)})/[\w./<>*{{}},-]*[\w>*}}]")
FILE = re.compile(r"`([\w./<>*{},-]+\.(?:hpp|cpp|h|c|cu|py|cmake|yaml|yml|md|json|sh|js|css))`")

# Files and folders that pages and comments name and the tree does not have, and whose they are.
NOT_OURS = {
    "cases/regressions": "a folder for what `fuzz` found, which users make",
    "scatterproof.yaml": "a user's settings",
    "scatterproof-findings": "`fuzz` writes it",
    "workers.json": "`bench --workers --out` writes it",
    "run.md": "docs/use/ci.md makes it",
    "report-files.txt": "`merge` writes it",
    "shards.sh": "`submit` writes it",
    "merge.sh": "`submit` writes it",
    "<claim>-<A>-<B>/<number>-a.py": "`claims --scripts` writes it",
    "..-b.py": "and its twin",
    "compare.py": "Google Benchmark's",
    ".github/actions/scatterproof/action.yml": "a user's copy",
    ".github/workflows/scatterproof.yml": "a user's copy",
    ".github/workflows/site.yml": "a user's copy",
}


@functools.cache
def listing():
    return "\n".join(sorted(paths()))


def pattern_of(word):
    """`<api>` and `*` stand for anything, as in git's patterns, and `{a,b}` for both."""
    parts = re.split(r"(<[^<>]*>|\*+|\{[^{}]*\})", word)
    return "".join(".*" if part[0] == "*" else "[^/\n]+" if part[0] == "<" else
                   f"(?:{'|'.join(map(re.escape, part[1:-1].split(',')))})" if part[0] == "{" else re.escape(part)
                   for part in parts if part)


@functools.cache
def is_there(word, beginning=""):
    """Whether a path is in the tree, or several that a pattern stands for. A source may be named without its
    suffix."""
    return re.search(rf"(?m)^{beginning}{pattern_of(word.rstrip('/'))}(?:\.[ch]pp)?$", listing()) is not None


def is_ours(word):
    return not any(word == other or word.startswith(other + "/") for other in NOT_OURS)


class Paths(unittest.TestCase):
    maxDiff = None

    @staticmethod
    def texts():
        """A changelog speaks of the tree of its day, and data has no comments."""
        for name in pages() + sources():
            if name != "CHANGELOG.md" and kind_of(name) != ".json":
                yield name, prose(name)

    def test_paths_from_the_root_exist(self):
        wrong, seen = [], 0
        for name, text in self.texts():
            for found in ROOTED.finditer(text):
                seen += 1
                if is_ours(found[0]) and not is_there(found[0]):
                    wrong.append(f"{place(name, text, found.start())}: {found[0]}")
        self.assertGreater(seen, 300)
        self.assertEqual(wrong, [])

    def test_files_in_backquotes_exist(self):
        """A file may be named by the end of its path, as in an #include."""
        wrong = [f"{place(name, text, found.start())}: {found[1]}" for name, text in self.texts()
                 for found in FILE.finditer(text) if is_ours(found[1]) and not is_there(found[1], "(?:.*/)?")]
        self.assertEqual(wrong, [])

    def test_what_is_not_ours_is_still_named_and_not_there(self):
        said = "".join(text for _, text in self.texts())
        for word in NOT_OURS:
            with self.subTest(word=word):
                self.assertIn(word, said, "remove it from NOT_OURS")
                self.assertNotIn(word, paths(), "remove it from NOT_OURS")


LICENCE = "SPDX-License-Identifier: Apache-2.0"
WITHOUT_LICENCE = {
    "engines/plugin/scaffolds/": "what `engines new` writes is its user's",
    "cmake/scatterproofConfig.cmake.in": "CMake's own pattern for a package",
    "/engine.yaml": "a few lines of data",
    "/snippet.yaml": "a few lines of data",
}


def licence_line(name):
    if kind_of(name) in (".c", ".h", ".css"):
        return f"/* {LICENCE} */"
    return f"// {LICENCE}" if kind_of(name) in SLASHES else f"# {LICENCE}"


class Licences(unittest.TestCase):
    maxDiff = None

    def test_every_source_names_its_licence(self):
        """In its first line, or in the second where the first is for an interpreter or an editor."""
        named = [name for name in sources() if kind_of(name) != ".json"
                 and not name.startswith(tuple(WITHOUT_LICENCE)) and not name.endswith(tuple(WITHOUT_LICENCE))]
        self.assertGreater(len(named), 1500)
        wrong = [name for name in named if licence_line(name) not in text_of(name).split("\n", 2)[:2]]
        self.assertEqual(wrong, [], f"the line is `{LICENCE}` in a comment of its own")


class Figures(unittest.TestCase):
    """Figures that a page repeats on purpose. It is better not to repeat them."""

    def test_sizes_of_generated_calls(self):
        source = text_of("runner/fuzz/shares.hpp")
        page = " ".join(text_of("docs/use/fuzz.md").split())

        def constant(name):
            bits = re.search(rf"\b{name} = (\d+)(?: << (\d+))?[;,]", source)
            self.assertIsNotNone(bits, name)
            return f"{int(bits[1]) << int(bits[2] or 0):,}"

        large, usual, largest = constant("large"), constant("usual"), constant("largest")
        for row in (
                f"| {constant('least_sized')} to {constant('most_sized')} | one in {constant('one_sized_in')} |",
                f"| {large} or more, up to {usual}, in a form of its own; the share beyond N falls as 1/sqrt(N) "
                f"| one in {constant('one_large_in')} |",
                f"| {usual} to {largest}; the share falls as 1/N, so every octave of sizes gets the same work; "
                f"half of them have room for {largest} | one in {constant('one_largest_in')} of them |",
                f"| calls that must be refused, which cost little | as for calls that obey | one in {constant('one_large_refused_in')} |",
                f"| other broken calls, which show little | as for calls that obey | one in {constant('one_large_open_in')} |",
                f"| with `--large` | up to {constant('largest_on_request')} |"):
            with self.subTest(row=row):
                self.assertTrue(row in page, "docs/use/fuzz.md says something else")

    def test_items_of_a_list(self):
        source = text_of("spec/language/include/scatterproof/spec/language/language.hpp")
        most = int(re.search(r"\bmax_items = (\d+);", source)[1])
        page = " ".join(text_of("docs/formats/spec-language.md").split())
        word = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")[most]
        self.assertIn(f"a list of one to {word} tensors", page)
        self.assertIn(f"`indices_1` to `indices_{most - 1}`", page)
        self.assertIn(f"A list has at most {word} items", page)

    def test_frameworks_with_documents(self):
        """One list, that of the schema, for the folders of specs. A tutorial and a standard belong to no
        framework."""
        schema = json.loads(text_of("spec/data/schema/ops.schema.json"))
        listed = schema["properties"]["documents"]["items"]["properties"]["framework"]["enum"]
        folders = {name.split("/")[3] for name in files() if re.match(r"spec/data/ops/[^/]+/.+\.yaml$", name)}
        self.assertEqual(set(listed), folders | {"blog", "array_api"})

    def test_frameworks_that_execute(self):
        """docs/use/install.md says of each folder of engines/workers what it executes."""
        rows = "\n".join(re.findall(r"(?m)^\|.*\| yes \|.*$", text_of("docs/use/install.md")))
        for name in files():
            if re.match(r"engines/workers/[^/]+/engine\.yaml$", name):
                framework = pathlib.PurePath(name).parent.name
                with self.subTest(framework=framework):
                    self.assertIn(f"`{framework}`", rows)


if __name__ == "__main__":
    sys.exit(unittest.main())
