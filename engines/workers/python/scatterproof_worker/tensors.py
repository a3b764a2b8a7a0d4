# SPDX-License-Identifier: Apache-2.0
"""Tensors between the wire (storage, shape, strides, offset) and numpy arrays; arguments of every kind."""

import os

import numpy as np

_NUMPY = {name: np.dtype(kind) for name, kind in {
    "bool": np.bool_, "u8": np.uint8, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "f16": np.float16, "f32": np.float32, "f64": np.float64, "c64": np.complex64, "c128": np.complex128,
}.items()}
_WIRE = {dtype: name for name, dtype in _NUMPY.items()}
_BITS = np.dtype(np.uint16)
_ALIGNMENT = 16
_CHUNK = 1 << 20
# The tool starts twins of a worker with different patterns in the memory that nobody has written. glibc sees to that
# within the heap; what lies beside an argument is laid out here.
_PATTERN = int(os.environ.get("MALLOC_PERTURB_") or 0) & 255
_MARGIN = 4096


class Tensor16(np.ndarray):
    """The bit patterns of a bf16 tensor, for want of a numpy dtype: an array of uint16 that remembers it."""


def bfloat16_bits(array):
    """Marks an array of 16-bit patterns as bf16."""
    return np.asarray(array).view(np.uint16).view(Tensor16)


def is_bfloat16(array):
    return isinstance(array, Tensor16)


def dtype_name(array):
    """The wire's name of an array's dtype. Raises TypeError where the wire has none."""
    if is_bfloat16(array):
        return "bf16"
    try:
        return _WIRE[array.dtype.newbyteorder("=")]
    except KeyError:
        raise TypeError(f"a result of dtype {array.dtype} cannot be sent") from None


def decode_tensor(description, storage):
    """The view that the message describes, over a storage: an array of bytes."""
    name, shape = description["dtype"], description["shape"]
    kind, dtype = (Tensor16, _BITS) if name == "bf16" else (np.ndarray, _NUMPY[name])
    if 0 in shape:
        return kind(shape, dtype)
    size = dtype.itemsize
    strides = [stride * size for stride in description["strides"]]
    return kind(shape, dtype, storage, description["offset"] * size, strides)


def encode_tensors(arrays):
    """Descriptions of copies of these arrays, and the payload that holds them."""
    descriptions = []
    parts = []
    size = 0
    for array in arrays:
        array = np.asanyarray(array)
        name = dtype_name(array)
        data = array.astype(array.dtype.newbyteorder("="), copy=False).tobytes()
        gap = -size % _ALIGNMENT
        descriptions.append({
            "dtype": name, "shape": list(array.shape), "strides": _row_major(array.shape), "offset": 0,
            "start": size + gap, "length": len(data),
        })
        parts += (bytes(gap), data)
        size += gap + len(data)
    return descriptions, b"".join(parts)


def _private(storage):
    """A copy of a storage; in a twin, with the pattern on either side."""
    if not _PATTERN:
        return storage.copy()
    room = np.full(len(storage) + 2 * _MARGIN, _PATTERN, np.uint8)
    copy = room[_MARGIN : _MARGIN + len(storage)]
    copy[...] = storage
    return copy


def _row_major(shape):
    strides = [1] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * max(shape[axis + 1], 1)
    return strides


def _differ(a, b):
    """Whether two arrays of bytes do, without another one of their size."""
    for at in range(0, len(a), _CHUNK):
        if a[at : at + _CHUNK].tobytes() != b[at : at + _CHUNK].tobytes():
            return True
    return False


def decode_number(number):
    real = float.fromhex(number["real"])
    return complex(real, float.fromhex(number["imag"])) if "imag" in number else real


class Arguments:
    """A call's arguments as Python values, tensors as `own` makes them of arrays. With `private`, tensors lie in memory
    of the call's own, so that a write shows where none is due: anywhere but in the argument that is `overwritten`. That
    may be memory of earlier calls, from `reused`. Else they lie in the payload. Tensors that share a part of the payload
    share memory."""

    def __init__(self, wire, payload, own, private=True, overwritten=None, reused=None):
        self.values = {}
        self.dtypes = {}
        self.reusable = []  # form, storage and tensor
        self._stored = []  # name, what came and the storage of each tensor of the call's own
        self._own = own
        self._overwritten = overwritten
        self._reused = reused
        self._storages = {}
        for name, value in wire.items():
            if value is not None:
                ((kind, value),) = value.items()
                if kind == "tensor":
                    self.dtypes[name] = value["dtype"]
                    value = self._tensor(name, value, payload, private)
                elif kind == "number":
                    value = decode_number(value)
            self.values[name] = value

    def _tensor(self, name, description, payload, private):
        start, length = part = description["start"], description["length"]
        original = payload[start : start + length]
        if not private:
            return self._own(decode_tensor(description, original))
        storage, tensor = self._storages.get(part), None
        form = None
        if storage is None and name != self._overwritten and self._reused:
            form = name, description["dtype"], length, description["offset"], *description["shape"], *description["strides"]
            storage, tensor = self._reused.take(form, original) or (None, None)
        if storage is None:
            storage = _private(original)
        if tensor is None:
            tensor = self._own(decode_tensor(description, storage))
        self._storages[part] = storage
        if form:
            self.reusable.append((form, storage, tensor))
        self._stored.append((name, original, storage))
        return tensor

    def changed(self):
        """The names of tensor arguments whose storage is no longer what came."""
        return [name for name, original, storage in self._stored if _differ(original, storage)]

    def written(self):
        """The same, without the argument that the call overwrites by contract."""
        return [name for name in self.changed() if name != self._overwritten]
