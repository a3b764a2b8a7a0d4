# SPDX-License-Identifier: Apache-2.0
"""ExecuTorch, CPU: torch.export makes a program of each call, which is lowered to the portable kernels and
run by the runtime. Keeps one for each signature."""

import logging
import os
from contextlib import redirect_stderr
from importlib.metadata import version

import torch
from executorch.exir import to_edge
from executorch.runtime import Runtime
from scatterproof_worker import Form, Unsupported, Worker
from scatterproof_worker.torch_tensors import CallModule, to_numpy, to_torch

torch._logging.set_logs(all=logging.CRITICAL)
worker = Worker(
    name="executorch", framework="torch", version=version("executorch"),
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"], tensors=to_torch,
)
runtime = Runtime.get()


def compiled(function, tensors):
    function(**tensors)  # torch's own errors come first
    try:
        with open(os.devnull, "w") as nothing, redirect_stderr(nothing):
            program = to_edge(torch.export.export(CallModule(function, tensors.keys()), (*tensors.values(),))).to_executorch()
        buffer = program.buffer  # the runtime does not copy it
        loaded = runtime.load_program(buffer)
        method = loaded.load_method("forward")
    except Exception as error:  # neither the exporter nor the runtime has a common class of its errors
        raise Unsupported(str(error).strip().split("\n")[0]) from None

    def call(**tensors):
        return method.execute(list(tensors.values()))[0].clone()

    call.keeps = buffer, loaded
    return call


form = Form(compiled, torch.Tensor, lambda tensor: (tensor.shape, tensor.dtype), seconds=0.3)


def offer(name, *parameters):
    """`torch.NAME`, with these parameters in the call's order, and others by name."""

    @form.of
    def function(**arguments):
        if arguments.get("reduce") == "none":
            del arguments["reduce"]
        return getattr(torch, name)(*[arguments.pop(each) for each in parameters], **arguments)

    worker.call(f"torch.{name}")(lambda **arguments: to_numpy(function(**{
        key: value.clone(memory_format=torch.contiguous_format) if isinstance(value, torch.Tensor) else value
        for key, value in arguments.items()})))


offer("gather", "input", "dim", "index")
offer("index_select", "input", "dim", "index")
offer("masked_select", "input", "mask")
offer("take", "input", "index")
offer("scatter", "self", "dim", "index", "src")
offer("scatter_add", "self", "dim", "index", "src")
offer("masked_fill", "self", "mask", "value")
offer("masked_scatter", "self", "mask", "source")
offer("index_add", "self", "dim", "index", "source")
offer("index_fill", "self", "dim", "index", "value")
worker.serve()
