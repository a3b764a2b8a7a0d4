# SPDX-License-Identifier: Apache-2.0
"""paddle, CPU: dynamic graph, or each call as a static graph (form `to_static`), or as one whose tensors are
views made in there (form `to_static_views`); or dynamic graph on another device (form `device=NAME`)."""

import os
import re
from inspect import signature

os.environ.setdefault("GLOG_minloglevel", "2")  # else each refusal of a graph is printed on stderr

import numpy
import paddle
from scatterproof_worker import (Device, Form, Unsupported, Worker, bfloat16_bits, docstring, gradients_of_leaves, is_bfloat16, on_copies,
                                 take_list, take_selection, timed_gradients_of_leaves, view_by_slices)

paddle.disable_signal_handler()  # with it, a process that glibc aborts hangs
TAKES_STRIDES = hasattr(paddle, "from_dlpack")  # earlier releases get copies in row-major order


def to_paddle(array):
    if not TAKES_STRIDES:
        return paddle.to_tensor(numpy.array(array, order="C"))  # which takes uint16 for the bits of bfloat16
    if any(stride < 0 for stride in array.strides):
        return with_reversed_axes(array)
    if is_bfloat16(array):
        return paddle.from_dlpack(array.view("int16")).view("bfloat16")
    return paddle.from_dlpack(array)


