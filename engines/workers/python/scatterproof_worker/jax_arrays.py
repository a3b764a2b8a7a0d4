# SPDX-License-Identifier: Apache-2.0
"""Arrays of jax from numpy arrays, and back; and the gradients of their functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import ml_dtypes
import numpy as np

from .copies import on_copies
from .lists import take_list
from .refusals import apart_if_refused
from .tensors import bfloat16_bits, is_bfloat16


def to_jax(array: np.ndarray) -> Any:
    """A copy in row-major order, the only one that its arrays have."""
    return jax.numpy.array(array.view(np.ndarray).view(ml_dtypes.bfloat16) if is_bfloat16(array) else array)


def to_numpy(array: Any) -> np.ndarray:
    array = np.asarray(array)
    return bfloat16_bits(array) if array.dtype == ml_dtypes.bfloat16 else array


def gradients_by(function: Callable[..., Any], formed: Callable[..., Any] = lambda function: function) -> Callable[..., Any]:
    """The gradients of a function of arrays, for Worker.gradient. It gets copies of numpy arrays. `formed`
    makes an engine form of the function that computes result and gradients."""

    def gradients(of: Sequence[str], cotangent: Any, **arguments: Any) -> tuple[Any, list[Any]]:
        result, pull_back = jax.vjp(lambda *values: function(**arguments | dict(zip(of, values))),
                                    *(arguments[name] for name in of))
        return result, list(pull_back(cotangent))

    return on_copies(apart_if_refused(formed(gradients)), to_jax, _to_arrays)


def tangents_by(function: Callable[..., Any], formed: Callable[..., Any] = lambda function: function) -> Callable[..., Any]:
    """The tangents of a function of arrays, for Worker.tangent; the rest as in gradients_by."""

    def tangent(of: Sequence[str], **arguments: Any) -> tuple[Any, list[Any]]:
        tangents = take_list(arguments, "tangents")
        result, found = jax.jvp(lambda *values: function(**arguments | dict(zip(of, values))),
                                tuple(arguments[name] for name in of), tangents)
        return result, [found]

    return on_copies(formed(tangent), to_jax, _to_arrays)


def second_order_by(function: Callable[..., Any], formed: Callable[..., Any] = lambda function: function) -> Callable[..., Any]:
    """The derivatives of second order of a function of arrays, for Worker.second_order; the rest as in
    gradients_by."""

    def second_order(of: Sequence[str], cotangent: Any, **arguments: Any) -> tuple[Any, list[Any]]:
        tangents = take_list(arguments, "tangents")

        def gradients(cotangent: Any, *values: Any) -> tuple[Any, Any]:
            result, pull_back = jax.vjp(lambda *values: function(**arguments | dict(zip(of, values))), *values)
            return pull_back(cotangent), result

        _, pull_back, result = jax.vjp(gradients, cotangent, *(arguments[name] for name in of), has_aux=True)
        return result, list(pull_back(tangents))

    return on_copies(formed(second_order), to_jax, _to_arrays)


def _to_arrays(made: Any) -> Any:
    if isinstance(made, jax.Array):
        return to_numpy(made)
    result, found = made
    return to_numpy(result), [to_numpy(one) if isinstance(one, jax.Array) else one for one in found]
