# SPDX-License-Identifier: Apache-2.0
"""Tensors between the wire (storage, shape, strides, offset) and numpy arrays; arguments of every kind."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from .devices import MovedStorages
from .forms import Place, Unsupported, View
from .reused import ReusedTensors

_NUMPY: dict[str, np.dtype[Any]] = {name: np.dtype(kind) for name, kind in {
    "bool": np.bool_, "u8": np.uint8, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "f16": np.float16, "f32": np.float32, "f64": np.float64, "c64": np.complex64, "c128": np.complex128,
}.items()}
_WIRE = {dtype: name for name, dtype in _NUMPY.items()}  # in the machine's byte order
_BITS = np.dtype(np.uint16)
_ALIGNMENT = 16
_CHUNK = 1 << 20
_LARGEST_PAYLOAD = 1 << 30  # bytes of a message
MOST_DIMENSIONS = 8  # of a tensor on the wire
# The tool starts twins of a worker with different patterns in uninitialised memory. glibc fills the heap;
# this module fills the memory around an argument. Where that memory is guarded, it always has a pattern.
_TWIN = int(os.environ.get("MALLOC_PERTURB_") or 0) & 255
_PATTERN = _TWIN or 0x5A
_MARGIN = 4096
_UNTOUCHED = bytes([_PATTERN]) * _MARGIN


class Tensor16(np.ndarray):
    """The bit patterns of a bf16 tensor, which numpy has no dtype for: a uint16 array that is marked as
    bf16."""


def bfloat16_bits(array: Any) -> Tensor16:
    """Marks an array of 16-bit patterns as bf16."""
    return np.asarray(array).view(np.uint16).view(Tensor16)


def is_bfloat16(array: Any) -> bool:
    return isinstance(array, Tensor16)


def dtype_name(array: np.ndarray) -> str:
    """The wire's name of an array's dtype. Raises TypeError if the wire has none."""
    if isinstance(array, Tensor16):
        return "bf16"
    name = _WIRE.get(array.dtype) or _WIRE.get(array.dtype.newbyteorder("="))
    if name is None:
        raise TypeError(f"a result of dtype {array.dtype} cannot be sent")
    return name


class _Layout:
    """What the wire says about a tensor, except where its storage is. Equal layouts are the same object
    (`_layout`)."""

    __slots__ = ("kind", "dtype", "shape", "strides", "offset", "place")

    def __init__(self, dtype: str, offset: int, rank: int, *shape_and_strides: int) -> None:
        self.kind: type[np.ndarray]
        self.dtype: np.dtype[Any]
        self.kind, self.dtype = (Tensor16, _BITS) if dtype == "bf16" else (np.ndarray, _NUMPY[dtype])
        size = self.dtype.itemsize
        self.shape = shape_and_strides[:rank]
        self.strides = tuple(stride * size for stride in shape_and_strides[rank:])
        self.offset = offset * size
        self.place: Place = self.shape, shape_and_strides[rank:], offset  # in elements

    def size(self) -> int:
        """Bytes of the elements."""
        return prod(self.shape) * self.dtype.itemsize

    def over(self, storage: np.ndarray) -> np.ndarray:
        """The tensor over a storage, an array of bytes, which may be smaller than one element if there is
        none."""
        if 0 in self.shape:
            return self.kind(self.shape, self.dtype)
        return self.kind(self.shape, self.dtype, storage, self.offset, self.strides)

    def whole(self, storage: np.ndarray) -> np.ndarray:
        """All elements of a storage, as a tensor of one dimension."""
        return self.kind((len(storage) // self.dtype.itemsize,), self.dtype, storage)


_layout = lru_cache(maxsize=4096)(_Layout)


@lru_cache(maxsize=4096)
def _described(dtype: str, shape: tuple[int, ...]) -> str:
    """The JSON of a tensor in row-major order, without the place of its bytes."""
    if len(shape) > MOST_DIMENSIONS:
        raise Unsupported(f"a tensor of more than {MOST_DIMENSIONS} dimensions cannot be answered with")
    strides = [1] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * max(shape[axis + 1], 1)
    return f'"dtype":"{dtype}","shape":{list(shape)},"strides":{strides},"offset":0'


def encode_tensors(arrays: Iterable[Any]) -> tuple[str, bytes]:
    """The JSON that describes copies of these arrays, and the payload that holds them."""
    descriptions = []
    parts = []
    size = 0
    for array in arrays:
        array = np.asanyarray(array)
        described = _described(dtype_name(array), array.shape)
        if not array.dtype.isnative:
            array = array.astype(array.dtype.newbyteorder("="))
        if size + array.nbytes > _LARGEST_PAYLOAD:
            raise Unsupported("results of more than a GiB do not go through the worker protocol")
        if gap := -size % _ALIGNMENT:
            parts.append(bytes(gap))
        data = array.tobytes()
        parts.append(data)
        size += gap
        descriptions.append(f'{{{described},"start":{size},"length":{len(data)}}}')
        size += len(data)
    return f"[{','.join(descriptions)}]", b"".join(parts)


def _private(storage: np.ndarray, guarded: bool) -> np.ndarray:
    """A copy of a storage; where it is guarded, or in a twin, with the pattern on either side."""
    if not (guarded or _TWIN):
        return storage.copy()
    room = np.full(len(storage) + 2 * _MARGIN, _PATTERN, np.uint8)
    copy = room[_MARGIN : _MARGIN + len(storage)]
    copy[...] = storage
    return copy


def _is_untouched(room: Any) -> bool:
    return bool(room[:_MARGIN].tobytes() == _UNTOUCHED and room[-_MARGIN:].tobytes() == _UNTOUCHED)


def _differ(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays of bytes do, without another one of their size."""
    if len(a) <= _CHUNK:
        return a.tobytes() != b.tobytes()
    return any(a[at : at + _CHUNK].tobytes() != b[at : at + _CHUNK].tobytes() for at in range(0, len(a), _CHUNK))


