# SPDX-License-Identifier: Apache-2.0
"""Lists of tensors: each item comes as an argument of its own, `indices_0`, `indices_1`, .."""

from __future__ import annotations

from typing import Any


def take_list(arguments: dict[str, Any], name: str) -> tuple[Any, ...]:
    """Takes the items of a list out of the arguments: a tuple of those that are given."""
    items = sorted(key for key in arguments if key.rpartition("_")[0] == name and key[len(name) + 1 :].isdecimal())
    values = [arguments.pop(item) for item in items]
    return tuple(value for value in values if value is not None)


_CONSTANTS = {"...": Ellipsis, "None": None, "True": True, "False": False}


def take_selection(arguments: dict[str, Any], name: str, items: str) -> tuple[Any, ...]:
    """Takes a selection and its arrays out of the arguments: what stands between the brackets, as a tuple.

    The text is as a spec writes it, "1:3, $, ...", where `$` is the next item of the list; `?`, or `??` and
    so on, is the next one that is a mask.
    """
    arrays = iter(take_list(arguments, items))
    text = arguments.pop(name)

    def part(word: str) -> Any:
        if word and not word.strip("$?"):
            return next(arrays)
        if ":" in word:
            return slice(*(int(bound) if bound.strip() else None for bound in word.split(":")))
        return _CONSTANTS[word] if word in _CONSTANTS else int(word)

    return () if text == "()" else tuple(part(word.strip()) for word in text.split(",") if word.strip())
