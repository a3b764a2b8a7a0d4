# SPDX-License-Identifier: Apache-2.0
"""For frameworks that cannot use arrays in place."""

import numpy

from .forms import View, base_of


def on_copies(function, copy, back):
    """`function`, called with copies of its array arguments; `copy` makes a copy, and `back` converts it back
    to an array.

    A write into a copy is repeated in the array, so that it is noticed.
    """

    def copied(value):
        return View(copy(value.base), value.place) if isinstance(value, View) else copy(value)

    def call(**arguments):
        copies = {name: copied(value) for name, value in arguments.items() if isinstance(value, (numpy.ndarray, View))}
        try:
            return back(function(**arguments | copies))
        finally:
            for name, tensor in copies.items():
                numpy.copyto(base_of(arguments[name]), back(base_of(tensor)))

    return call
