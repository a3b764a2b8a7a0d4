# SPDX-License-Identifier: Apache-2.0
"""Timed forms, tested from within a worker: out of place every execution gives the same result; in place a
sum goes on growing. Run by the interpreter of the framework whose worker.py is named."""

import os
import runpy
import sys

import numpy as np
import scatterproof_worker

TABLE = np.arange(1, 9, dtype=np.float32).reshape(4, 2)
ROWS = np.array([2, 0, 2])
INDEX = np.repeat(ROWS[:, None], 2, axis=1)
UPDATES = np.arange(10, 70, 10, dtype=np.float32).reshape(3, 2)
SUM_OF_ROWS = np.array([[30, 40], [0, 0], [60, 80], [0, 0]], dtype=np.float32)

GATHERS = {
    "numpy.take": {"a": TABLE, "indices": ROWS, "axis": 0},
    "torch.gather": {"input": TABLE, "dim": 0, "index": INDEX},
    "torch.index_select": {"input": TABLE, "dim": 0, "index": ROWS},
    "torch.index": {"input": TABLE, "indices": ROWS[:, None]},
    "onnx.GatherElements": {"data": TABLE, "indices": INDEX, "axis": 0, "opset": 18},
    "onnx.Gather": {"data": TABLE, "indices": ROWS, "axis": 0, "opset": 18},
    "onnx.GatherND": {"data": TABLE, "indices": ROWS[:, None], "batch_dims": 0, "opset": 18},
}
SUMS = {
    "numpy.add.at": {"a": TABLE, "indices": ROWS, "b": UPDATES},
    "torch.Tensor.scatter_add_": {"self": TABLE, "dim": 0, "index": INDEX, "src": UPDATES},
    "torch.Tensor.index_add_": {"self": TABLE, "dim": 0, "index": ROWS, "source": UPDATES},
    "torch.Tensor.index_put_": {"self": TABLE, "indices": ROWS[:, None], "values": UPDATES, "accumulate": True},
    "torch.Tensor.scatter_reduce_": {"self": TABLE, "dim": 0, "index": INDEX, "src": UPDATES, "reduce": "sum",
                                     "include_self": True},
    "onnx.ScatterElements": {"data": TABLE, "indices": INDEX, "updates": UPDATES, "axis": 0, "reduction": "add",
                             "opset": 18},
    "onnx.ScatterND": {"data": TABLE, "indices": ROWS[:, None], "updates": UPDATES, "reduction": "add", "opset": 18},
}


def results(worker, form, arguments, in_place):
    """What the result holds after one execution, and after three more."""
    private = {name: worker._tensors(value.copy()) if isinstance(value, np.ndarray) else value
               for name, value in arguments.items()}
    result, execute = form(**private, threads=2, in_place=in_place)
    first = np.array(result)
    for _ in range(3):
        execute()
    return first, np.array(result)


def check(worker):
    seen = 0
    for api, arguments in {**GATHERS, **SUMS}.items():
        form = worker._timed.get(api)
        if form is None:
            continue
        seen += 1
        first, last = results(worker, form, arguments, in_place=False)
        assert np.array_equal(first, TABLE + SUM_OF_ROWS if api in SUMS else TABLE[ROWS].reshape(first.shape)), api
        assert np.array_equal(first, last), f"{api}: out of place, each execution has to start anew"
        if api in SUMS and not api.startswith("onnx."):
            _, last = results(worker, form, arguments, in_place=True)
            assert np.array_equal(last, TABLE + 4 * SUM_OF_ROWS), f"{api}: in place, the sum has to grow"
    assert seen >= 2, "no timed form was looked at"


scatterproof_worker.Worker.serve = check
sys.path.insert(0, os.path.dirname(sys.argv[1]))  # as where it is started as a program
runpy.run_path(sys.argv[1])
