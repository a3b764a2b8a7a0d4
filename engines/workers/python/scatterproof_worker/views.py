# SPDX-License-Identifier: Apache-2.0
"""Tensors that a compiled function makes itself, as views of what it gets."""


class View:
    """A tensor that is not there yet: it will be a view of `base`, a tensor of one dimension. `place` is its
    shape, strides and offset, in elements."""

    __slots__ = ("base", "place")

    def __init__(self, base, place):
        self.base = base
        self.place = place


def base_of(tensor):
    """What a function in an engine form gets for a tensor."""
    return tensor.base if isinstance(tensor, View) else tensor
