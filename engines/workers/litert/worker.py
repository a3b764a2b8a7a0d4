# SPDX-License-Identifier: Apache-2.0
"""LiteRT, CPU: TensorFlow's converter makes a model of each call, in built-in operators alone, and its
interpreter runs it. Keeps one interpreter for each signature."""

import os
from importlib.metadata import version
from operator import attrgetter

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"  # else it prints on stderr

import numpy
import tensorflow as tf
from ai_edge_litert.interpreter import Interpreter
from scatterproof_worker import Form, Unsupported, Worker

worker = Worker(
    name="litert", framework="tensorflow", version=version("ai-edge-litert"),
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", "f32", "f64", "c64"],
)


def compiled(function, tensors):
    traced = tf.function(lambda **specs: function(**specs), autograph=False).get_concrete_function(
        **{name: tf.TensorSpec(value.shape, value.dtype, name) for name, value in tensors.items()})
    try:
        model = tf.lite.TFLiteConverter.from_concrete_functions([traced]).convert()
        interpreter = Interpreter(model_content=model)
    except Exception as error:  # the converter has no common class of its errors
        raise Unsupported(str(error).split("\n")[0]) from None
    interpreter.allocate_tensors()
    inputs = {place["name"].partition(":")[0]: place["index"] for place in interpreter.get_input_details()}
    (output,) = interpreter.get_output_details()

    def call(**tensors):
        try:
            for name, value in tensors.items():
                interpreter.set_tensor(inputs[name], value)
            interpreter.invoke()
            return interpreter.get_tensor(output["index"])
        except ValueError as error:
            if "Invalid tensor size" not in str(error):
                raise
            raise Unsupported("LiteRT's interpreter has no tensors without elements") from None

    return call


form = Form(compiled, numpy.ndarray, lambda array: (array.shape, array.dtype), seconds=0.1)


def offer(name):
    function = form.of(attrgetter(name)(tf))
    worker.call(f"tensorflow.{name}")(lambda **arguments: function(**{
        key: numpy.array(value, order="C") if isinstance(value, numpy.ndarray) else value for key, value in arguments.items()}))


for name in ["boolean_mask", "gather", "compat.v1.batch_gather", "gather_nd", "scatter_nd",
             *(f"tensor_scatter_nd_{how}" for how in ["update", "add", "sub", "max", "min"]),
             *(f"math.{order}segment_{how}" for order in ["", "unsorted_"] for how in ["sum", "prod", "max", "min", "mean"])]:
    offer(name)
worker.serve()
