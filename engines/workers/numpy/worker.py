# SPDX-License-Identifier: Apache-2.0
"""numpy: the calls that scatter and gather along an axis, and the unbuffered ufunc."""

import numpy as np
from scatterproof_worker import Worker, private_copy

worker = Worker(
    name="numpy", framework="numpy", version=np.__version__,
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", "f32", "f64", "c64", "c128"],
)


@worker.call("numpy.put_along_axis")
def _(arr, indices, values, axis):
    arr = private_copy(arr)
    np.put_along_axis(arr, indices, values, axis)
    return arr


@worker.call("numpy.take_along_axis")
def _(arr, indices, axis):
    return np.take_along_axis(arr, indices, axis)


@worker.call("numpy.add.at")
def _(a, indices, b):
    a = private_copy(a)
    np.add.at(a, indices, b)
    return a


worker.serve()
