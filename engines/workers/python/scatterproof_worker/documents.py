# SPDX-License-Identifier: Apache-2.0
"""The texts by which a framework documents itself."""

from __future__ import annotations

import inspect
from types import ModuleType
from typing import Any


def docstring(name: str, package: ModuleType) -> str | None:
    """The docstring of `package.a.b`, named in full, without its indentation; None where there is none."""
    first, *rest = name.split(".")
    if first != package.__name__:
        return None
    found: Any = package
    for part in rest:
        found = getattr(found, part, None)
    return inspect.getdoc(found) if rest and found is not None else None
