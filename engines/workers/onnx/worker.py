# SPDX-License-Identifier: Apache-2.0
"""The reference evaluator of the onnx package: the standard's own Python, without checks of dtypes or
ranks."""

from functools import lru_cache

import ml_dtypes
import numpy as np
import onnx
import onnx_one_node
import onnx_schemas
from onnx.reference import ReferenceEvaluator
from scatterproof_worker import Unsupported, Worker, bfloat16_bits, is_bfloat16

worker = Worker(
    name="onnx", framework="onnx", version=onnx.__version__,
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"],
)


@lru_cache(maxsize=256)
def evaluator(key):
    try:
        return ReferenceEvaluator(onnx_one_node.model(*key))
    except NotImplementedError as error:  # the opset is too old or too new
        raise Unsupported(str(error)) from None


def execute(key, feeds):
    feeds = {name: array.view(np.ndarray).view(ml_dtypes.bfloat16) if is_bfloat16(array) else array
             for name, array in feeds.items()}
    (result,) = evaluator(key).run(None, feeds)
    return bfloat16_bits(result) if result.dtype == ml_dtypes.bfloat16 else result


worker.document(onnx_schemas.document)
onnx_one_node.register(worker, execute)
worker.serve()