def with_reversed_axes(array):
    """As paddle's own x[::-1] has them: from_dlpack gives such an array a memory of less than no bytes."""
    forwards = array[tuple(slice(None, None, -1 if stride < 0 else 1) for stride in array.strides)]
    last = sum((size - 1) * -stride for size, stride in zip(array.shape, array.strides) if stride < 0)
    strides = [stride // array.itemsize for stride in array.strides]
    return paddle.as_strided(to_paddle(forwards), array.shape, strides, last)


def as_static_graph(function, tensors):
    def call(tensors):  # its source is read: it has no lambda, no partial and no arguments by name
        return function(**tensors)

    static = paddle.jit.to_static(call, full_graph=True)
    return lambda **tensors: static(tensors)


def without_source(error):
    """The same error without the source code before its message."""
    words = re.search(r"\w+Error: (.*)", str(error), re.DOTALL)
    return type(error)(words[1]) if words else error


def static_form(view=None):
    # What is watched is a tensor that the function gets, not a view that it makes.
    return Form(compile=as_static_graph, tensor=paddle.Tensor, instead=without_source, seconds=0.05, most=32, view=view,
                signature=signature_of, gradients=view is None)


def signature_of(tensor):
    return tuple(tensor.shape), tensor.dtype, tuple(tensor.strides), tensor.stop_gradient


def on_device(name):
    paddle.device.set_device(name)  # raises paddle's error if there is no such device
    place = paddle.framework._current_expected_place()

    def is_lost():
        try:
            return paddle.ones([1]).add(paddle.ones([1])).item() != 2
        except Exception:  # paddle has no common class of its errors
            return True

    kind = {"gpu": "cuda"}.get(name.partition(":")[0], name.partition(":")[0])
    return Device(kind, is_lost, paddle.device.synchronize if kind != "cpu" else lambda: None,
                  put=lambda base: bytes_of(base)._copy_to(place, True).view(base.dtype), view=strided,
                  fetch=lambda there, here: bytes_of(here).copy_(bytes_of(there), True))


def bytes_of(base):  # between elements there may be some that no element of the dtype has
    return base.view("uint8")


def strided(base, shape, strides, offset):
    return paddle.as_strided(base, shape, strides, offset * base.element_size())


worker = Worker(
    name="paddle", framework="paddle", version=paddle.__version__,
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"],
    tensors=to_paddle if TAKES_STRIDES else numpy.asanyarray,
    forms={"device=NAME": on_device, "to_static": static_form, "to_static_views": lambda: static_form(view_by_slices(paddle))},
)


@worker.document
def _(name):
    return docstring(name, paddle)


def to_numpy(tensor):
    array = tensor.contiguous().numpy()  # with negative strides, numpy() reads out of bounds
    return bfloat16_bits(array) if tensor.dtype == paddle.bfloat16 else array


def watch(tensor):
    tensor.stop_gradient = False


def derivative(result, leaf, cotangent):
    if result.stop_gradient:
        return None
    return paddle.grad([result], [leaf], [cotangent], retain_graph=True, allow_unused=True)[0]


leaves = {"watch": watch, "derivative": derivative, "to_numpy": to_numpy}


def gradients_by(function, overwrites=None):
    return gradients_of_leaves(function, **leaves, overwrites=overwrites)


def tangents_by(function, overwrites=None):
    """The tangents of a function that gets tensors and returns one."""

    def tangent(of, **arguments):
        tangents = take_list(arguments, "tangents")
        sources = [arguments[name] for name in of]
        for source in sources:
            watch(source)

        def of_sources(*sources):
            moved = arguments | dict(zip(of, sources))
            return function(**moved | ({overwrites: moved[overwrites].clone()} if overwrites in of else {}))

        result, found = paddle.incubate.autograd.jvp(of_sources, sources, list(tangents))
        return to_numpy(result.detach()), [found if found is None else to_numpy(found.detach())]

    return tangent


def offer(api, function, overwrites=None):
    """Offers an API by a function that takes the arguments as they come."""
    formed = worker.formed(function)
    if overwrites and formed is not function:

        def formed(**arguments):
            raise Unsupported("paddle has in-place calls in dynamic graphs only")

    if TAKES_STRIDES:
        worker.gradient(api)(gradients_by(formed, overwrites))
        worker.timed_gradient(api)(timed_gradients_of_leaves(formed, **leaves, overwrites=overwrites))
        if formed is function:  # what is compiled has a backward pass that has none
            worker.tangent(api)(tangents_by(function, overwrites))

    def on_views(**arguments):
        return to_numpy(formed(**arguments))

    worker.call(api, overwrites=overwrites)(on_views if TAKES_STRIDES else on_copies(formed, to_paddle, to_numpy))


def call(name, takes=lambda function: function, overwrites=None):
    """Offers `paddle.NAME` if this release has it; `takes` makes a function of it that takes the arguments as
    they come."""
    if function := getattr(paddle, name, None):
        offer(f"paddle.{name}", takes(function), overwrites)


def scaling(function):
    """With alpha, which releases before 3.3 do not have."""
    if "alpha" in signature(paddle.index_add).parameters:
        return function

    def of_one(alpha=1, **arguments):
        if alpha != 1:
            raise Unsupported("index_add of this release has no alpha")
        return function(**arguments)

    return of_one


call("scatter")
call("gather")
call("gather_nd")
call("index_select")
call("take_along_axis")
call("take_along_dim")
call("index_sample")
call("put_along_axis")
call("scatter_nd_add")
call("scatter_nd")
call("scatter_add")
call("scatter_reduce")
call("index_add", scaling)
call("index_fill")
call("take")
call("masked_scatter")
call("masked_select")
call("masked_fill")
call("masked_fill_", overwrites="x")
call("bincount")
offer("paddle.bincount.weights", paddle.bincount)
for name in ["slice_scatter", "select_scatter", "diagonal_scatter"]:
    call(name)


def taking_list(function):
    def listed(x, value, accumulate=False, **indices):
        return function(x, take_list(indices, "indices"), value, accumulate)

    return listed


call("index_put", taking_list)
call("scatter_", overwrites="x")
call("scatter_add_", overwrites="input")
call("index_add_", scaling, overwrites="x")
call("index_fill_", overwrites="x")
call("index_put_", taking_list, overwrites="x")


def selected(x, **arguments):
    return x[take_selection(arguments, "key", "indices")]


def assigned(x, value, **arguments):
    x[take_selection(arguments, "key", "indices")] = value
    return x


def written_through(x, value, **arguments):
    x[take_selection(arguments, "key", "indices")][...] = value
    return x


offer("paddle.Tensor.__getitem__.selection", selected)
offer("paddle.Tensor.__setitem__.selection", assigned, overwrites="x")
offer("paddle.Tensor.__getitem__.view", written_through, overwrites="x")

def scattered_as_torch(input, dim, index, src, **reduce):
    return paddle.scatter(input, dim, index, src, **reduce)


def overwritten_as_torch(input, dim, index, src, **reduce):
    return paddle.scatter_(input, dim, index, src, **reduce)


def added_as_torch(x, index, axis, value, alpha=1):
    return paddle.index_add(input=x, dim=axis, index=index, source=value, alpha=alpha)


def offer_out(api, function):
    """The call with a tensor to write the result to, which holds other values."""

    def written(**arguments):
        try:
            made = function(**arguments)
        except Exception:  # paddle has no common class of its errors
            made = paddle.empty([0])  # a call that is refused, also with out
        out = paddle.full(made.shape, 99, "int8").astype(made.dtype)
        function(**arguments, out=out)
        return to_numpy(out)

    if worker.formed(written) is written:  # what is compiled has no tensor of the caller's to write to
        worker.call(api)(written)


if "out" in signature(paddle.gather).parameters:  # since 3.3, paddle takes the arguments of torch too
    offer("paddle.scatter.dim", scattered_as_torch)
    offer("paddle.scatter_.dim", overwritten_as_torch, overwrites="input")
    offer("paddle.gather.dim", lambda input, dim, index: paddle.gather(input, dim, index))
    offer("paddle.index_select.dim", lambda x, index, axis=0: paddle.index_select(x, axis, index))
    offer("paddle.index_add.dim", added_as_torch)
    offer_out("paddle.gather.dim.out", lambda input, dim, index, **out: paddle.gather(input, dim, index, **out))
    offer_out("paddle.scatter.dim.out",
              lambda input, dim, index, src, **others: paddle.scatter(input, dim, index, value=src, **others))
    offer_out("paddle.take_along_axis.out",
              lambda arr, axis, **others: paddle.take_along_axis(input=arr, dim=axis, **others))
    offer_out("paddle.take_along_dim.out",
              lambda arr, axis, **others: paddle.take_along_dim(input=arr, dim=axis, **others))
    offer_out("paddle.index_select.out",
              lambda x, index, axis=0, **out: paddle.index_select(input=x, index=index, dim=axis, **out))
    offer_out("paddle.masked_select.out", lambda x, mask, **out: paddle.masked_select(input=x, mask=mask, **out))
    offer_out("paddle.index_add.out", paddle.index_add)

PUT_TAKES = signature(paddle.Tensor.put_along_axis_).parameters.keys()


def put_along_axis_(**arguments):
    if missing := arguments.keys() - PUT_TAKES:
        raise Unsupported(f"put_along_axis_ of this release has no {min(missing)}")
    return paddle.Tensor.put_along_axis_(**arguments)


offer("paddle.Tensor.put_along_axis_", put_along_axis_, overwrites="arr")


def copied(value):
    return paddle.assign(value)


if TAKES_STRIDES:
    worker.gradient("scatterproof.echo")(gradients_by(copied))
    if worker.formed(copied) is copied:
        worker.tangent("scatterproof.echo")(tangents_by(copied))


@worker.call("scatterproof.echo")
def _(value):
    return to_numpy(value if isinstance(value, paddle.Tensor) else paddle.to_tensor(
        value, dtype="float64" if isinstance(value, float) else None))


worker.serve()
