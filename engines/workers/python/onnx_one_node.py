# SPDX-License-Identifier: Apache-2.0
"""Models of one node, made from a call of an ONNX operator: shared by the workers that execute ONNX."""

from functools import lru_cache

from one_node_model import one_node_model
from onnx import TensorProto, helper
from scatterproof_worker import is_bfloat16

# Inputs of each operator in the order of its signature; the last may be absent. Every other argument except
# `opset` is an attribute.
INPUTS = {
    "ScatterND": ("data", "indices", "updates"),
    "ScatterElements": ("data", "indices", "updates"),
    "GatherElements": ("data", "indices"),
    "GatherND": ("data", "indices"),
    "Gather": ("data", "indices"),
    "Scatter": ("data", "indices", "updates"),
    "TensorScatter": ("past_cache", "update", "write_indices"),
}
# Attributes that early opsets lack, with the value that stands for leaving them out.
NEUTRAL = {"reduction": "none", "batch_dims": 0}


def element_type(array):
    return TensorProto.BFLOAT16 if is_bfloat16(array) else helper.np_dtype_to_tensor_dtype(array.dtype)


@lru_cache(maxsize=512)
def model(operator, opset, inputs, attributes, shapes=None):
    """The model as onnx.ModelProto."""
    return one_node_model(operator, opset, dict(inputs), dict(attributes), shapes and dict(shapes))


def taken_apart(operator, opset, arguments):
    """The arguments of `model`, and the inputs by name."""
    inputs = {name: arguments.pop(name, None) for name in INPUTS[operator]}
    feeds = {name: value for name, value in inputs.items() if value is not None}
    attributes = tuple(sorted((name, value) for name, value in arguments.items()
                              if value is not None and value != NEUTRAL.get(name)))
    return (operator, opset, tuple((name, element_type(value)) for name, value in feeds.items()), attributes), feeds


def shapes(feeds):
    """The last argument of `model`, for a runtime that needs the shapes in it."""
    return tuple((name, value.shape) for name, value in feeds.items())


def register(worker, execute):
    """Registers every operator; `execute(key, feeds)` gets the arguments of `model` and the inputs by
    name."""

    def one(operator):
        @worker.call(f"onnx.{operator}")
        def _(opset, **arguments):
            return execute(*taken_apart(operator, opset, arguments))

    for operator in INPUTS:
        one(operator)


def register_timed(worker, prepare):
    """Registers the timed form of every operator; `prepare` gets the same, and `threads` and `in_place`."""

    def one(operator):
        @worker.timed(f"onnx.{operator}")
        def _(opset, threads, in_place, **arguments):
            return prepare(*taken_apart(operator, opset, arguments), threads, in_place)

    for operator in INPUTS:
        one(operator)
