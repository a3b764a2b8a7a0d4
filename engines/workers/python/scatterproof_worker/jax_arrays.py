# SPDX-License-Identifier: Apache-2.0
"""Arrays of jax from numpy arrays, and back."""

from __future__ import annotations

from typing import Any

import jax
import ml_dtypes
import numpy as np

from .tensors import bfloat16_bits, is_bfloat16


def to_jax(array: np.ndarray) -> Any:
    """A copy in row-major order, the only one that its arrays have."""
    return jax.numpy.array(array.view(np.ndarray).view(ml_dtypes.bfloat16) if is_bfloat16(array) else array)


def to_numpy(array: Any) -> np.ndarray:
    array = np.asarray(array)
    return bfloat16_bits(array) if array.dtype == ml_dtypes.bfloat16 else array
