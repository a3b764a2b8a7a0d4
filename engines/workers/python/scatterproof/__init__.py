# SPDX-License-Identifier: Apache-2.0
"""Tests of scatter and gather operators against the documents that define them.

    >>> import numpy as np, scatterproof
    >>> x, i, s = np.zeros(3, "f4"), np.array([2, 0, 2]), np.array([1, 2, 4], "f4")
    >>> out = x.copy()
    >>> np.add.at(out, i, s)
    >>> scatterproof.assert_allowed(out, "torch.scatter_add", input=x, dim=0, index=i, src=s)
    'pass'

An API is named as `scatterproof spec list` prints it, and its arguments as its document does. Arrays may be
those of numpy, torch and jax, or anything with `__dlpack__`. One child process does the work, the program
`scatterproof`; it starts with the first call.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .judging import Allowed, Call, Checked, allowed, assert_allowed, assert_gradients_allowed, calls, check

__all__ = ["Allowed", "Call", "Checked", "allowed", "assert_allowed", "assert_gradients_allowed", "calls", "check"]


def __getattr__(name: str) -> Any:
    """Imported when it is used: the script `scatterproof` needs no numpy."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import judging

    return getattr(judging, name)
