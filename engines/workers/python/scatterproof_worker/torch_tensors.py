# SPDX-License-Identifier: Apache-2.0
"""Tensors of torch over the memory of numpy arrays, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from .forms import Unsupported
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
    if tensor.dtype is torch.bfloat16:
        return bfloat16_bits(tensor.contiguous().view(torch.int16).numpy())
    return tensor.numpy()
