# SPDX-License-Identifier: Apache-2.0
"""writes_before_refusing: checks each index when it gets there, so that a refused call leaves arr half
written."""

import itertools

import numpy as np
from honest import DTYPES
from scatterproof_worker import Worker

worker = Worker(name="liar", framework="numpy", version="2.4.6", dtypes=DTYPES)


@worker.call("numpy.put_along_axis", overwrites="arr")
def _(arr, indices, values, axis):
    if indices.ndim != arr.ndim or not -arr.ndim <= axis < arr.ndim:
        raise IndexError("indices and axis do not fit arr")
    axis %= arr.ndim
    sizes = arr.shape[:axis] + (indices.shape[axis],) + arr.shape[axis + 1 :]
    try:
        places, values = np.broadcast_to(indices, sizes), np.broadcast_to(values, sizes)
    except ValueError as error:
        raise IndexError(str(error)) from None
    for p in itertools.product(*map(range, sizes)):
        arr[p[:axis] + (places[p],) + p[axis + 1 :]] = values[p]
    return arr


worker.serve()
