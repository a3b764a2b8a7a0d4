# SPDX-License-Identifier: Apache-2.0
"""IREE: imports one-node models with the shapes of their inputs, compiles them for this CPU by LLVM and runs
them. Keeps one for each model and its shapes."""

from functools import lru_cache
from importlib.metadata import version

import numpy
import onnx_one_node
from iree.compiler import CompilerToolError, compile_str, ir
from iree.compiler.extras import onnx_importer
from iree.runtime import Config, SystemContext, VmModule
from onnx.shape_inference import infer_shapes
from scatterproof_worker import Unsupported, Worker

worker = Worker(
    name="iree", framework="onnx", version=version("iree-base-runtime"),
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", "f32", "f64"],
)
runtime = Config("local-task")


@lru_cache(maxsize=256)
def compiled(key, shapes):
    model = onnx_importer.ModelInfo(infer_shapes(onnx_one_node.model(*key, shapes)))
    module = model.create_module(context=ir.Context()).operation
    onnx_importer.NodeImporter.define_function(model.main_graph, module).import_all()
    try:
        code = compile_str(str(module), input_type="onnx", target_backends=["llvm-cpu"],
                           extra_args=["--iree-llvmcpu-target-cpu=host", "--iree-input-demote-f64-to-f32=false"])
    except CompilerToolError as error:
        reasons = [line for line in str(error).splitlines() if "error:" in line]
        if not reasons:  # it crashed
            raise
        raise Unsupported(reasons[0].partition("error:")[2].strip()) from None
    context = SystemContext(config=runtime)
    context.add_vm_module(VmModule.copy_buffer(runtime.vm_instance, code))
    return context.modules.module[key[0]]


def execute(key, feeds):
    inputs = [numpy.array(each, order="C") for each in feeds.values()]
    result = numpy.array(compiled(key, onnx_one_node.shapes(feeds))(*inputs).to_host())
    return result.view(inputs[0].dtype)  # its integers have no sign


onnx_one_node.register(worker, execute)
worker.serve()
