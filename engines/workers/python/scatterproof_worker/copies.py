# SPDX-License-Identifier: Apache-2.0
"""For frameworks that cannot take arrays as they lie in memory."""

import numpy


def on_copies(function, copy, back):
    """`function`, called with copies of its array arguments; `copy` makes one, and `back` an array of what it
    made.

    What is written into a copy is written into the array too, so that it is noticed.
    """

    def call(**arguments):
        copies = {name: copy(value) for name, value in arguments.items() if isinstance(value, numpy.ndarray)}
        try:
            return back(function(**arguments | copies))
        finally:
            for name, tensor in copies.items():
                numpy.copyto(arguments[name], back(tensor))

    return call