def decode_number(number: Mapping[str, str]) -> float | complex:
    real = float.fromhex(number["real"])
    return complex(real, float.fromhex(number["imag"])) if "imag" in number else real


class Arguments:
    """A call's arguments as Python values, tensors as `own` makes them of arrays. With `private`, tensors are
    in memory of the call's own, so that an illegal write shows: any write except into the argument that is
    `overwritten`. That memory may come from earlier calls (`reused`). Otherwise tensors are in the payload.
    Tensors that share a part of the payload share memory. With `views`, they are Views of their storages.
    With `guarded`, a write around that memory shows too. With `moved`, they are on a device."""

    def __init__(self, wire: Mapping[str, Any], payload: Any, own: Callable[[np.ndarray], Any], private: bool = True,
                 overwritten: str | None = None, reused: ReusedTensors | None = None, views: bool = False,
                 guarded: bool = False, moved: MovedStorages | None = None) -> None:
        self.values: dict[str, Any] = {}
        self.dtypes: dict[str, str] = {}
        self.reusable: list[tuple[Any, np.ndarray, Any]] = []  # form, storage and tensor
        # name, what came, storage and layout of each tensor of the call's own
        self._stored: list[tuple[str, np.ndarray, np.ndarray, _Layout]] = []
        self._own = own
        self._overwritten = overwritten
        self._reused = reused
        self._views = views
        self._guarded = guarded
        self._moved = moved
        self._storages: dict[tuple[int, int], np.ndarray] = {}
        for name, value in wire.items():
            if value is not None:
                ((kind, value),) = value.items()
                if kind == "tensor":
                    self.dtypes[name] = value["dtype"]
                    value = self._tensor(name, value, payload, private)
                elif kind == "number":
                    value = decode_number(value)
            self.values[name] = value

    def _tensor(self, name: str, description: Mapping[str, Any], payload: Any, private: bool) -> Any:
        start, length = part = description["start"], description["length"]
        shape = description["shape"]
        layout = _layout(description["dtype"], description["offset"], len(shape), *shape, *description["strides"])
        original = payload[start : start + length]
        if not private:
            return self._made(layout, original)
        storage, tensor = self._storages.get(part), None
        form = None
        if storage is None and self._reused and name != self._overwritten:
            form = name, length, layout
            storage, tensor = self._reused.take(form, original)
        if storage is None:
            storage = _private(original, self._guarded)
        if tensor is None:
            tensor = self._made(layout, storage)
        self._storages[part] = storage
        if form:
            self.reusable.append((form, storage, tensor))
        self._stored.append((name, original, storage, layout))
        return tensor

    def _made(self, layout: _Layout, storage: np.ndarray) -> Any:
        if self._moved:
            name = layout.kind.__name__ + layout.dtype.name
            return self._moved.tensor(storage, name, lambda: self._own(layout.whole(storage)), layout.place)
        if self._views:
            return View(self._own(layout.whole(storage)), layout.place)
        return self._own(layout.over(storage))

    def bring_back(self) -> None:
        """After a call on a device: what it has written shows here."""
        if self._moved:
            self._moved.bring_back()

    def changed(self) -> list[str]:
        """The names of tensor arguments whose storage has changed."""
        return [name for name, original, storage, _ in self._stored if _differ(original, storage)]

    def written(self) -> list[str]:
        """The same, without the argument that the call overwrites by contract."""
        return [name for name in self.changed() if name != self._overwritten]

    def stray_write(self) -> str:
        """What the call wrote between or around the elements of the argument that it overwrites, or around
        the memory of one that is guarded; empty: nothing."""
        for name, original, storage, layout in self._stored:
            if self._guarded and not _is_untouched(storage.base):
                return f"the call wrote outside the memory of its argument {name}: bytes next to it changed"
            if name == self._overwritten and len(original) > layout.size():
                restored = storage.copy()
                layout.over(restored)[...] = layout.over(original)
                if _differ(original, restored):
                    return (f"the call wrote between or around the elements of its argument {name}: bytes of its "
                            "storage changed that are not part of it")
        return ""
