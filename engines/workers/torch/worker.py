# SPDX-License-Identifier: Apache-2.0
"""torch, CPU: eager, or by one of the forms in torch_forms.py.

For timing alone there is also `torch.index(input, indices)`, the fastest call for what documented calls do:
it is input[i, j, ..] with the tuple unpacked from an index of shape [.., k]. The number of threads stays as
the last timed call set it.
"""

import os
from functools import partial

# Huge pages for its own tensors, as for the arguments that it gets.
os.environ.setdefault("THP_MEM_ALLOC_ENABLE", "1")

import torch
import torch_forms
from scatterproof_worker import Worker, docstring, take_list, take_selection
from scatterproof_worker.torch_tensors import gradients_by, second_order_by, tangents_by, timed_gradients_by, to_numpy, to_torch


worker = Worker(
    name="torch", framework="torch", version=torch.__version__,
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"],
    tensors=to_torch, forms=torch_forms.FORMS,
)


@worker.document
def _(name):
    return docstring(name, torch)


# Functions and methods that are there, but have no page, and so no spec.
WITHOUT_PAGE = {
    "torch.Tensor.index_reduce", "torch.Tensor.take_along_dim.flat", "torch.index_fill", "torch.index_put",
    "torch.index_put.tuple", "torch.masked_fill", "torch.masked_scatter", "torch.put",
}


def offer(api, function, overwrites=None):
    """Offers an API by a function that gets tensors and returns one."""
    if api in WITHOUT_PAGE:
        return
    formed = worker.formed(function)
    worker.gradient(api)(gradients_by(formed, overwrites))
    worker.timed_gradient(api)(timed_gradients_by(formed, overwrites))
    if formed is function:  # what is compiled has a backward pass alone
        worker.tangent(api)(tangents_by(function, overwrites))
        worker.second_order(api)(second_order_by(function, overwrites))

    @worker.call(api, overwrites=overwrites)
    def _(**arguments):
        return to_numpy(formed(**arguments))


def in_place_call(name, bind=partial, overload=""):
    """`torch.Tensor.NAME_`, which overwrites self, and its variants out of place, `torch.NAME` and
    `torch.Tensor.NAME`.

    `bind` makes a function without arguments from one of them, bound to self, and the other arguments.
    """

    if not hasattr(torch.Tensor, f"{name}_"):
        return  # an earlier release

    def overwriting(**arguments):
        target = arguments.pop("self")
        bind(getattr(target, f"{name}_"), **arguments)()
        return target

    offer(f"torch.Tensor.{name}_{overload}", overwriting, overwrites="self")
    offer(f"torch.Tensor.{name}{overload}",
          lambda **arguments: bind(getattr(arguments.pop("self"), name), **arguments)())
    if hasattr(torch, name):
        offer(f"torch.{name}{overload}",
              lambda **arguments: bind(partial(getattr(torch, name), arguments.pop("self")), **arguments)())
    in_place_timed(f"torch.Tensor.{name}_{overload}",
                   lambda target, **arguments: bind(getattr(target, f"{name}_"), **arguments))


def in_place_timed(api, bind):
    @worker.timed(api)
    def _(threads, in_place, **arguments):
        torch.set_num_threads(threads)
        start = arguments.pop("self")
        target = start if in_place else torch.empty(start.shape, dtype=start.dtype, device=start.device)
        act = bind(target, **arguments)

        def from_start():
            target.copy_(start)
            act()

        execute = act if in_place else from_start
        execute()
        return to_numpy(target), execute


def scatter(call, dim, index, reduce=None, **source):
    return partial(call, dim, index, *source.values(), **({} if reduce in (None, "none") else {"reduce": reduce}))


def unpacked(indices):
    """An index of shape [.., k] as the k index tensors that torch wants."""
    return tuple(part.contiguous() for part in indices.unbind(-1))


in_place_call("scatter", scatter)
in_place_call("scatter", scatter, ".value")
in_place_call("scatter_add")
in_place_call("scatter_reduce")
# The page calls the last argument `tensor`.
in_place_call("index_copy", lambda call, dim, index, source: partial(call, dim, index, source))
in_place_call("put")
in_place_call("masked_scatter")
in_place_call("index_add")
in_place_call("index_fill")
in_place_call("index_reduce")
in_place_call("masked_fill")
in_place_call("index_put", lambda call, indices, values, accumulate=False: partial(
    call, unpacked(indices), values, accumulate))


def listed(call, values, accumulate=False, **arguments):
    return partial(call, take_list(arguments, "indices"), values, accumulate)


in_place_call("index_put", listed, overload=".tuple")


def offer_indexing(overload, indices):
    """`self[..]` and `self[..] = values`; `indices` takes what stands in the brackets from the arguments."""

    def assigned(values, **arguments):
        target = arguments.pop("self")
        target[indices(arguments)] = values
        return target

    offer(f"torch.Tensor.__getitem__{overload}", lambda **arguments: arguments.pop("self")[indices(arguments)])
    offer(f"torch.Tensor.__setitem__{overload}", assigned, overwrites="self")


