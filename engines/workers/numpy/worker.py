# SPDX-License-Identifier: Apache-2.0
"""numpy: the calls that scatter and gather along an axis, the unbuffered ufuncs, and indexing by an array."""

from functools import partial
from operator import itemgetter

import numpy as np
from scatterproof_worker import Worker, docstring, take_list, take_selection

worker = Worker(
    name="numpy", framework="numpy", version=np.__version__,
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", "f32", "f64", "c64", "c128"],
)


@worker.call("numpy.put_along_axis", overwrites="arr")
def _(arr, indices, values, axis):
    np.put_along_axis(arr, indices, values, axis)
    return arr


# Its own signature says whether the axis may be left out: not before 2.3.
worker.call("numpy.take_along_axis")(np.take_along_axis)


@worker.call("numpy.take_along_axis.flat")
def _(arr, indices):
    return np.take_along_axis(arr, indices, axis=None)


@worker.call("numpy.put_along_axis.flat", overwrites="arr")
def _(arr, indices, values):
    np.put_along_axis(arr, indices, values, None)
    return arr


worker.call("numpy.take")(np.take)
worker.call("numpy.take.flat")(np.take)


@worker.call("numpy.put", overwrites="a")
def _(a, **arguments):
    np.put(a, **arguments)
    return a


@worker.call("numpy.flatiter.__setitem__", overwrites="a")
def _(a, indices, value):
    a.flat[indices] = value
    return a


def ufunc_at(name):
    @worker.call(f"numpy.{name}.at", overwrites="a")
    def _(a, indices, **second):
        getattr(np, name).at(a, indices, *second.values())
        return a


def ufunc_at_selection(name):
    @worker.call(f"numpy.{name}.at.selection", overwrites="a")
    def _(a, b, **arguments):
        getattr(np, name).at(a, take_selection(arguments, "key", "indices"), b)
        return a


for name in ["add", "subtract", "multiply", "divide", "true_divide", "maximum", "minimum", "fmax", "fmin"]:
    ufunc_at(name)
    ufunc_at_selection(name)
for name in ["negative", "logical_not", "invert", "absolute", "square", "logical_and", "logical_or", "logical_xor", "bitwise_and",
             "bitwise_or", "bitwise_xor", "floor_divide", "remainder", "power"]:
    ufunc_at(name)
for name in ["add", "multiply", "maximum", "minimum"]:
    worker.call(f"numpy.{name}.reduceat")(getattr(np, name).reduceat)


worker.call("numpy.choose")(np.choose)


def offer_indexing(overload, indices):
    """`a[..]` and `a[..] = value`; `indices` takes what stands in the brackets from the arguments."""

    @worker.call(f"numpy.ndarray.__getitem__{overload}")
    def _(a, **arguments):
        return a[indices(arguments)]

    @worker.call(f"numpy.ndarray.__setitem__{overload}", overwrites="a")
    def _(a, value, **arguments):
        a[indices(arguments)] = value
        return a


offer_indexing("", itemgetter("indices"))
offer_indexing(".tuple", lambda arguments: take_list(arguments, "indices"))
offer_indexing(".selection", lambda arguments: take_selection(arguments, "key", "indices"))
offer_indexing(".mask", itemgetter("mask"))


@worker.call("numpy.ndarray.__getitem__.view", overwrites="a")
def _(a, value, **arguments):
    a[take_selection(arguments, "key", "indices")][...] = value
    return a


worker.call("numpy.extract")(np.extract)
worker.call("numpy.compress")(np.compress)


@worker.call("numpy.place", overwrites="arr")
def _(arr, mask, vals):
    np.place(arr, mask, vals)
    return arr


@worker.call("numpy.putmask", overwrites="a")
def _(a, mask, values):
    np.putmask(a, mask, values)
    return a


def offer_out(api, function):
    """The call with an array to write the result to, which is returned. It holds other values, and is in
    column-major order."""

    @worker.call(api)
    def _(**arguments):
        try:
            made = function(**arguments)
        except (ValueError, IndexError):
            made = np.empty(0)  # a call that is refused, also with out
        out = np.full_like(made, 99, order="F")
        if function(**arguments, out=out) is not out:
            raise AssertionError("the result is another array than out")
        return out


for name in ["take", "choose", "compress"]:
    offer_out(f"numpy.{name}.out", getattr(np, name))
for name in ["add", "multiply", "maximum", "minimum"]:
    offer_out(f"numpy.{name}.reduceat.out", getattr(np, name).reduceat)


@worker.document
def _(name):
    return docstring(name, np)


def scattering(start, in_place, call, *arguments):
    """The timed form of `call(target, *arguments)`, which overwrites its target."""
    target = start if in_place else np.empty_like(start)
    act = partial(call, target, *arguments)

    def from_start():
        np.copyto(target, start)
        act()

    execute = act if in_place else from_start
    execute()
    return target, execute


@worker.timed("numpy.put_along_axis")
def _(arr, indices, values, axis, threads, in_place):
    return scattering(arr, in_place, np.put_along_axis, indices, values, axis)


@worker.timed("numpy.add.at")
def _(a, indices, b, threads, in_place):
    return scattering(a, in_place, np.add.at, indices, b)


@worker.timed("numpy.maximum.at")
def _(a, indices, b, threads, in_place):
    return scattering(a, in_place, np.maximum.at, indices, b)


@worker.timed("numpy.take")
def _(a, indices, axis, threads, in_place):
    result = np.take(a, indices, axis)
    # With mode="raise" numpy writes into a buffer first. mode="clip" checks without a buffer; its result
    # differs only if an index counts from the end.
    mode = "clip" if indices.size == 0 or indices.min() >= 0 else "raise"
    return result, partial(np.take, a, indices, axis, result, mode)


worker.serve()
