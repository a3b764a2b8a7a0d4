# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def sliced_view(framework, base, start, end, rows, order, sizes, shape):  # type: ignore[no-untyped-def]
    """A view of an equal of base, a tensor of one dimension. slices_of gives the other arguments."""
    if 0 in shape:
        return framework.reshape(base[:0], shape)
    view = base[::-1][::-1][start:end]
    for grid, missing, length, turned in rows:
        if missing > 0:
            view = framework.concat((view, view[..., :missing]), axis=-1)
        view = framework.reshape(view, grid)[..., :length]
        if turned:
            view = view[..., ::-1, :]
    view = framework.transpose(view[..., 0], order)
    return framework.broadcast_to(framework.reshape(view, sizes), shape)


def slices_of(shape: Sequence[int], strides: Sequence[int], offset: int) -> tuple[Any, ...]:
    """The slices, reshapes and transposition that make what torch.as_strided would. A dimension of size n and
    stride k turns a run of elements into n rows of k, and the inner dimensions use the start of each row.
    Raises ValueError if they need more than a row."""
    axes = [axis for axis, size in enumerate(shape) if size > 1 and strides[axis] and 0 not in shape]
    axes.sort(key=lambda axis: -abs(strides[axis]))
    spans = [1 + sum(abs(strides[axis]) * (shape[axis] - 1) for axis in axes[outer:]) for outer in range(len(axes) + 1)]
    start = offset + sum(strides[axis] * (shape[axis] - 1) for axis in axes if strides[axis] < 0)
    rows: list[Any] = []
    grid: tuple[int, ...] = ()
    for axis, outer, inner in zip(axes, spans, spans[1:]):
        size, stride = shape[axis], abs(strides[axis])
        if inner > stride:
            raise ValueError(f"no slices have the strides {list(strides)}")
        rows.append(((*grid, size, stride), size * stride - outer, inner, strides[axis] < 0))
        grid += (size,)
    order = tuple(axes.index(axis) for axis in sorted(axes))
    sizes = tuple(size if axis in axes else 1 for axis, size in enumerate(shape))
    return start, start + spans[0], tuple(rows), order, sizes, tuple(shape)