offer_indexing("", lambda arguments: arguments.pop("indices"))
offer_indexing(".tuple", lambda arguments: take_list(arguments, "indices"))
offer_indexing(".selection", lambda arguments: take_selection(arguments, "key", "indices"))
offer_indexing(".mask", lambda arguments: arguments.pop("mask"))


def written_through(self, values, **arguments):
    self[take_selection(arguments, "key", "indices")][...] = values
    return self


offer("torch.Tensor.__getitem__.view", written_through, overwrites="self")


def call(name, *parameters, overload=""):
    """`torch.NAME` and its method `torch.Tensor.NAME`, which overwrite nothing; parameters in the call's
    order."""

    if not hasattr(torch, name):
        return  # an earlier release

    def function(**arguments):
        return getattr(torch, name)(*(arguments[each] for each in parameters if each in arguments))

    def method(**arguments):
        input, *others = (arguments[each] for each in parameters if each in arguments)
        return getattr(input, name)(*others)

    offer(f"torch.{name}{overload}", function)
    offer(f"torch.Tensor.{name}{overload}", method)


call("gather", "input", "dim", "index")
offer("torch.gather.sparse_grad", partial(torch.gather, sparse_grad=True))
call("index_select", "input", "dim", "index")
call("take", "input", "index")
call("select", "input", "dim", "index")
call("take_along_dim", "input", "indices", "dim")
call("take_along_dim", "input", "indices", overload=".flat")
call("masked_select", "input", "mask")


def call_by_name(name, overload=""):
    """As call, with the arguments by their names."""

    if not hasattr(torch, name):
        return  # an earlier release

    def method(**arguments):
        return getattr(arguments.pop("input"), name)(**arguments)

    offer(f"torch.{name}{overload}", lambda **arguments: getattr(torch, name)(**arguments))
    offer(f"torch.Tensor.{name}{overload}", method)


for name in ["slice_scatter", "select_scatter", "diagonal_scatter", "as_strided_scatter", "bincount"]:
    call_by_name(name)
call_by_name("bincount", ".weights")
if hasattr(torch, "segment_reduce"):
    offer("torch.segment_reduce", torch.segment_reduce)
offer("torch.nn.functional.embedding", torch.nn.functional.embedding)
offer("torch.nn.functional.embedding_bag", torch.nn.functional.embedding_bag)
offer("torch.nn.functional.embedding.sparse", partial(torch.nn.functional.embedding, sparse=True))


def offer_out(name, api, sizes_of=lambda made: made.shape):
    """`torch.NAME` with a tensor to write the result to, which is returned. It holds other values, of sizes
    that `sizes_of` makes of the result, in another order of the dimensions than the usual one."""

    def written(**arguments):
        function = getattr(torch, name)
        if "self" in arguments:
            arguments["input"] = arguments.pop("self")
        try:
            sizes = sizes_of(function(**arguments))
        except (RuntimeError, IndexError):
            sizes = (0,)  # a call that is refused, also with out
        out = arguments["input"].new_full(tuple(reversed(sizes)), 1).permute(tuple(reversed(range(len(sizes)))))
        if function(**arguments, out=out) is not out:
            raise AssertionError("the result is another tensor than out")
        return to_numpy(out)

    if worker.formed(written) is written:  # what is compiled has no tensor of the caller's to write to
        worker.call(api)(written)


for name in ["gather", "index_select", "masked_select", "take_along_dim", "index_add", "index_copy", "index_reduce"]:
    if hasattr(torch, name):
        offer_out(name, f"torch.{name}.out")
offer_out("index_select", "torch.index_select.out.resized", lambda made: (0,))


def timed_gather(api, call):
    """A gather whose result is given to it from the second execution on."""

    @worker.timed(api)
    def _(input, dim, index, threads, in_place):
        torch.set_num_threads(threads)
        result = call(input, dim, index)
        return to_numpy(result), partial(call, input, dim, index, out=result)


timed_gather("torch.gather", torch.gather)
timed_gather("torch.index_select", torch.index_select)


@worker.timed("torch.index")
def _(input, indices, threads, in_place):
    torch.set_num_threads(threads)
    indices = unpacked(indices)
    return to_numpy(input[indices]), partial(input.__getitem__, indices)


def same(value):
    return value


worker.gradient("scatterproof.echo")(gradients_by(same))
if worker.formed(same) is same:
    worker.tangent("scatterproof.echo")(tangents_by(same))
    worker.second_order("scatterproof.echo")(second_order_by(same))


@worker.call("scatterproof.echo")
def _(value):
    if isinstance(value, torch.Tensor):
        return to_numpy(value)
    return to_numpy(torch.tensor(value, dtype=torch.float64 if isinstance(value, float) else None))


worker.serve()
