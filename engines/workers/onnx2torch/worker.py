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
from scatterproof_worker import Unsupported, Worker
from scatterproof_worker.torch_tensors import to_numpy, to_torch

worker = Worker(
    name="onnx2torch", framework="onnx", version=version("onnx2torch"),
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"],
)


@lru_cache(maxsize=256)
def module(key):
    return onnx2torch.convert(onnx_one_node.model(*key))


def execute(key, feeds):
    try:
        result = module(key)(*map(to_torch, feeds.values()))
    except NotImplementedError as error:  # the operator, the opset or an attribute has no converter
        raise Unsupported(str(error)) from None
    return to_numpy(result)


onnx_one_node.register(worker, execute)
worker.serve()
