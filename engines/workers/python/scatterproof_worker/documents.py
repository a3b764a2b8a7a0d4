# SPDX-License-Identifier: Apache-2.0
"""The texts by which a framework documents itself."""

import inspect


def docstring(name, package):
    """The docstring of `package.a.b`, named in full, without its indentation; None where there is none."""
    first, *rest = name.split(".")
    if first != package.__name__:
        return None
    found = package
    for part in rest:
        found = getattr(found, part, None)
    return inspect.getdoc(found) if rest and found is not None else None
