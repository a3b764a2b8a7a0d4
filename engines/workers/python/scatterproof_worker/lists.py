# SPDX-License-Identifier: Apache-2.0
"""Lists of tensors: each item comes as an argument of its own, `indices_0`, `indices_1`, .."""

from __future__ import annotations

from typing import Any


def take_list(arguments: dict[str, Any], name: str) -> tuple[Any, ...]:
    """Takes the items of a list out of the arguments: a tuple of those that are given."""
    items = sorted(key for key in arguments if key.rpartition("_")[0] == name and key[len(name) + 1 :].isdecimal())
    values = [arguments.pop(item) for item in items]
    return tuple(value for value in values if value is not None)
