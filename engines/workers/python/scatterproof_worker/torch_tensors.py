# SPDX-License-Identifier: Apache-2.0
"""Tensors of torch over the memory of numpy arrays, and back; and the gradients of their functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import torch
from torch.autograd import forward_ad

from .forms import Unsupported
from .leaves import gradients_of_leaves, timed_gradients_of_leaves
from .lists import take_list
from .tensors import bfloat16_bits, is_bfloat16


def to_torch(array: np.ndarray) -> Any:
    try:
        if is_bfloat16(array):
            return torch.from_numpy(array.view("int16")).view(torch.bfloat16)
        return torch.from_numpy(array)
    except ValueError:
        if min(array.strides, default=0) < 0:
            raise Unsupported("torch has no tensors with negative strides") from None
        raise


def to_numpy(tensor: Any) -> Any:
    if tensor.layout is not torch.strided:
        tensor = tensor.to_dense()
    if tensor.dtype is torch.bfloat16:
        return bfloat16_bits(tensor.contiguous().view(torch.int16).cpu().numpy())
    return tensor.cpu().numpy()


def gradients_by(function: Callable[..., Any], overwrites: str | None = None) -> Callable[..., tuple[Any, list[Any]]]:
    """The gradients of a function of tensors, for Worker.gradient."""
    return gradients_of_leaves(function, **_LEAVES, overwrites=overwrites)


def timed_gradients_by(function: Callable[..., Any], overwrites: str | None = None) -> Callable[..., tuple[Any, list[Any], Callable[[], Any]]]:
    """The same for Worker.timed_gradient."""
    return timed_gradients_of_leaves(function, **_LEAVES, overwrites=overwrites)


def _derivative(result: Any, leaf: Any, cotangent: Any) -> Any:
    if not result.requires_grad:
        return None
    return torch.autograd.grad(result, leaf, cotangent, retain_graph=True, allow_unused=True)[0]


def _copy(tensor: Any) -> Any:
    """With the same strides, unless elements share memory. A clone may have others, and with others an
    operator may choose another result of those that are allowed: 0.0 or -0.0."""
    if 0 in tensor.stride():
        return tensor.clone()
    return tensor.new_empty_strided(tensor.shape, tensor.stride()).copy_(tensor)


_LEAVES: dict[str, Any] = {"watch": torch.Tensor.requires_grad_, "derivative": _derivative, "to_numpy": to_numpy,
                           "copy": _copy, "use_threads": torch.set_num_threads}


def tangents_by(function: Callable[..., Any], overwrites: str | None = None) -> Callable[..., tuple[Any, list[Any]]]:
    """The tangents of a function of tensors, for Worker.tangent. The tensors are watched too: only then does
    an operator that has nothing but a backward pass say so. Otherwise it gives no tangent, without a word."""

    def tangent(of: Sequence[str], **arguments: Any) -> tuple[Any, list[Any]]:
        tangents = take_list(arguments, "tangents")
        with forward_ad.dual_level():
            for name, along in zip(of, tangents):
                arguments[name] = forward_ad.make_dual(arguments[name].requires_grad_(), along)
            if overwrites is not None and overwrites in of:
                arguments[overwrites] = _copy(arguments[overwrites])
            result, found = forward_ad.unpack_dual(function(**arguments))
            return to_numpy(result.detach()), [found if found is None else to_numpy(found.detach())]

    return tangent


def second_order_by(function: Callable[..., Any], overwrites: str | None = None) -> Callable[..., tuple[Any, list[Any]]]:
    """The derivatives of second order of a function of tensors, for Worker.second_order."""

    def second_order(of: Sequence[str], cotangent: Any, **arguments: Any) -> tuple[Any, list[Any]]:
        tangents = take_list(arguments, "tangents")
        sources = [arguments[name].requires_grad_() for name in of]
        if overwrites is not None and overwrites in of:
            arguments[overwrites] = _copy(arguments[overwrites])
        result, by = function(**arguments), [cotangent.requires_grad_(), *sources]
        found: Sequence[Any] = [None] * len(by)
        if result.requires_grad:
            gradients = torch.autograd.grad(result, sources, cotangent, create_graph=True, allow_unused=True)
            pairs = [pair for pair in zip(gradients, tangents) if pair[0] is not None and pair[0].requires_grad]
            if pairs:
                outputs, weights = zip(*pairs)
                found = torch.autograd.grad(outputs, by, weights, allow_unused=True)
        return to_numpy(result.detach()), [one if one is None else to_numpy(one) for one in found]

    return second_order


class CallModule(torch.nn.Module):  # type: ignore[misc]  # of torch no types are known here
    """A function of named tensors, as the module that torch's exporters need; `names` in the order in which
    it gets the tensors."""

    def __init__(self, function: Callable[..., Any], names: Iterable[str]) -> None:
        super().__init__()
        self._function, self._names = function, names

    def forward(self, *tensors: Any) -> Any:
        return self._function(**dict(zip(self._names, tensors)))
