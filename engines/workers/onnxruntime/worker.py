# SPDX-License-Identifier: Apache-2.0
"""ONNX Runtime, CPU, or another execution provider (form `provider=NAME`). Keeps one
session for each model, with the default number of threads. Timed calls have sessions of their own, with the
requested number of threads, inputs bound once and an output allocated beforehand."""

import ctypes
import math
from functools import lru_cache, partial

import numpy
import onnx_one_node
import onnxruntime
from onnx import TensorProto
from onnxruntime.capi.onnxruntime_pybind11_state import InvalidArgument
from onnxruntime.capi.onnxruntime_pybind11_state import NotImplemented as NoKernel
from scatterproof_worker import Device, Unsupported, Worker, bfloat16_bits, is_bfloat16

providers = ["CPUExecutionProvider"]


def by_provider(name):
    """With the CPU's for nodes that the provider does not take, as in all sessions."""
    provider = f"{name}ExecutionProvider"
    known = onnxruntime.get_available_providers()
    if provider not in known:
        raise RuntimeError(f"this onnxruntime has no {provider}, only {', '.join(known)}")
    providers.insert(0, provider)
    return Device(name.lower(), is_lost=lambda: False)


worker = Worker(
    name="onnxruntime", framework="onnx", version=onnxruntime.__version__,
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"],
    forms={"provider=NAME": by_provider},
)
SILENT = 4
KEPT_SESSIONS = 64  # each has a pool of threads, and a machine with many cores would have too many


def make_session(key, threads=None):
    options = onnxruntime.SessionOptions()
    if threads:
        options.intra_op_num_threads = threads
    else:
        # The default number of threads, but waiting threads sleep: otherwise the threads of all kept sessions
        # would spin on cores that others need.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = SILENT
    try:
        model = onnx_one_node.model(*key).SerializeToString()
        return onnxruntime.InferenceSession(model, options, providers=providers)
    except NoKernel as error:  # the operator is known, its kernel for these dtypes was never written
        raise Unsupported(str(error)) from None
    except InvalidArgument as error:
        if "is under development" not in str(error):
            raise
        raise Unsupported(f"onnxruntime {onnxruntime.__version__} is older than opset {key[1]}") from None


session = lru_cache(maxsize=KEPT_SESSIONS)(make_session)


def to_ort(array):
    """bf16 has no numpy dtype, so its bits travel together with the element type."""
    if is_bfloat16(array):
        if not hasattr(onnxruntime.OrtValue, "ortvalue_from_numpy_with_onnx_type"):
            raise Unsupported(f"onnxruntime {onnxruntime.__version__} makes no bf16 tensors of numpy arrays")
        return onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type(array.copy(), TensorProto.BFLOAT16)
    return onnxruntime.OrtValue.ortvalue_from_numpy(numpy.asarray(array, order="C"))


def execute(key, feeds):
    if not any(map(is_bfloat16, feeds.values())):
        return session(key).run(None, feeds)[0]
    (result,) = session(key).run_with_ort_values(None, {name: to_ort(array) for name, array in feeds.items()})
    return from_ort(result)


def from_ort(result):
    if result.element_type() != TensorProto.BFLOAT16:
        return result.numpy()
    size = math.prod(result.shape())  # numpy() refuses bf16, the memory does not
    bits = numpy.frombuffer(ctypes.string_at(result.data_ptr(), 2 * size) if size else b"", numpy.uint16)
    return bfloat16_bits(bits.reshape(result.shape()))


def prepare(key, feeds, threads, in_place):
    operator = key[0]
    if in_place and operator.startswith("Scatter"):
        raise Unsupported("ONNX Runtime has no in-place form")
    timed = make_session(key, threads)
    inputs = {name: to_ort(array) for name, array in feeds.items()}
    (result,) = timed.run_with_ort_values(None, inputs)
    binding = timed.io_binding()
    for name, value in inputs.items():
        binding.bind_ortvalue_input(name, value)
    binding.bind_ortvalue_output("output", result)
    return from_ort(result), partial(timed.run_with_iobinding, binding)


onnx_one_node.register(worker, execute)
onnx_one_node.register_timed(worker, prepare)
worker.serve()
