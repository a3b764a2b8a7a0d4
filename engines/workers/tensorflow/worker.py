# SPDX-License-Identifier: Apache-2.0
"""tensorflow, eager mode, CPU."""

import os

os.environ |= {"TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0"}  # else it talks on stderr

import ml_dtypes
import numpy as np
import tensorflow as tf
from scatterproof_worker import Unsupported, Worker, bfloat16_bits, docstring, is_bfloat16

worker = Worker(
    name="tensorflow", framework="tensorflow", version=tf.__version__,
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"],
)


@worker.document
def _(name):
    return docstring(name, tf)


def to_tensorflow(array):
    """A copy in row-major order, the only one that its tensors have."""
    return tf.constant(array.view(np.ndarray).view(ml_dtypes.bfloat16) if is_bfloat16(array) else array)


def to_numpy(tensor):
    array = tensor.numpy()
    if array.ndim > 8:
        raise Unsupported(f"the result has {array.ndim} dimensions, and 8 is the most that can be sent")
    return bfloat16_bits(array) if tensor.dtype == tf.bfloat16 else array


def call(name):
    function = tf
    for part in name.split("."):
        function = getattr(function, part)

    @worker.call(f"tensorflow.{name}")
    def _(**arguments):
        tensors = {name: to_tensorflow(value) for name, value in arguments.items() if isinstance(value, np.ndarray)}
        try:
            return to_numpy(function(**arguments | tensors))
        finally:
            for name, tensor in tensors.items():  # a write into a tensor shows in the array that it is a copy of
                np.copyto(arguments[name], to_numpy(tensor))


call("gather_nd")
call("tensor_scatter_nd_update")
call("tensor_scatter_nd_add")
call("tensor_scatter_nd_sub")
call("tensor_scatter_nd_max")
call("tensor_scatter_nd_min")
call("scatter_nd")
call("gather")
call("math.unsorted_segment_sum")
call("math.segment_sum")


@worker.call("scatterproof.echo")
def _(value):
    return to_numpy(to_tensorflow(np.asanyarray(value)))


worker.serve()
