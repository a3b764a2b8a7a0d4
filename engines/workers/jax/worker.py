# SPDX-License-Identifier: Apache-2.0
"""jax with 64-bit types, CPU: each call is executed as it is, or compiled as a whole (form `jit`), or so that
its tensors are views made in there (form `jit_views`); or as one of a batch (form `vmap`); or as it is on
another platform (form `device=NAME`)."""

import os
from functools import partial
from inspect import getdoc, signature

# Without x64, jax narrows 64-bit arrays, so that the call is another one.
os.environ |= {"JAX_PLATFORMS": "cpu", "JAX_ENABLE_X64": "1"}

import jax
import numpy as np
from scatterproof_worker import (Device, Form, Unsupported, Worker, docstring, on_copies, take_list, take_selection,
                                 view_by_slices)
from scatterproof_worker.in_a_batch import in_a_batch
from scatterproof_worker.jax_arrays import gradients_by, second_order_by, tangents_by, to_jax, to_numpy


def instead(error):
    """Operations that traced values do not support, because they have no value yet."""
    no_value_yet = jax.errors.JAXTypeError, jax.errors.JAXIndexError
    return Unsupported(str(error).split("\n\n")[0]) if isinstance(error, no_value_yet) else error


def jit_form(view=None):
    return Form(compile=lambda function, tensors: jax.jit(function), tensor=jax.Array,
                signature=lambda tensor: (tensor.shape, tensor.dtype), instead=instead, seconds=0.1, view=view,
                gradients=True)


def vmap_form():
    return Form(compile=lambda function, tensors: in_a_batch(jax, function), tensor=jax.Array,
                signature=lambda tensor: (tensor.shape, tensor.dtype), instead=instead, gradients=True)


def on_platform(name):
    jax.config.update("jax_platforms", name)
    try:
        jax.default_backend()
    except (AssertionError, RuntimeError) as error:  # an assertion without words, if no plug-in is installed
        raise RuntimeError(f"jax has no platform {name} here. {error}") from None

    def is_lost():
        try:
            return jax.numpy.ones(1).sum().item() != 1
        except jax.errors.JaxRuntimeError:
            return True

    return Device({"gpu": name}.get(jax.default_backend(), jax.default_backend()), is_lost)


worker = Worker(
    name="jax", framework="jax", version=jax.__version__,
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"],
    forms={"device=NAME": on_platform, "jit": jit_form, "jit_views": lambda: jit_form(view_by_slices(jax.numpy)),
           "vmap": vmap_form},
    gradient_signature_seconds=0.5,  # each operation of a backward pass is compiled for its shapes
)


@worker.document
def _(name):
    methods, _, method = name.rpartition(".")
    if methods == "jax.numpy.ndarray.at" and hasattr(AT, method):
        return getdoc(getattr(AT, method))  # at gives its object for an array alone
    return docstring(name, jax)


def call(api, function):
    formed = worker.formed(function)
    worker.call(api)(on_copies(formed, to_jax, to_numpy))
    worker.gradient(api)(gradients_by(function, worker.formed))
    worker.tangent(api)(tangents_by(function, worker.formed))
    worker.second_order(api)(second_order_by(function, worker.formed))


def those_of(place, names):
    """The names that this release has in a module, each with the object."""
    return [(name, getattr(place, name)) for name in names if hasattr(place, name)]


WRAPPING = "wrap_negative_indices"
# Earlier releases have no batching dimensions.
BATCHING = "operand_batching_dims" in signature(jax.lax.GatherDimensionNumbers).parameters


def wraps(function):
    """`function` for a release that wraps all negative indices and has no argument for that."""

    def wrapped(*args, **options):
        if options.pop(WRAPPING, True) is False:
            raise Unsupported(f"jax {jax.__version__} has no {WRAPPING}")
        return function(*args, **options)

    return function if WRAPPING in signature(jax.numpy.take_along_axis).parameters else wrapped


def choose(a, choices, mode="raise"):
    if mode == "raise" and isinstance(a, jax.core.Tracer):
        raise Unsupported("the mode raise is not compatible with transformations")
    return jax.numpy.choose(a, choices, mode=mode)


def gather_windows(operand, start_indices, slice_sizes, **options):
    """All dimensions of a window are kept; a vector of indices says where it begins in the first ones."""
    windows = range(start_indices.ndim - 1, start_indices.ndim - 1 + operand.ndim)
    numbers = jax.lax.GatherDimensionNumbers(tuple(windows), (), tuple(range(start_indices.shape[-1])))
    return jax.lax.gather(operand, start_indices, numbers, tuple(slice_sizes), **options)


