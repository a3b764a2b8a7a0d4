# SPDX-License-Identifier: Apache-2.0
"""The files of the tree, and the text for readers in each: whole pages, and the comments of sources."""
import functools
import os
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(os.environ["SOURCE"]).resolve()
LEFT_OUT = re.compile(r"^(build|\.git|__pycache__|scatterproof-findings|rank_0)$|^build-|\.pyc$")

# Files that tests read or compare with: the names in them are made up.
FIXTURES = re.compile("^tests/unit/spec/yaml/hostile/|/expected/")

SLASHES = (".cpp", ".hpp", ".h", ".c", ".cu", ".cuh", ".js", ".css")
HASHES = (".cmake", ".yaml", ".yml", ".sh", ".toml")

# Strings, so that a mark within one begins no comment; and comments, which are groups with a name.
OF_SLASHES = re.compile(r"""R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])'"""
                        r"|(?P<comment>//[^\n]*|/\*.*?\*/)", re.DOTALL)
# A text in three quotes is a comment where it begins a line: elsewhere it is data.
OF_PYTHON = re.compile(r"""(?m:^[ \t]*)(?P<comment>\"{3}.*?\"{3})|\"{3}.*?\"{3}|'{3}.*?'{3}"""
                       r"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
                       r"|(?P<line>\#[^\n]*)", re.DOTALL)
OF_HASHES = re.compile(r'(?<!\S)(?P<comment>#[^\n]*)|"(?:\\.|[^"\\\n])*"')

MARKS = re.compile(r"(?m)^[ \t]*(?:///?<?!?|/\*+|\*(?!\*)|#)(?=[ \t]|$)|//[/!]<|\*/")


@functools.cache
def files():
    """The files that git tracks; without git, as in an unpacked archive, all files except those of builds."""
    if (ROOT / ".git").exists() and shutil.which("git"):
        done = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return tuple(name for name in done.stdout.split("\0") if name and (ROOT / name).is_file())
    return tuple(sorted(walked()))


def walked():
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if not LEFT_OUT.search(name)]
        for name in names:
            if not LEFT_OUT.search(name):
                yield str(pathlib.Path(folder, name).relative_to(ROOT))


@functools.cache
def paths():
    """Every file and folder."""
    folders = {str(parent) for name in files() for parent in pathlib.PurePath(name).parents}
    return frozenset(files()) | folders - {"."}


@functools.cache
def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def kind_of(name):
    """The suffix that says how comments are written: a template has that of what is made from it."""
    path = pathlib.PurePath(name.removesuffix(".in"))
    if path.name == "Jenkinsfile":
        return ".js"
    if path.name == "CMakeLists.txt":
        return ".cmake"
    return ".sh" if name in ("dev", ".ci/run") else path.suffix


def pages():
    return [name for name in files() if name.endswith(".md") and not FIXTURES.search(name)]


def sources():
    return [name for name in files()
            if kind_of(name) in SLASHES + HASHES + (".py", ".json") and not FIXTURES.search(name)]


def blank(text):
    """As many lines, with nothing in them."""
    return " " + "\n" * text.count("\n")


@functools.cache
def prose(name):
    """What a file says to its readers, each word in its own line: a page, or comments without their marks."""
    text = text_of(name)
    if kind_of(name) in (".md", ".json"):
        return text
    pattern = {".py": OF_PYTHON}.get(kind_of(name), OF_SLASHES if kind_of(name) in SLASHES else OF_HASHES)
    kept, end = [], 0
    for found in pattern.finditer(text):
        is_comment = found.lastgroup is not None
        kept += [blank(text[end:found.start()]), found[0] if is_comment else blank(found[0])]
        end = found.end()
    return without_marks("".join(kept) + blank(text[end:]))


def without_marks(text):
    """A sentence that goes on in the next line of a comment is one sentence."""
    return MARKS.sub(" ", text)


def place(name, text, at):
    return f"{name}:{text.count(chr(10), 0, at) + 1}"
