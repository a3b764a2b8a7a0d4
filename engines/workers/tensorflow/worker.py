# SPDX-License-Identifier: Apache-2.0
"""tensorflow, CPU: eager, or each call as the graph of a tf.function (form `function`), which XLA compiles
(form `xla`), or whose tensors are views made in there (forms `function_views`, `xla_views`); or eager on
another device (form `device=NAME`)."""

import os
import re
from operator import attrgetter

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"  # else it prints on stderr

import ml_dtypes
import numpy as np
import tensorflow as tf
from scatterproof_worker import (Device, Form, Unsupported, Worker, apart_if_refused, bfloat16_bits, docstring, is_bfloat16, on_copies,
                                 take_list, view_by_slices)


def graph_form(view=None):
    return Form(compile=lambda function, tensors: tf.function(function, autograph=False), tensor=tf.Tensor,
                signature=signature, seconds=0.03, view=view, gradients=True)


def signature(tensor):
    return tuple(tensor.shape), tensor.dtype


def xla_form(view=None):
    return Form(compile=lambda function, tensors: tf.function(function, autograph=False, jit_compile=True),
                tensor=tf.Tensor, signature=signature, instead=instead, seconds=0.1, view=view, gradients=True)


def instead(error):
    """Unsupported if XLA does not lower the graph; tf.function has checked the call before that."""
    words = str(error)
    if "tf2xla conversion failed" not in words:
        return error
    no_kernel = re.search(r"No registered '\w+' OpKernel for \w+", words)
    return Unsupported(no_kernel[0] if no_kernel else words.split("\n")[0])


def on_device(name):
    tf.device(name).__enter__()  # for good
    there = tf.constant([1.0]) + 0
    kind = tf.DeviceSpec.from_string(there.device).device_type.lower()
    if kind not in name.lower():
        raise RuntimeError(f"tensorflow has no device {name}, only {', '.join(each.name for each in tf.config.list_logical_devices())}")

    def is_lost():
        try:
            return (tf.constant([1.0]) + 0).numpy().item() != 1
        except tf.errors.OpError:
            return True

    return Device({"gpu": "cuda"}.get(kind, kind), is_lost)


worker = Worker(
    name="tensorflow", framework="tensorflow", version=tf.__version__,
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"],
    forms={"device=NAME": on_device, "function": graph_form, "function_views": lambda: graph_form(view_by_slices(tf)),
           "xla": xla_form, "xla_views": lambda: xla_form(view_by_slices(tf))},
)


@worker.document
def _(name):
    return docstring(name, tf)


def to_tensorflow(array):
    """A copy in row-major order, the only one that its tensors have."""
    return tf.constant(array.view(np.ndarray).view(ml_dtypes.bfloat16) if is_bfloat16(array) else array)


def to_numpy(tensor):
    array = tensor.numpy()
    return bfloat16_bits(array) if tensor.dtype == tf.bfloat16 else array


def gradients_by(function):
    """The gradients of a function that gets tensors and returns one."""

    def gradients(of, cotangent, **arguments):
        sources = [arguments[name] for name in of]
        with tf.GradientTape() as tape:
            for source in sources:
                tape.watch(source)
            result = function(**arguments)
        found = tape.gradient(result, sources, output_gradients=cotangent)
        # One may hold slices alone.
        return result, [one if one is None else tf.convert_to_tensor(one) for one in found]

    return on_copies(apart_if_refused(worker.formed(gradients)), to_tensorflow, to_arrays)


def tangents_by(function):
    """The tangents of a function that gets tensors and returns one."""

    def tangent(of, **arguments):
        tangents = take_list(arguments, "tangents")
        with tf.autodiff.ForwardAccumulator([arguments[name] for name in of], list(tangents)) as accumulator:
            result = function(**arguments)
        found = accumulator.jvp(result)
        return result, [found if found is None else tf.convert_to_tensor(found)]

    return on_copies(worker.formed(tangent), to_tensorflow, to_arrays)


def to_arrays(made):
    if isinstance(made, tf.Tensor):
        return to_numpy(made)
    result, found = made
    return to_numpy(result), [to_numpy(one) if isinstance(one, tf.Tensor) else one for one in found]


def call(name, function=None):
    function = function or attrgetter(name)(tf)
    worker.call(f"tensorflow.{name}")(on_copies(worker.formed(function), to_tensorflow, to_numpy))
    worker.gradient(f"tensorflow.{name}")(gradients_by(function))
    worker.tangent(f"tensorflow.{name}")(tangents_by(function))


def call_on_variable(name):
    """A call that changes a variable, made of its first argument; the result is what it then holds."""
    function = attrgetter(name)(tf)

    def changed(ref, indices, updates):
        if worker.formed(function) is not function:
            raise Unsupported("a graph makes no variable for each call")
        return tf.convert_to_tensor(function(tf.Variable(ref), indices, updates))

    worker.call(f"tensorflow.{name}")(on_copies(changed, to_tensorflow, to_numpy))


for name in ["div", "mul", "max", "min", "update", "nd_add", "nd_sub"]:
    call_on_variable(f"compat.v1.scatter_{name}")

def method_of_variable(name, wrap=lambda updates, indices: (indices, updates)):
    """A method that changes a variable, made of its first argument; the result is what it then holds."""

    def changed(self, **arguments):
        if worker.formed(changed) is not changed:
            raise Unsupported("a graph makes no variable for each call")
        return tf.convert_to_tensor(getattr(tf.Variable(self), name)(*wrap(**arguments)))

    worker.call(f"tensorflow.Variable.{name}")(on_copies(changed, to_tensorflow, to_numpy))


for name in ["add", "sub", "update"]:
    method_of_variable(f"scatter_nd_{name}")
for name in ["add", "sub", "mul", "div", "max", "min", "update"]:
    method_of_variable(f"scatter_{name}", lambda values, indices: (tf.IndexedSlices(values, indices),))
call("boolean_mask")
call("raw_ops.InplaceUpdate", lambda x, i, v: tf.raw_ops.InplaceUpdate(x=x, i=i, v=v))
call("raw_ops.TensorStridedSliceUpdate", lambda **arguments: tf.raw_ops.TensorStridedSliceUpdate(**{
    name: tf.constant(of, tf.int64) if isinstance(of, list) else of for name, of in arguments.items()}))
call("experimental.numpy.take_along_axis")
for name in ["gather", "compat.v1.batch_gather", "gather_nd", "scatter_nd", *(f"tensor_scatter_nd_{how}" for how in ["update", "add", "sub", "max", "min"]),
             *(f"math.{order}segment_{how}" for order in ["", "unsorted_"] for how in ["sum", "prod", "max", "min", "mean"]),
             "math.unsorted_segment_sqrt_n", *(f"sparse.segment_{how}" for how in ["sum", "mean", "sqrt_n"])]:
    call(name)


worker.gradient("scatterproof.echo")(gradients_by(lambda value: tf.identity(value)))
worker.tangent("scatterproof.echo")(tangents_by(lambda value: tf.identity(value)))


@worker.call("scatterproof.echo")
def _(value):
    return to_numpy(to_tensorflow(np.asanyarray(value)))


worker.serve()
