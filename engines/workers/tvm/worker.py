# SPDX-License-Identifier: Apache-2.0
"""Apache TVM: imports one-node models into Relax, with the shapes of their inputs, compiles them by LLVM and
runs them in its virtual machine. Keeps one for each model and its shapes."""

import warnings
from functools import lru_cache
from importlib.metadata import version

warnings.simplefilter("ignore")  # the importer's remarks on models without a shape of the output

import ml_dtypes
import numpy
import onnx_one_node
import tvm
from scatterproof_worker import Unsupported, Worker, bfloat16_bits, is_bfloat16
from tvm import relax
from tvm.relax.frontend.onnx import from_onnx

worker = Worker(
    name="tvm", framework="onnx", version=version("apache-tvm"),
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"],
)
# What the importer and the compiler say of a call that they have no code for.
NO_LOWERING = "is unsupported: the fallback lowering", "cannot emit this Relax operator directly"


@lru_cache(maxsize=256)
def compiled(key, shapes):
    try:
        executable = tvm.compile(from_onnx(onnx_one_node.model(*key, shapes)), target="llvm")
    except Exception as error:
        if any(words in str(error) for words in NO_LOWERING) or isinstance(error, tvm.error.OpNotImplemented):
            raise Unsupported(str(error)) from None
        raise
    return relax.VirtualMachine(executable, tvm.cpu())["main"]


def to_tvm(array):
    array = array.view(ml_dtypes.bfloat16) if is_bfloat16(array) else array
    return tvm.runtime.tensor(numpy.array(array, order="C"))


def execute(key, feeds):
    result = compiled(key, onnx_one_node.shapes(feeds))(*map(to_tvm, feeds.values())).numpy()
    return bfloat16_bits(result.view(numpy.uint16)) if result.dtype == ml_dtypes.bfloat16 else result


onnx_one_node.register(worker, execute)
worker.serve()
