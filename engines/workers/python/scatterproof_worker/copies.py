# SPDX-License-Identifier: Apache-2.0
"""For frameworks that cannot use arrays in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from .forms import View, base_of


def on_copies(function: Callable[..., Any], copy: Callable[[Any], Any], back: Callable[[Any], Any]) -> Callable[..., Any]:
    """`function`, called with copies of its array arguments; `copy` makes a copy, and `back` converts it back
    to an array.

    A write into a copy is repeated in the array, so that it is noticed.
    """

    def copied(value: Any) -> Any:
        return View(copy(value.base), value.place) if isinstance(value, View) else copy(value)

    def call(**arguments: Any) -> Any:
        copies = {name: copied(value) for name, value in arguments.items() if isinstance(value, (numpy.ndarray, View))}
        try:
            return back(function(**arguments | copies))
        finally:
            for name, tensor in copies.items():
                numpy.copyto(base_of(arguments[name]), back(base_of(tensor)))

    return call
