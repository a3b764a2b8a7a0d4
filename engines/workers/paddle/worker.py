# SPDX-License-Identifier: Apache-2.0
"""paddle, dynamic graph, CPU."""

import numpy
import paddle
from scatterproof_worker import Worker, bfloat16_bits, docstring, is_bfloat16, on_copies

paddle.disable_signal_handler()  # with it, a process that glibc aborts hangs
TAKES_STRIDES = hasattr(paddle, "from_dlpack")  # earlier releases get copies in row-major order


def to_paddle(array):
    if not TAKES_STRIDES:
        return paddle.to_tensor(numpy.array(array, order="C"))  # which takes uint16 for the bits of bfloat16
    if is_bfloat16(array):
        return paddle.from_dlpack(array.view("int16")).view("bfloat16")
    return paddle.from_dlpack(array)


worker = Worker(
    name="paddle", framework="paddle", version=paddle.__version__,
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"],
    tensors=to_paddle if TAKES_STRIDES else numpy.asanyarray,
)


@worker.document
def _(name):
    return docstring(name, paddle)


def to_numpy(tensor):
    array = tensor.contiguous().numpy()  # numpy() misreads negative strides over memory of others
    return bfloat16_bits(array) if tensor.dtype == paddle.bfloat16 else array


def call(name):
    function = getattr(paddle, name, None)
    if function is None:  # this release is older than it
        return

    def on_views(**arguments):
        return to_numpy(function(**arguments))

    worker.call(f"paddle.{name}")(on_views if TAKES_STRIDES else on_copies(function, to_paddle, to_numpy))


call("scatter")
call("gather")
call("gather_nd")
call("index_select")
call("take_along_axis")
call("index_sample")
call("put_along_axis")
call("scatter_nd_add")
call("scatter_nd")
call("index_add")
call("index_fill")
call("take")
call("masked_scatter")


@worker.call("scatterproof.echo")
def _(value):
    return to_numpy(value if isinstance(value, paddle.Tensor) else paddle.to_tensor(
        value, dtype="float64" if isinstance(value, float) else None))


worker.serve()
