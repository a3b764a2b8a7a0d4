# SPDX-License-Identifier: Apache-2.0
"""For frameworks that cannot use arrays in place."""

import numpy


def on_copies(function, copy, back):
    """`function`, called with copies of its array arguments; `copy` makes a copy, and `back` converts it back
    to an array.

    A write into a copy is repeated in the array, so that it is noticed.
    """

    def call(**arguments):
        copies = {name: copy(value) for name, value in arguments.items() if isinstance(value, numpy.ndarray)}
        try:
            return back(function(**arguments | copies))
        finally:
            for name, tensor in copies.items():
                numpy.copyto(arguments[name], back(tensor))

    return call
