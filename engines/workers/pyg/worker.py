# SPDX-License-Identifier: Apache-2.0
"""torch_geometric, eager, on the CPU, without torch_scatter: its calls are those of torch then."""

from importlib.metadata import version

import torch_geometric.utils
from scatterproof_worker import Worker, docstring
from scatterproof_worker.torch_tensors import gradients_by, to_numpy, to_torch

worker = Worker(
    name="pyg", framework="torch_geometric", version=version("torch_geometric"),
    dtypes=["bool", "u8", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "c64", "c128"], tensors=to_torch,
)


@worker.document
def _(name):
    return docstring(name, torch_geometric)


worker.gradient("torch_geometric.utils.scatter")(gradients_by(torch_geometric.utils.scatter))


@worker.call("torch_geometric.utils.scatter")
def _(**arguments):
    return to_numpy(torch_geometric.utils.scatter(**arguments))


worker.gradient("scatterproof.echo")(gradients_by(lambda value: value))
worker.call("scatterproof.echo")(to_numpy)
worker.serve()