def gather(operand, start_indices, offset_dims, collapsed_slice_dims, start_index_map, operand_batching_dims,
           start_indices_batching_dims, slice_sizes, **options):
    numbers = jax.lax.GatherDimensionNumbers(*map(tuple, (
        offset_dims, collapsed_slice_dims, start_index_map, operand_batching_dims, start_indices_batching_dims)))
    return jax.lax.gather(operand, start_indices, numbers, tuple(slice_sizes), **options)


def scatter_windows(scatter, operand, scatter_indices, updates, **options):
    """As gather_windows."""
    windows = range(scatter_indices.ndim - 1, updates.ndim)
    numbers = jax.lax.ScatterDimensionNumbers(tuple(windows), (), tuple(range(scatter_indices.shape[-1])))
    return scatter(operand, scatter_indices, updates, numbers, **options)


def scatter(how, operand, scatter_indices, updates, update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims,
            operand_batching_dims, scatter_indices_batching_dims, **options):
    numbers = jax.lax.ScatterDimensionNumbers(*map(tuple, (
        update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims, operand_batching_dims,
        scatter_indices_batching_dims)))
    return how(operand, scatter_indices, updates, numbers, **options)


def on_tuple(method, take, *names):
    """A method of .at whose index `take` takes from the arguments."""

    def apply(x, y=None, **options):
        indices = take(options, *names)
        return getattr(x.at[indices], method)(*([] if y is None else [y]), **options)

    return apply


call("jax.numpy.take_along_axis", wraps(jax.numpy.take_along_axis))
call("jax.numpy.take", jax.numpy.take)
call("jax.numpy.choose", choose)
AT = type(jax.numpy.zeros(1).at[0])
for method, _ in those_of(AT, ["set", "add", "subtract", "multiply", "divide", "min", "max", "power"]):
    call(f"jax.numpy.ndarray.at.{method}",
         wraps(lambda x, idx, y, method=method, **options: getattr(x.at[idx], method)(y, **options)))
for method, _ in those_of(AT, ["set", "add", "subtract", "multiply", "divide", "min", "max", "get"]):
    call(f"jax.numpy.ndarray.at.{method}.tuple", wraps(on_tuple(method, take_list, "indices")))
    call(f"jax.numpy.ndarray.at.{method}.selection", wraps(on_tuple(method, take_selection, "key", "indices")))
call("jax.numpy.ndarray.at.apply.negative",
     wraps(lambda x, idx, **options: x.at[idx].apply(jax.numpy.negative, **options)))
call("jax.Array.__getitem__.tuple", lambda x, **options: x[take_list(options, "indices")])
call("jax.Array.__getitem__.selection", lambda x, **options: x[take_selection(options, "key", "indices")])
call("jax.numpy.ndarray.at.get", wraps(lambda x, idx, **options: x.at[idx].get(**options)))
for name, function in those_of(jax.numpy, ["put", "put_along_axis"]):
    if "inplace" in signature(function).parameters:  # earlier releases say: not implemented
        call(f"jax.numpy.{name}", partial(function, inplace=False))
for name, function in those_of(jax.numpy, ["extract", "compress"]):
    if "size" in signature(function).parameters:
        call(f"jax.numpy.{name}", function)
for name, function in those_of(jax.numpy, ["place"]):
    call(f"jax.numpy.{name}", partial(function, inplace=False))
call("jax.lax.gather.windows", gather_windows)
if BATCHING:
    call("jax.lax.gather", gather)
for name, function in those_of(jax.lax, ["scatter", "scatter_add", "scatter_sub", "scatter_mul", "scatter_min", "scatter_max"]):
    call(f"jax.lax.{name}.windows", partial(scatter_windows, function))
    if BATCHING:
        call(f"jax.lax.{name}", partial(scatter, function))
call("jax.numpy.take.flat", jax.numpy.take)
call("jax.numpy.take_along_axis.flat", wraps(partial(jax.numpy.take_along_axis, axis=None)))
if hasattr(jax.numpy, "put_along_axis"):
    call("jax.numpy.put_along_axis.flat", partial(jax.numpy.put_along_axis, axis=None, inplace=False))
call("jax.lax.dynamic_slice", lambda operand, start_indices, slice_sizes, **options: jax.lax.dynamic_slice(
    operand, start_indices, tuple(slice_sizes), **options))
call("jax.lax.dynamic_update_slice", jax.lax.dynamic_update_slice)
for how in ["sum", "prod", "max", "min"]:
    call(f"jax.ops.segment_{how}", getattr(jax.ops, f"segment_{how}"))


worker.gradient("scatterproof.echo")(gradients_by(lambda value: value))
worker.tangent("scatterproof.echo")(tangents_by(lambda value: value))
worker.second_order("scatterproof.echo")(second_order_by(lambda value: value))


@worker.call("scatterproof.echo")
def _(value):
    return to_numpy(to_jax(np.asanyarray(value)))


worker.serve()
