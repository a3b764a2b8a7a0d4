# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from collections.abc import Callable
from typing import Any


def in_a_batch(jax: Any, function: Callable[..., Any]) -> Callable[..., Any]:
    """What jax.vmap of `function` gives for the tensors, in a batch of two: the other has the same integers,
    and its floats in another order. A function of tensors, by position or by name."""
    def and_another(tensor: Any) -> Any:
        inexact = jax.numpy.issubdtype(tensor.dtype, jax.numpy.inexact)
        return jax.numpy.stack([tensor, jax.numpy.roll(tensor, 1) if inexact else tensor])

    def first(*tensors: Any, **named: Any) -> Any:
        both = jax.vmap(function)(*map(and_another, tensors), **{name: and_another(one) for name, one in named.items()})
        return jax.tree.map(lambda results: results[0], both)

    return first
