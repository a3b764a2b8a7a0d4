# SPDX-License-Identifier: Apache-2.0
"""The program's verbs and their options, from its own help."""

import functools
import re

from program import run


@functools.cache
def help_of(*verb):
    return run(*verb, "--help").stdout


def names_below(*verb):
    """The verbs right below a verb; below none, those of the program."""
    text = help_of(*verb)
    if not re.search(r"(?m)^Usage: .*\bCOMMAND$", text):
        return []
    return re.findall(r"(?m)^  ([a-z][a-z-]*) +[A-Z]", text.partition("\nGeneral:\n")[0])


def every_verb(*above):
    """Each verb as a tuple of words, those below it right behind it."""
    found = []
    for name in names_below(*above):
        found += [(*above, name), *every_verb(*above, name)]
    return found


def options_of(*verb):
    """The long name of each option, or the short one where there is no other."""
    return [long or short for short, long in re.findall(r"(?m)^  (-\w)?(?:, )?(--[a-z-]+)?(?= |$)", help_of(*verb)) if long or short]
