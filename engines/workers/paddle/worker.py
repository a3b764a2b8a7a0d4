# SPDX-License-Identifier: Apache-2.0
"""paddle, dynamic graph, CPU."""

import sys

import paddle
from scatterproof_worker import Worker, bfloat16_bits, docstring, is_bfloat16

paddle.disable_signal_handler()  # with it, a process that glibc aborts hangs
if not hasattr(paddle, "from_dlpack"):
    sys.exit(f"paddle {paddle.__version__} cannot be driven: it has no paddle.from_dlpack, which takes strides")


def to_paddle(array):
    if is_bfloat16(array):
        return paddle.from_dlpack(array.view("int16")).view("bfloat16")
    return paddle.from_dlpack(array)


worker = Worker(
    name="paddle", framework="paddle", version=paddle.__version__,
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"],
    tensors=to_paddle,
)


@worker.document
def _(name):
    return docstring(name, paddle)


def to_numpy(tensor):
    array = tensor.contiguous().numpy()  # numpy() misreads negative strides over memory of others
    return bfloat16_bits(array) if tensor.dtype == paddle.bfloat16 else array


def call(name):
    function = getattr(paddle, name)

    @worker.call(f"paddle.{name}")
    def _(**arguments):
        return to_numpy(function(**arguments))


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
