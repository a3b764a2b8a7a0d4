# SPDX-License-Identifier: Apache-2.0
"""Everything a worker needs to speak version 1 of the worker protocol (docs/formats/worker-protocol.md).

    worker = Worker(name="numpy", version=numpy.__version__, dtypes=["i64", "f32"])

    @worker.call("numpy.take_along_axis")
    def _(arr, indices, axis):
        return numpy.take_along_axis(arr, indices, axis)

    worker.serve()
"""

from .copies import on_copies
from .devices import Device
from .documents import docstring
from .forms import Form, Unsupported, base_of
from .leaves import gradients_of_leaves, timed_gradients_of_leaves
from .lists import take_list
from .refusals import apart_if_refused
from .tensors import Tensor16, bfloat16_bits, is_bfloat16
from .views import view_by_slices
from .worker import Worker

__all__ = ["Device", "Form", "Tensor16", "Unsupported", "Worker", "apart_if_refused", "base_of", "bfloat16_bits", "docstring",
           "gradients_of_leaves", "is_bfloat16", "on_copies", "take_list", "timed_gradients_of_leaves", "view_by_slices"]
