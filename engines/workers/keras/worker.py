# SPDX-License-Identifier: Apache-2.0
"""keras.ops, CPU, on the TensorFlow back end, or on another one (form `backend=NAME`)."""

import os
from importlib.metadata import version

FORM = "backend="
os.environ["KERAS_BACKEND"] = os.environ.get("SCATTERPROOF_FORM", "").removeprefix(FORM) or "tensorflow"
# Without x64, jax narrows 64-bit arrays, so that the call is another one.
os.environ |= {"JAX_PLATFORMS": "cpu", "JAX_ENABLE_X64": "1", "TF_CPP_MIN_LOG_LEVEL": "3"}

import keras
import ml_dtypes
import numpy
from scatterproof_worker import Worker, bfloat16_bits, docstring, is_bfloat16, on_copies

worker = Worker(
    name="keras", framework="keras", version=version("keras"),
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"],
    forms={FORM + name: lambda: None for name in ["jax", "torch"]},
)


@worker.document
def _(name):
    return docstring(name, keras)


if keras.config.backend() == "torch":  # where keras converts bfloat16 through float32, and NaNs lose bits
    from scatterproof_worker.torch_tensors import to_numpy, to_torch

    def to_keras(array):
        return to_torch(array.copy())
else:
    def to_keras(array):
        plain = array.view(numpy.ndarray)
        return keras.ops.convert_to_tensor((plain.view(ml_dtypes.bfloat16) if is_bfloat16(array) else plain).copy())

    def to_numpy(tensor):
        # TensorFlow gives no array of a bfloat16 without dimensions.
        array = numpy.array(keras.ops.convert_to_numpy(keras.ops.reshape(tensor, (-1,)))).reshape(tensor.shape)
        return bfloat16_bits(array) if array.dtype == ml_dtypes.bfloat16 else array


def scatter_update(reduction="none", **arguments):
    return keras.ops.scatter_update(**arguments, **({} if reduction == "none" else {"reduction": reduction}))


worker.call("keras.ops.scatter_update")(on_copies(scatter_update, to_keras, to_numpy))
for name in ["scatter", "slice_update", "take", "take_along_axis", *(f"segment_{how}" for how in ["sum", "prod", "max", "min"])]:
    worker.call(f"keras.ops.{name}")(on_copies(getattr(keras.ops, name), to_keras, to_numpy))


@worker.call("scatterproof.echo")
def _(value):
    return to_numpy(to_keras(numpy.asanyarray(value)))


worker.serve()
