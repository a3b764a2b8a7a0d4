# SPDX-License-Identifier: Apache-2.0
"""Gradients by frameworks that follow what happens to tensors which are watched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


def timed_gradients_of_leaves(function: Callable[..., Any], *, watch: Callable[[Any], Any],
                              derivative: Callable[[Any, Any, Any], Any], to_numpy: Callable[[Any], Any],
                              copy: Callable[[Any], Any] = lambda tensor: tensor.clone(),
                              use_threads: Callable[[int], Any] = lambda threads: None,
                              overwrites: str | None = None) -> Callable[..., tuple[Any, list[Any], Callable[[], Any]]]:
    """The gradients of a function that gets tensors and returns one, for Worker.timed_gradient.

    `watch` marks a tensor. `derivative(result, leaf, cotangent)` is a tensor, or None if the result does not
    depend on the leaf. `use_threads` limits the framework to a number of threads. What the function
    overwrites is a `copy`: such frameworks refuse to write into a tensor that is watched.
    """

    def gradient(result: Any, leaf: Any, cotangent: Any) -> Any:
        try:
            found = derivative(result, leaf, cotangent)
        except Exception as error:
            return error
        return found if found is None else to_numpy(found)

    def timed(of: Sequence[str], cotangent: Any, threads: int | None = None, **arguments: Any) -> tuple[Any, list[Any], Callable[[], Any]]:
        if threads is not None:
            use_threads(threads)
        leaves = [arguments[name] for name in of]
        for leaf in leaves:
            watch(leaf)
        if overwrites is not None and overwrites in of:
            arguments[overwrites] = copy(arguments[overwrites])
        result = function(**arguments)
        return (to_numpy(result.detach()), [gradient(result, leaf, cotangent) for leaf in leaves],
                lambda: [derivative(result, leaf, cotangent) for leaf in leaves])

    return timed


def gradients_of_leaves(function: Callable[..., Any], **how: Any) -> Callable[..., tuple[Any, list[Any]]]:
    """The same for Worker.gradient."""
    timed = timed_gradients_of_leaves(function, **how)
    return lambda **arguments: timed(**arguments)[:2]
