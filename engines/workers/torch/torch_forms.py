# SPDX-License-Identifier: Apache-2.0
"""The forms of torch: `compile`, each call compiled by torch.compile as a whole; `compile_views`, which makes
its tensors in there, as views of others that it computes; `onnx`, each call exported by torch.onnx.export and
executed by ONNX Runtime; and `device=NAME`, each call on a device."""

import inspect
import io
import logging
import os
import sys
import warnings
from functools import cache, partial

import torch
from scatterproof_worker import Device, Form, Unsupported
from scatterproof_worker.torch_tensors import CallModule


def chain(error):
    """An error and its causes."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def first_line(error):
    return str(error).split("\n")[0]


def signature(tensor):
    return tensor.shape, tensor.dtype, tensor.stride(), tensor.requires_grad


def without_values():
    """The errors of tensors without values."""
    from torch._subclasses import fake_tensor
    from torch.fx.experimental import symbolic_shapes

    return (fake_tensor.DataDependentOutputException, fake_tensor.DynamicOutputShapeException,
            fake_tensor.UnsupportedFakeTensorException, fake_tensor.UnsupportedOperatorException,
            symbolic_shapes.GuardOnDataDependentSymNode)


def strided(shape, strides, offset):
    """The function that makes such a view of a base."""
    if min(strides, default=0) < 0:
        raise Unsupported("torch has no tensors with negative strides")
    return lambda base: torch.as_strided(base, shape, strides, offset)


def view(*place):
    of_base = strided(*place)
    return lambda base: of_base(base.flip(0).flip(0))


def compiled_form(view=None):
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"  # no pool of processes
    import torch._dynamo
    import torch._inductor.exc

    torch._logging.set_logs(all=logging.CRITICAL)  # else each refusal is printed on stderr with its traceback
    of_compiler = torch._dynamo.exc.TorchDynamoException, torch._inductor.exc.InductorError
    of_tracing = without_values()

    def compile(function, tensors):
        def call(**tensors):
            return function(**tensors)

        call.__code__ = call.__code__.replace()  # code that is compiled for many signatures is given up
        return torch.compile(call, fullgraph=True, dynamic=False)

    def instead(error):
        """The error that the call raised while it was traced, or Unsupported if the compiler does not support
        it."""
        if not isinstance(error, of_compiler):
            return error
        origin = next((each for each in chain(error) if not isinstance(each, of_compiler)), None)
        is_refusal = isinstance(error, torch._dynamo.exc.TorchRuntimeError) and not isinstance(origin, of_tracing)
        return origin if origin and is_refusal else Unsupported(first_line(error))

    some = torch.zeros(2)
    compile(torch.neg, {})(input=some)  # the first one takes a compiler 20 seconds
    # What is watched is a tensor that the function gets, not a view that it makes.
    return Form(compile, torch.Tensor, signature, instead, seconds=1.5, view=view, gradients=view is None)


def exported_form():
    if "dynamo" not in inspect.signature(torch.onnx.export).parameters:
        sys.exit(f"torch {torch.__version__} has no exporter to ONNX that starts from torch.export: 2.5 is the first that does")
    try:
        import onnxruntime
        import onnxruntime.capi.onnxruntime_pybind11_state as ort
        import onnxscript
    except ImportError as error:
        sys.exit(f"{error}, which the form onnx needs: `scatterproof engines install torch` adds it")
    from torch._dynamo.exc import TorchDynamoException
    from torch.onnx import OnnxExporterError
    from torch.onnx._internal.exporter._errors import TorchExportError
    from torch.onnx._internal.exporter._registration import ONNXRegistry

    # else the sources of 500 functions are read again for each call, which takes two thirds of the time
    ONNXRegistry.from_torchlib = staticmethod(cache(ONNXRegistry.from_torchlib))
    torch._logging.set_logs(all=logging.CRITICAL)
    warnings.simplefilter("ignore")
    of_exporter = OnnxExporterError, TorchDynamoException, *without_values()
    options = onnxruntime.SessionOptions()
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # as the worker of onnxruntime
    options.log_severity_level = 4  # silent

    def session_of(model):
        try:
            return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # ONNX Runtime has no common class of its errors
            raise Unsupported(first_line(error)) from None

    def to_ort(tensor):  # numpy has no bf16, and ONNX Runtime no bool of DLPack
        if tensor.dtype is torch.bfloat16:
            return onnxruntime.OrtValue.from_dlpack(tensor.contiguous())
        return onnxruntime.OrtValue.ortvalue_from_numpy(tensor.numpy())

    def from_ort(value):
        return torch.from_dlpack(value) if value.data_type() == "tensor(bfloat16)" else torch.from_numpy(value.numpy())

    def compile(function, tensors):
        program = torch.onnx.export(CallModule(function, tensors.keys()).eval(), (*tensors.values(),), dynamo=True, verbose=False)
        model = io.BytesIO()
        program.save(model)
        session = session_of(model.getvalue())
        names = dict(zip(tensors, (each.name for each in session.get_inputs()), strict=True))

        def call(**tensors):
            values = {names[name]: to_ort(tensor) for name, tensor in tensors.items()}
            return from_ort(session.run_with_ort_values(None, values)[0])

        return call

    def instead(error):
        """The error that the call raised while it was traced, or Unsupported if it cannot be exported or has
        no kernel."""
        if isinstance(error, OnnxExporterError):
            origin = error.__cause__ if isinstance(error, TorchExportError) else [*chain(error)][-1]
            is_refusal = isinstance(error, TorchExportError) and not isinstance(origin, of_exporter)
            return origin if is_refusal else Unsupported(first_line(origin))
        no_kernel = isinstance(error, ort.RuntimeException) and "not supported" in str(error)
        return Unsupported(first_line(error)) if no_kernel else error

    some = {"input": torch.zeros(2)}
    compile(torch.neg, some)(**some)  # the first one loads what the others use
    return Form(compile, torch.Tensor, signature, instead, seconds=0.3)


def bytes_of(base):
    return base.view(torch.uint8)


def on_device(name):
    device = torch.device(name)

    def compute():
        return torch.zeros(1, device=device).add_(1).cpu()

    def is_lost():  # after an assertion of a CUDA kernel, each further call raises the same error
        try:
            return compute().item() != 1
        except RuntimeError:
            return True

    compute()  # raises torch's error if there is no such device
    wait = getattr(getattr(torch, device.type, None), "synchronize", lambda: None)
    # As bytes: between elements there may be some that no element of the dtype has.
    return Device(device.type, is_lost, wait, put=lambda base: bytes_of(base).to(device, copy=True).view(base.dtype),
                  view=lambda base, *place: strided(*place)(base),
                  fetch=lambda there, here: bytes_of(here).copy_(bytes_of(there)))


FORMS = {"device=NAME": on_device, "compile": compiled_form, "compile_views": partial(compiled_form, view),
         "onnx": exported_form}
