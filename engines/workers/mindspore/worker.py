# SPDX-License-Identifier: Apache-2.0
"""mindspore, CPU: PyNative mode, or each call as the graph of a mindspore.jit (form `graph`), or
as one whose tensors are views made in there (form `graph_views`); or PyNative mode on another device (form
`device=NAME`)."""

import re

import mindspore
import mindspore.numpy
import numpy as np
from mindspore.ops.auto_generate import as_strided
from scatterproof_worker import Device, Form, Unsupported, Worker, apart_if_refused, base_of, bfloat16_bits, docstring, is_bfloat16, take_list, view_by_slices

mindspore.runtime.launch_blocking()  # else an error shows only when the result is read


def over_memory_of(array):
    """A tensor over the memory of an array in row-major order."""
    if is_bfloat16(array):
        return mindspore.Tensor.from_numpy(array.view(np.ndarray).view(np.int16)).view(mindspore.bfloat16)
    return mindspore.Tensor.from_numpy(array)


def to_mindspore(array):
    if array.flags.c_contiguous:
        return over_memory_of(array)
    strides = [stride // array.itemsize for stride in array.strides]
    reach = [stride * (size - 1) for stride, size in zip(strides, array.shape)]
    lowest = array[tuple(slice(-1, None) if stride < 0 else slice(1) for stride in strides)]
    span = np.lib.stride_tricks.as_strided(lowest, [1 + sum(map(abs, reach))], [array.itemsize], subok=True)
    return as_strided(over_memory_of(span), array.shape, tuple(strides), -sum(step for step in reach if step < 0))


compiled = set()  # functions: mindspore knows one by its address, so none may get that of an earlier one


def as_graph(function, tensors):
    operator, fixed = function.func, function.keywords  # its source is read: it must not be a partial
    compiled.add(operator)
    graph = mindspore.jit(operator)

    def call(**tensors):
        nonlocal graph
        try:
            result = graph(**fixed, **tensors)
            result.asnumpy()  # else an error shows only when the result is read
            return result
        except Exception:
            graph = mindspore.jit(operator)  # one that has refused a call answers no other
            raise

    return call


def instead(error):
    """The same error without C++ frames and source code after its message; or Unsupported if graphs do not
    support the call."""
    words = str(error).split("\n\n---")[0]
    if lacking := re.search(r"Unsupported op \[\w+\] on CPU", words):
        return Unsupported(lacking[0])
    return type(error)(words) if words != str(error) else error


def graph_form(view=None):
    return Form(compile=as_graph, tensor=mindspore.Tensor, instead=instead, seconds=0.03, view=view, gradients=view is None,
                signature=lambda tensor: (tensor.shape, tensor.dtype, tuple(tensor.stride())))


def on_device(name):
    mindspore.set_device(name)  # raises mindspore's error if there is no such device

    def is_lost():
        try:
            return mindspore.ops.ones(1).asnumpy().item() != 1
        except RuntimeError:
            return True

    return Device({"ascend": "npu", "gpu": "cuda"}.get(name.lower(), name.lower()), is_lost)


worker = Worker(
    name="mindspore", framework="mindspore", version=mindspore.__version__,
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"],
    tensors=to_mindspore,
    forms={"device=NAME": on_device, "graph": graph_form, "graph_views": lambda: graph_form(view_by_slices(mindspore.ops))},
)


@worker.document
def _(name):
    return docstring(name, mindspore)


def to_numpy(tensor):
    array = tensor.asnumpy()
    return bfloat16_bits(array) if tensor.dtype == mindspore.bfloat16 else array


def unless_no_kernel(error, data):
    """Raises Unsupported instead of the error that the CPU operator does not support the dtype of the tensor
    `data`."""
    words = str(error)
    taken = re.search(r"supported data types are .*?(but get|$)|\[(?!ind|segment)[\w ]+\] must be a type of {.*?}|'x' must be one of .*?, but|"
                      r"cannot be bool", words, re.S)
    if taken and not re.search(rf"\b{data.dtype}\b", taken[0]):
        operator = re.search(r"(\[|For '?(?!primitive))(\w+)", words)[2]
        raise Unsupported(f"{operator} does not take {data.dtype} on the CPU") from None
    # Where there is no list of dtypes, none has bfloat16.
    no_kernel = re.match(r"KernelMod Init Failed: (\w+)", words)
    if no_kernel and data.dtype == mindspore.bfloat16:
        raise Unsupported(f"{no_kernel[1]} does not take {data.dtype} on the CPU") from None


def call(api, function, data=0, check=lambda **arguments: None, overwrites=None):
    """Offers an API; the argument with the number `data` is the tensor whose dtype decides whether a kernel
    exists. `check` raises Unsupported if the worker cannot make the call."""
    formed = worker.formed(function)

    @worker.call(api, overwrites=overwrites)
    def _(**arguments):
        check(**arguments)
        try:
            return to_numpy(formed(**as_taken(arguments)))
        except (TypeError, RuntimeError) as error:
            unless_no_kernel(error, base_of(list(arguments.values())[data]))
            raise

    if not overwrites:
        worker.gradient(api)(apart_if_refused(gradients_by(formed)))
        if formed is not function:
            worker.tangent(api)(tangents_by(function))


def gradients_by(function):
    """The gradients of a function that gets tensors and returns one."""

    def gradients(of, cotangent, **arguments):
        arguments = as_taken(arguments)
        names = [taken_as(name) for name in of]

        def of_sources(*sources):
            return function(**arguments | dict(zip(names, sources)))

        result, pull_back = mindspore.vjp(of_sources, *(arguments[name] for name in names))
        found = pull_back(cotangent)
        return to_numpy(result), [to_numpy(one) for one in found]

    return gradients


def tangents_by(function):
    """The tangents of a function that gets tensors and returns one. mindspore.jvp compiles it as a graph, by
    its source."""

    def tangent(of, **arguments):
        along = tuple(take_list(arguments, "tangents"))
        arguments = as_taken(arguments)
        names = tuple(taken_as(name) for name in of)
        sources = tuple(arguments.pop(name) for name in names)

        def of_one(source):
            return function(**{names[0]: source}, **arguments)

        def of_two(first, second):
            return function(**{names[0]: first, names[1]: second}, **arguments)

        if len(names) == 1:  # a tuple of one is refused
            result, found = mindspore.jvp(of_one, sources[0], along[0])
        else:
            result, found = mindspore.jvp(of_two, sources, along)
        return to_numpy(result), [to_numpy(found)]

    return tangent


def as_taken(arguments):
    return {taken_as(name): tuple(value) if isinstance(value, list) else value for name, value in arguments.items()}


def taken_as(name):
    """The name of an argument where a function takes it: a graph that takes any arguments by name takes none
    called self."""
    return "tensor" if name == "self" else name


def src_is_float(src, **others):
    if isinstance(src, (int, complex)):
        raise Unsupported("a number that scatter takes is a float")


def value_is_real(value, **others):
    if isinstance(value, complex):
        raise Unsupported("a number that it fills with is a bool, an int or a float")


def tensor_scatter_update(input_x, indices, update):
    return mindspore.ops.tensor_scatter_update(input_x, indices, update)


def masked_scatter(tensor, mask, source):
    return tensor.masked_scatter(mask, source)


def masked_select(input, mask):
    return input.masked_select(mask)


def masked_fill(input_x, mask, value):
    return input_x.masked_fill(mask, value)


def take(tensor, indices, axis=None, mode="clip"):
    return tensor.take(indices, axis, mode)


def add_to_rows(x, input_v, indices):
    return mindspore.ops.InplaceAdd(tuple(indices))(x, input_v)


def subtract_from_rows_of(x, input_v, indices):
    return mindspore.ops.InplaceSub(tuple(indices))(x, input_v)


def inplace_add(x, input_v, indices):
    return mindspore.ops.inplace_add(x, input_v, tuple(indices))


def inplace_sub(x, input_v, indices):
    return mindspore.ops.inplace_sub(x, input_v, tuple(indices))


def take_of(a, indices, axis=None, mode="clip"):
    return mindspore.numpy.take(a, indices, axis, mode)


def index_put(tensor, values, accumulate=False, **indices):
    # Not take_list, which no graph can call. They come in their order.
    return tensor.index_put(tuple([index for index in indices.values() if index is not None]), values, accumulate)


def gather_d(input, dim, index):
    return mindspore.ops.gather_d(input, dim, index)


def gather_elements(input, dim, index):
    return input.gather_elements(dim, index)


def index_fill(x, axis, index, value):
    return x.index_fill(axis, index, value)


def gather(input, dim, index):
    return input.gather(dim, index)


def gather_by_axis(input_params, input_indices, axis, batch_dims=0):
    return input_params.gather(input_indices, axis, batch_dims)


def scatter(input, dim, index, src):
    return input.scatter(dim, index, src)


def scatter_by_axis(input, dim, index, src):
    return input.scatter(axis=dim, index=index, src=src)


def index_select(input, axis, index):
    return input.index_select(axis, index)


def index_select_by_dim(input, axis, index):
    return input.index_select(dim=axis, index=index)


def add_at_indices(x, indices, y, axis):
    return x.index_add(indices, y, axis)


def add_at_indices_by_dim(x, indices, y, axis):
    return x.index_add(dim=axis, index=indices, source=y)


def index_add(x, indices, y, axis):
    mindspore.ops.index_add(x, indices, y, axis)
    return x


def slice_scatter(input, src, axis=0, start=None, end=None, step=1):
    return input.slice_scatter(src, axis, start, end, step)


def select_scatter(input, src, axis, index):
    return input.select_scatter(src, axis, index)


def diagonal_scatter(input, src, offset=0, dim1=0, dim2=1):
    return input.diagonal_scatter(src, offset, dim1, dim2)


def subtract_from_rows(input_x, indices, updates):
    mindspore.ops.ScatterSub()(input_x, indices, updates)
    return input_x


def add_at_tuples(tensor, indices, updates):
    return tensor.scatter_add(indices, updates)


def scatter_mul(input_x, indices, updates):
    return input_x.scatter_mul(indices, updates)


def scatter_div(input_x, indices, updates):
    return input_x.scatter_div(indices, updates)


def scatter_max(input_x, indices, updates):
    return input_x.scatter_max(indices, updates)


def scatter_min(input_x, indices, updates):
    return input_x.scatter_min(indices, updates)


def scatter_sub(input_x, indices, updates):
    return input_x.scatter_sub(indices, updates)


def add_in_place_at_indices(var, indices, updates, axis):
    mindspore.ops.InplaceIndexAdd(axis)(var, indices, updates)
    return var


def inplace_index_add(var, indices, updates, axis):
    mindspore.ops.inplace_index_add(var, indices, updates, axis)
    return var


def bincount(input, weights, minlength=0):
    return input.bincount(weights, minlength)


def in_place_call(api, operator):
    """Offers an operator that overwrites input_x; the result is read from there."""

    def overwriting(input_x, indices, updates):
        operator(input_x, indices, updates)
        return input_x

    call(api, overwriting, overwrites="input_x")


call("mindspore.mint.scatter", mindspore.mint.scatter, check=src_is_float)
call("mindspore.ops.scatter", mindspore.ops.scatter, check=src_is_float)
call("mindspore.mint.gather", mindspore.mint.gather)
call("mindspore.mint.index_add", mindspore.mint.index_add)
call("mindspore.ops.index_fill", mindspore.ops.index_fill, check=value_is_real)
call("mindspore.Tensor.index_fill", index_fill, check=value_is_real)
call("mindspore.Tensor.gather_elements", gather_elements)
call("mindspore.ops.index_add", index_add, overwrites="x")
call("mindspore.Tensor.gather", gather)
call("mindspore.Tensor.gather.axis", gather_by_axis)
call("mindspore.Tensor.scatter", scatter, check=src_is_float)
call("mindspore.Tensor.scatter.axis", scatter_by_axis, check=src_is_float)
call("mindspore.Tensor.index_select", index_select)
call("mindspore.Tensor.index_select.dim", index_select_by_dim)
call("mindspore.Tensor.index_add", add_at_indices, overwrites="x")
call("mindspore.Tensor.index_add.dim", add_at_indices_by_dim, overwrites="x")
for name in ["gather_elements", "gather_nd", "gather", "index_select", "tensor_scatter_elements", "tensor_scatter_add",
             "tensor_scatter_sub", "tensor_scatter_mul", "tensor_scatter_div", "tensor_scatter_max", "tensor_scatter_min"]:
    call(f"mindspore.ops.{name}", getattr(mindspore.ops, name))
for name in ["add", "mul", "div", "max", "min", "update", "nd_add", "nd_sub", "nd_mul", "nd_div", "nd_max", "nd_min",
             "nd_update"]:
    in_place_call(f"mindspore.ops.scatter_{name}", getattr(mindspore.ops, f"scatter_{name}"))
for method in [scatter_mul, scatter_div, scatter_max, scatter_min, scatter_sub]:
    call(f"mindspore.Tensor.{method.__name__}", method)
call("mindspore.ops.ScatterSub", subtract_from_rows, overwrites="input_x")
call("mindspore.Tensor.scatter_add.indices", add_at_tuples)
call("mindspore.ops.scatter_nd", mindspore.ops.scatter_nd, data=1)
call("mindspore.ops.tensor_scatter_update", tensor_scatter_update)
call("mindspore.Tensor.masked_scatter", masked_scatter)
call("mindspore.ops.masked_select", mindspore.ops.masked_select)
call("mindspore.Tensor.masked_select", masked_select)
call("mindspore.ops.masked_fill", mindspore.ops.masked_fill, check=value_is_real)
call("mindspore.Tensor.masked_fill", masked_fill, check=value_is_real)
for name in ["sum", "prod", "max", "min"]:
    call(f"mindspore.ops.unsorted_segment_{name}", getattr(mindspore.ops, f"unsorted_segment_{name}"))
call("mindspore.ops.InplaceIndexAdd", add_in_place_at_indices, overwrites="var")
call("mindspore.ops.inplace_index_add", inplace_index_add, overwrites="var")
call("mindspore.ops.bincount.weights", mindspore.ops.bincount, data=1)
call("mindspore.Tensor.bincount.weights", bincount, data=1)
call("mindspore.Tensor.take", take)
call("mindspore.numpy.take", take_of)
for name, function in [("InplaceAdd", add_to_rows), ("InplaceSub", subtract_from_rows_of), ("inplace_add", inplace_add),
                       ("inplace_sub", inplace_sub)]:
    call(f"mindspore.ops.{name}", function)
call("mindspore.ops.inplace_update", mindspore.ops.inplace_update)
call("mindspore.Tensor.index_put", index_put)
call("mindspore.ops.gather_d", gather_d)
for method in [slice_scatter, select_scatter, diagonal_scatter]:
    call(f"mindspore.ops.{method.__name__}", getattr(mindspore.ops, method.__name__))
    call(f"mindspore.Tensor.{method.__name__}", method)


worker.gradient("scatterproof.echo")(gradients_by(lambda value: value * 1))


@worker.call("scatterproof.echo")
def _(value):
    return to_numpy(value if isinstance(value, mindspore.Tensor) else mindspore.Tensor(
        value, dtype=mindspore.float64 if isinstance(value, float) else None))


worker.serve()
