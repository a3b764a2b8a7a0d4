# SPDX-License-Identifier: Apache-2.0
"""tinygrad on its PYTHON device, which executes kernels in Python: the CPU one needs a compiler for each. The
form `device=NAME` names another one."""

import math
import os
from importlib.metadata import version

FORM = "device="
DEVICE = os.environ.get("SCATTERPROOF_FORM", "").removeprefix(FORM) or "PYTHON"
os.environ["DEV"] = DEVICE
os.environ.setdefault("CACHELEVEL", "0")  # no file of kernels next to the user's own

import numpy
import tinygrad
from scatterproof_worker import Device, Unsupported, Worker, bfloat16_bits, docstring, is_bfloat16
from tinygrad import Tensor, dtypes

# The device takes seconds for these: scatter makes a graph node for each lookup and compares each with every
# position.
MOST_LOOKUPS = 64
MOST_COMPARISONS = 1 << 14
MOST_WITH_GRADIENTS = 128  # elements of a tensor: if src is larger than index, its gradient takes seconds


def on_device(name):
    assert (Tensor([1]) + 1).item() == 2  # raises tinygrad's error if there is no such device
    return Device({"nv": "cuda"}.get(name.lower(), name.lower()), is_lost=lambda: False)


worker = Worker(
    name="tinygrad", framework="tinygrad", version=version("tinygrad"),
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64"],
    forms={"device=NAME": on_device},
)


def to_tinygrad(array):
    """A contiguous copy. tinygrad would turn an array without dimensions into a constant, which is on no
    device."""
    copy = Tensor(numpy.array(array.view(numpy.ndarray)).reshape(-1)).reshape(array.shape)
    return copy.bitcast(dtypes.bfloat16) if is_bfloat16(array) else copy


def to_numpy(tensor):
    """By way of a clone, since a constant would be computed on the CPU."""
    if tensor.dtype in (dtypes.uint32, dtypes.uint64):
        raise Unsupported(f"a result of {tensor.dtype} cannot be answered with")
    if tensor.dtype == dtypes.bfloat16:
        return bfloat16_bits(tensor.bitcast(dtypes.uint16).clone(device=DEVICE).numpy())
    return tensor.clone(device=DEVICE).numpy()


@worker.document
def _(name):
    return docstring(name, tinygrad)


@worker.call("scatterproof.echo")
def _(value):
    return to_numpy(to_tinygrad(numpy.asanyarray(value)))


def gradient(result, source, cotangent):
    try:
        (found,) = result.gradient(source, gradient=cotangent)
    except Exception as error:
        return error
    return to_numpy(found)


@worker.gradient("scatterproof.echo")
def _(value, of, cotangent):
    return value, [gradient(source := to_tinygrad(value), source, to_tinygrad(cotangent))]


def method(name, overload="", index="index"):
    """`tinygrad.Tensor.NAME`; its words for no reduction, and for leaving out an argument, are None. `index`
    is the argument that has the lookups."""
    if not hasattr(Tensor, name):
        return  # an earlier release

    def made_of(arguments, most=math.inf):
        lookups = arguments[index].size
        largest = max(value.size for value in arguments.values() if isinstance(value, numpy.ndarray))
        if lookups > MOST_LOOKUPS or lookups * arguments["self"].size > MOST_COMPARISONS or largest > most:
            raise Unsupported("self and index are too large for tinygrad's PYTHON device")
        made = {key: to_tinygrad(value) if isinstance(value, numpy.ndarray) else value for key, value in arguments.items()}
        if made.get("reduce") == "none":
            del made["reduce"]
        return made

    def execute(self, **others):
        return getattr(self, name)(**others)

    @worker.call(f"tinygrad.Tensor.{name}{overload}")
    def _(**arguments):
        return to_numpy(execute(**made_of(arguments)))

    @worker.gradient(f"tinygrad.Tensor.{name}{overload}")
    def _(of, cotangent, **arguments):
        made = made_of(arguments, MOST_WITH_GRADIENTS)
        result = execute(**made)
        return to_numpy(result), [gradient(result, made[one], to_tinygrad(cotangent)) for one in of]


method("gather")
method("scatter")
method("scatter", ".value")
method("scatter_reduce")
method("masked_select", index="mask")
method("masked_fill", index="mask")
worker.serve()
