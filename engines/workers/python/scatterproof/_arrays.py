# SPDX-License-Identifier: Apache-2.0
"""Arrays of any framework as numpy arrays, and numpy arrays as those of a framework."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, Union

import numpy as np
from scatterproof_worker import Unsupported, bfloat16_bits, is_bfloat16

# How a function gets its arrays: by the name of a framework, or made of a numpy array by a function.
Arrays = Union[str, Callable[[np.ndarray], Any]]

DTYPES = ("bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128")
_BY_NAME = {"bool": "bool", "uint8": "u8", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
            "float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64", "complex64": "c64",
            "complex128": "c128"}

# Packages whose arrays numpy takes by __array__, bfloat16 ones too, which __dlpack__ cannot hand to it.
_MAKE_NUMPY_ARRAYS = ("jax", "jaxlib", "tensorflow")


def dtype_name(dtype: Any) -> str:
    """`f32` of `"f32"`, `numpy.float32`, `numpy.dtype("float32")`, `torch.float32`."""
    name = dtype if isinstance(dtype, str) else getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or str(dtype)
    name = name.rpartition(".")[2]
    name = _BY_NAME.get(name, name)
    if name not in DTYPES:
        raise ValueError(f"unknown dtype {dtype!r}: use one of {', '.join(DTYPES)}")
    return name


def is_array(value: Any) -> bool:
    if isinstance(value, (np.ndarray, np.generic)):
        return isinstance(value, np.ndarray)
    return hasattr(value, "__dlpack__") or hasattr(value, "__array__")  # tensorflow.Variable


def to_numpy(value: Any) -> np.ndarray:
    """The elements of an array; those of a bfloat16 array as `Tensor16`."""
    if not isinstance(value, np.ndarray):
        value = _foreign(value)
    array: np.ndarray = bfloat16_bits(value) if value.dtype.name == "bfloat16" else value
    return array


def _foreign(value: Any) -> np.ndarray:
    package = type(value).__module__.partition(".")[0]
    if package == "torch":
        plain = value.detach().cpu().resolve_conj().resolve_neg()
        return np.asanyarray(importlib.import_module("scatterproof_worker.torch_tensors").to_numpy(plain))
    if hasattr(value, "__dlpack__") and not isinstance(value, np.generic) and package not in _MAKE_NUMPY_ARRAYS:
        return np.from_dlpack(value)
    array = np.asarray(value)
    if array.dtype == object:
        raise TypeError(f"a {type(value).__name__} is not an array: it has no __dlpack__, and numpy makes none of it")
    return array


def _to_numpy_dtype(array: np.ndarray) -> np.ndarray:
    """bfloat16 by ml_dtypes, where that is installed."""
    if not is_bfloat16(array):
        return array
    try:
        return array.view(np.ndarray).view(importlib.import_module("ml_dtypes").bfloat16)
    except ImportError:
        raise Unsupported("numpy has no bfloat16 without ml_dtypes") from None


def maker(arrays: Arrays) -> tuple[Callable[[np.ndarray], Any], bool]:
    """What makes the arrays that a function gets, and whether they are copies."""
    if callable(arrays):
        return arrays, True
    if arrays == "numpy":
        return _to_numpy_dtype, False
    if arrays == "torch":
        return importlib.import_module("scatterproof_worker.torch_tensors").to_torch, False
    if arrays == "jax":
        return importlib.import_module("scatterproof_worker.jax_arrays").to_jax, True
    raise ValueError(f"arrays={arrays!r}: use 'numpy', 'torch', 'jax', or a function that makes an array of a numpy array")


def derivatives_by(arrays: Arrays, function: Callable[..., Any],
                   overwrites: str | None) -> tuple[Callable[..., Any] | None, Callable[..., Any] | None]:
    """The gradients of a function of such arrays, for Worker.gradient, and its tangents, for Worker.tangent;
    None: these have none."""
    if arrays == "torch":
        torch = importlib.import_module("scatterproof_worker.torch_tensors")
        return torch.gradients_by(function, overwrites), torch.tangents_by(function, overwrites)
    if arrays == "jax":
        jax = importlib.import_module("scatterproof_worker.jax_arrays")
        return jax.gradients_by(function), jax.tangents_by(function)
    return None, None


def kind_of(value: Any) -> str:
    """By which of the frameworks with gradients an array was made; else numpy."""
    package = type(value).__module__.partition(".")[0]
    return {"torch": "torch", "jax": "jax", "jaxlib": "jax"}.get(package, "numpy")
