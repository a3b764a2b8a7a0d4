# SPDX-License-Identifier: Apache-2.0
"""onnx2torch: converts one-node ONNX models to torch modules, which torch executes eagerly on the CPU."""

import sys
from functools import lru_cache
from importlib.metadata import version
from types import ModuleType

# onnx2torch imports torchvision for two other operators. A build that fits torch's CPU build may not exist,
# so an empty module replaces it.
vision = sys.modules["torchvision"] = sys.modules["torchvision.ops"] = ModuleType("torchvision")
vision.roi_align = None

import onnx_one_node
import onnx2torch
import torch
from scatterproof_worker import Unsupported, Worker, bfloat16_bits, is_bfloat16

worker = Worker(
    name="onnx2torch", framework="onnx", version=version("onnx2torch"),
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"],
)


@lru_cache(maxsize=256)
def module(key):
    return onnx2torch.convert(onnx_one_node.model(*key))


def to_torch(array):
    if min(array.strides, default=0) < 0:
        raise Unsupported("torch has no tensors with negative strides")
    return torch.from_numpy(array.view("int16")).view(torch.bfloat16) if is_bfloat16(array) else torch.from_numpy(array)


def execute(key, feeds):
    try:
        result = module(key)(*map(to_torch, feeds.values()))
    except NotImplementedError as error:  # the operator, the opset or an attribute has no converter
        raise Unsupported(str(error)) from None
    if result.dtype is torch.bfloat16:
        return bfloat16_bits(result.contiguous().view(torch.int16).numpy())
    return result.numpy()


onnx_one_node.register(worker, execute)
worker.serve()
