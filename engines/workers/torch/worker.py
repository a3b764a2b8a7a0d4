# SPDX-License-Identifier: Apache-2.0
"""torch, eager, CPU. In-place calls run on a private copy of self in the layout that came, which is then the result."""

import torch
from scatterproof_worker import Unsupported, Worker, bfloat16_bits, is_bfloat16, private_copy

torch.set_num_threads(1)
worker = Worker(
    name="torch", framework="torch", version=torch.__version__,
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"],
)


def to_torch(array):
    if any(stride < 0 for stride in array.strides):
        raise Unsupported("torch has no tensors with negative strides")
    if is_bfloat16(array):
        return torch.from_numpy(array.view("int16")).view(torch.bfloat16)
    return torch.from_numpy(array)


def to_numpy(tensor):
    if tensor.dtype is torch.bfloat16:
        return bfloat16_bits(tensor.contiguous().view(torch.int16).numpy())
    return tensor.numpy()


def in_place(api, method):
    """An API that overwrites self: the other arguments go to the method as they came, tensors converted."""

    @worker.call(api)
    def _(**arguments):
        target = to_torch(private_copy(arguments.pop("self")))
        method(target, **{name: to_torch(value) if hasattr(value, "strides") else value
                          for name, value in arguments.items()})
        return to_numpy(target)


def scatter(target, dim, index, reduce, **source):
    target.scatter_(dim, index, **source, **({} if reduce in (None, "none") else {"reduce": reduce}))


in_place("torch.Tensor.scatter_", scatter)
in_place("torch.Tensor.scatter_.value", scatter)
in_place("torch.Tensor.scatter_add_", torch.Tensor.scatter_add_)
in_place("torch.Tensor.scatter_reduce_", torch.Tensor.scatter_reduce_)
in_place("torch.Tensor.index_copy_", torch.Tensor.index_copy_)


@worker.call("torch.gather")
def _(input, dim, index):
    return to_numpy(torch.gather(to_torch(input), dim, to_torch(index)))


@worker.call("scatterproof.echo")
def _(value):
    return to_numpy(to_torch(value) if hasattr(value, "strides") else torch.tensor(value, dtype=(
        torch.float64 if isinstance(value, float) else None)))


worker.serve()
