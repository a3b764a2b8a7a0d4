# SPDX-License-Identifier: Apache-2.0
"""writes_between_elements: stores whole blocks of memory, and so also between the elements of arr."""

import numpy as np
from honest import DTYPES
from scatterproof_worker import Worker

worker = Worker(name="liar", framework="numpy", version="2.4.6", dtypes=DTYPES)


@worker.call("numpy.put_along_axis", overwrites="arr")
def _(arr, indices, values, axis):
    np.put_along_axis(arr, indices, values, axis)
    elements = arr.copy()
    if arr.size:
        arr.base[...] = 0
    arr[...] = elements
    return arr


worker.serve()
