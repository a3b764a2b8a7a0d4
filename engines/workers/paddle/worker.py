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


def call(api, function, overwrites=None):
    @worker.call(api, overwrites)
    def _(**arguments):
        return to_numpy(function(**arguments))


call("paddle.scatter", paddle.scatter)
call("paddle.gather", paddle.gather)
call("paddle.gather_nd", paddle.gather_nd)
call("paddle.index_select", paddle.index_select)
call("paddle.take_along_axis", paddle.take_along_axis)
call("paddle.index_sample", paddle.index_sample)
call("paddle.put_along_axis", paddle.put_along_axis)
call("paddle.scatter_nd_add", paddle.scatter_nd_add)
call("paddle.scatter_nd", paddle.scatter_nd)
call("paddle.index_add", paddle.index_add)
call("paddle.index_fill", paddle.index_fill)


@worker.call("scatterproof.echo")
def _(value):
    return to_numpy(value if isinstance(value, paddle.Tensor) else paddle.to_tensor(
        value, dtype="float64" if isinstance(value, float) else None))


worker.serve()
