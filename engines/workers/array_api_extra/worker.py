# SPDX-License-Identifier: Apache-2.0
"""array_api_extra.at, CPU, on arrays of NumPy, or of another library (form `backend=NAME`)."""

import os
from importlib.metadata import version

FORM = "backend="
ARRAYS = os.environ.get("SCATTERPROOF_FORM", "").removeprefix(FORM) or "numpy"
# Without x64, jax narrows 64-bit arrays, so that the call is another one.
os.environ |= {"JAX_PLATFORMS": "cpu", "JAX_ENABLE_X64": "1"}

import array_api_extra
from scatterproof_worker import Worker, docstring, on_copies, take_selection

to_arrays, over_memory, to_numpy = None, lambda array: array, lambda array: array
if ARRAYS == "jax":
    from scatterproof_worker.jax_arrays import to_jax as to_arrays, to_numpy
elif ARRAYS == "torch":
    from scatterproof_worker.torch_tensors import to_numpy, to_torch as over_memory

worker = Worker(
    name="array_api_extra", framework="array_api_extra", version=version("array-api-extra"),
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", *(["bf16"] if ARRAYS != "numpy" else []), "f32", "f64", "c64", "c128"],
    forms={FORM + name: lambda: None for name in ["jax", "torch"]}, tensors=over_memory,
)


@worker.document
def _(name):
    return docstring(name, array_api_extra)


def offer(name, update, overwrites=None):
    call = on_copies(update, to_arrays, to_numpy) if to_arrays else lambda **arguments: to_numpy(update(**arguments))
    worker.call(name, overwrites=overwrites)(call)


def offer_all(how):
    def at(x, y, **arguments):
        return getattr(array_api_extra.at(x)[take_selection(arguments, "key", "indices")], how)(y, **arguments)

    def at_mask(x, mask, y, **copy):
        return getattr(array_api_extra.at(x, mask), how)(y, **copy)

    for name, update in [(f"array_api_extra.at.{how}", at), (f"array_api_extra.at.{how}.mask", at_mask)]:
        offer(name, update, overwrites="x")
        offer(f"{name}.copy", lambda update=update, **arguments: update(copy=True, **arguments))
        if ARRAYS != "jax":  # whose arrays cannot be written
            offer(f"{name}.in_place", lambda x, update=update, **arguments: (update(x, copy=False, **arguments), x)[1], overwrites="x")


for how in ["set", "add", "subtract", "multiply", "divide", "min", "max"]:
    offer_all(how)
worker.call("scatterproof.echo")(lambda value: value)
worker.serve()
