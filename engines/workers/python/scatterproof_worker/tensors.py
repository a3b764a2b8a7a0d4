# SPDX-License-Identifier: Apache-2.0
"""Tensors between the wire (storage, shape, strides, offset) and numpy arrays; arguments of every kind."""

import numpy as np
from numpy.lib.stride_tricks import as_strided

_NUMPY = {
    "bool": np.bool_, "u8": np.uint8, "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "f16": np.float16, "f32": np.float32, "f64": np.float64, "c64": np.complex64, "c128": np.complex128,
}
_WIRE = {np.dtype(kind): name for name, kind in _NUMPY.items()}
_ALIGNMENT = 16
_CHUNK = 1 << 20


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
    bf16 = description["dtype"] == "bf16"
    dtype = np.dtype(np.uint16 if bf16 else _NUMPY[description["dtype"]])
    elements = storage.view(dtype)
    if 0 in description["shape"]:
        array = np.empty(description["shape"], dtype)
    else:
        strides = [stride * dtype.itemsize for stride in description["strides"]]
        array = as_strided(elements[description["offset"] :], description["shape"], strides)
    return array.view(Tensor16) if bf16 else array


def private_copy(array):
    """The same view (shape, strides, gaps between elements) over memory of its own, for calls that overwrite it."""
    if array.size == 0:
        return array.copy()
    # The ellipsis makes a view of an array without dimensions, too, where () would take its element out.
    first = (*(slice(None, None, -1) if stride < 0 else slice(None) for stride in array.strides), ...)
    reach = sum((size - 1) * abs(stride) for size, stride in zip(array.shape, array.strides))
    lowest = array[first].view(np.ndarray)
    memory = as_strided(lowest, (reach // array.itemsize + 1,), (array.itemsize,)).copy()
    upward = as_strided(memory, array.shape, [abs(stride) for stride in array.strides])
    return upward[first].view(type(array))


def encode_tensors(arrays):
    """Descriptions of copies of these arrays, and the payload that holds them."""
    arrays = [array if isinstance(array, np.ndarray) else np.asarray(array) for array in arrays]
    descriptions = []
    size = 0
    for array in arrays:
        start = -(-size // _ALIGNMENT) * _ALIGNMENT
        descriptions.append({
            "dtype": dtype_name(array), "shape": list(array.shape), "strides": _row_major(array.shape), "offset": 0,
            "start": start, "length": array.nbytes,
        })
        size = start + array.nbytes
    payload = bytearray(size)
    for array, description in zip(arrays, descriptions):
        if array.size > 0:
            native = array.dtype.newbyteorder("=")
            np.frombuffer(payload, native, array.size, description["start"]).reshape(array.shape)[...] = array
    return descriptions, payload


def _row_major(shape):
    strides = [1] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        strides[axis] = strides[axis + 1] * max(shape[axis + 1], 1)
    return strides


def _differ(a, b):
    """Whether two arrays of bytes do, without a third of their size."""
    return any(not np.array_equal(a[at : at + _CHUNK], b[at : at + _CHUNK]) for at in range(0, len(a), _CHUNK))


def decode_number(number):
    real = float.fromhex(number["real"])
    return complex(real, float.fromhex(number["imag"])) if "imag" in number else real


class Arguments:
    """A call's arguments as Python values. With `private`, tensors get storage of their own, so that a write shows;
    else they lie in the payload."""

    def __init__(self, wire, payload, private=True):
        self.values = {}
        self.dtypes = {}
        self._private = private
        self._storages = {}
        for name, value in wire.items():
            self.values[name] = self._decode(name, value, payload)

    def _decode(self, name, value, payload):
        if value is None:
            return None
        ((kind, content),) = value.items()
        if kind == "tensor":
            self.dtypes[name] = content["dtype"]
            return self._decode_tensor(name, content, payload)
        return decode_number(content) if kind == "number" else content

    def _decode_tensor(self, name, content, payload):
        storage = payload[content["start"] : content["start"] + content["length"]]
        if self._private:
            original, storage = storage, storage.copy()
            self._storages[name] = original, storage
        return decode_tensor(content, storage)

    def written(self):
        """The names of tensor arguments whose storage is no longer what came."""
        return [name for name, (original, storage) in self._storages.items() if _differ(original, storage)]
