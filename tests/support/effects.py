# SPDX-License-Identifier: Apache-2.0
"""The effect of an option: compares a command with the option and the same command without it."""

import os
import re
from dataclasses import dataclass, field
from typing import Callable

MISTAKE = 4  # the exit code of a command line that is not understood, and of files that cannot be read


@dataclass
class Tried:
    """The result of a command in its folder."""
    code: int
    text: str
    folder: str

    def content(self, name):
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            return ""
        if os.path.isdir(path):
            return "\n".join(sorted(os.listdir(path)))
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()


# Effects: each says what is wrong, or nothing. An option that is only refused has no effect, unless the
# refusal is about the thing that it names.

def says(text):
    return lambda with_it, without: ((text not in with_it.text and f"'{text}' does not appear")
                                     or (without and text in without.text and f"'{text}' appears without it too"))


def complains(text):
    """For a value that is well-formed but unusable."""
    return lambda with_it, without: (with_it.code == 0 and "there is no error") or says(text)(with_it, without)


def works(effect):
    """The effect, where neither command is refused."""
    def checked(with_it, without):
        refused = any(tried and tried.code == MISTAKE for tried in (with_it, without))
        return "the command is refused" if refused else effect(with_it, without)
    return checked


def shows(text):
    return works(says(text))


def hides(text):
    return works(lambda with_it, without: (text in with_it.text and f"'{text}' does not vanish")
                 or (text not in without.text and f"'{text}' does not appear without it either"))


def changes(pattern):
    """The pattern finds another text."""
    def differs(with_it, without):
        found, before = (re.findall(pattern, tried.text) for tried in (with_it, without))
        return (not (found and before) and f"'{pattern}' is not found") or (found == before and f"'{pattern}' finds the same without it")
    return works(differs)


def writes(name, pattern=""):
    """A file, in which the pattern is found."""
    def is_there(tried):
        content = tried.content(name)
        return content and re.search(pattern, content)
    return works(lambda with_it, without: (not is_there(with_it) and f"there is no '{pattern}' in {name}")
                 or (without and is_there(without) and f"'{pattern}' is in {name} without it too"))


def alters(name):
    """A file that both commands write, its lines in any order; repeating a command gives the same lines."""
    def differs(with_it, without):
        lines, before = (set(tried.content(name).splitlines()) for tried in (with_it, without))
        return (not lines and f"{name} is not written") or (lines == before and f"{name} is the same without it")
    return works(differs)


def exits(code):
    return works(lambda with_it, without: (with_it.code != code and f"the exit code is {with_it.code}")
                 or (without.code == code and f"the exit code is {code} without it too"))


def is_plain(with_it, _):
    """Of verbs that accept --color as all do, and print nothing that has a colour."""
    return "\x1b[" in with_it.text and "there is colour, which its entry in TABLE must say"


@dataclass
class Option:
    """How a verb is called with the option, and what then differs from a call without it."""
    words: str
    effect: Callable
    rest: str | None = None  # of the command line; else that of the verb
    instead_of: str = ""     # its replacement in the other command
    alone: bool = False      # the other command is not executed


@dataclass
class Unseen:
    because: str


@dataclass
class Verb:
    rest: str  # of its command line; RUN stands for the id of a run in the history
    options: dict
    environment: dict = field(default_factory=dict)
