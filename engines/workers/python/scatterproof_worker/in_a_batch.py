# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations


def in_a_batch(jax, function):  # type: ignore[no-untyped-def]
    """What jax.vmap of `function` gives for the tensors, in a batch of two: the other has the same integers,
    and its floats in another order. A function of tensors, by position or by name."""
    def and_another(tensor):  # type: ignore[no-untyped-def]
        inexact = jax.numpy.issubdtype(tensor.dtype, jax.numpy.inexact)
        return jax.numpy.stack([tensor, jax.numpy.roll(tensor, 1) if inexact else tensor])

    def first(*tensors, **named):  # type: ignore[no-untyped-def]
        both = jax.vmap(function)(*map(and_another, tensors), **{name: and_another(one) for name, one in named.items()})
        return jax.tree.map(lambda results: results[0], both)

    return first
