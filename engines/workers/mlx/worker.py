# SPDX-License-Identifier: Apache-2.0
"""MLX, on the CPU, which alone has 64-bit floats. Its arrays are copies."""

from importlib.metadata import version

import mlx.core
import numpy
from scatterproof_worker import Worker, bfloat16_bits, docstring, is_bfloat16, on_copies

worker = Worker(
    name="mlx", framework="mlx", version=version("mlx"),
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64"],
)


@worker.document
def _(name):
    return docstring(name, mlx)


def to_mlx(array):
    plain = numpy.array(array.view(numpy.ndarray), order="C")  # MLX takes no negative strides
    if is_bfloat16(array):
        return mlx.core.array(plain.view(numpy.uint16)).view(mlx.core.bfloat16)
    return mlx.core.array(plain, dtype=getattr(mlx.core, "bool_" if plain.dtype == bool else plain.dtype.name))


def to_numpy(array):
    if array.dtype == mlx.core.bfloat16:
        return bfloat16_bits(numpy.array(array.view(mlx.core.uint16)))
    return numpy.array(array)


def offer(name, function):
    worker.call(f"mlx.core.{name}")(on_copies(function, to_mlx, to_numpy))


def at(how):
    return lambda x, idx, y: getattr(x.at[idx], how)(y)


for how in ["add", "subtract", "multiply", "divide", "maximum", "minimum"]:
    offer(f"array.at.{how}", at(how))
for name in ["take", "take_along_axis", "put_along_axis"]:
    offer(name, lambda a, name=name, **arguments: getattr(mlx.core, name)(a, **arguments))
worker.call("scatterproof.echo")(lambda value: to_numpy(to_mlx(numpy.asanyarray(value))))
worker.serve()
