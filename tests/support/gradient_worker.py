# SPDX-License-Identifier: Apache-2.0
"""A worker with gradients: gradient_worker.py WAY. They are right, or wrong in this way."""

import itertools
import sys

import numpy as np
from scatterproof_worker import Worker

WAY = sys.argv[1]
asked = itertools.count(1)
worker = Worker(name="mine", version="2.13.0", framework="torch", dtypes=["i64", "i32", "f32", "f64"])


@worker.call("torch.gather")
def gather(input, dim, index):
    return np.take_along_axis(input, index, dim)


@worker.gradient("torch.gather")
def _(input, dim, index, of, cotangent):
    result = gather(input, dim, index)
    if WAY == "forward":
        result = result + 1
    gradient = np.zeros_like(input)
    if input.ndim == 0:
        gradient += cotangent
    else:
        places = list(np.indices(index.shape))
        places[dim] = index
        if WAY == "last":
            gradient[tuple(places)] = cotangent
        else:
            np.add.at(gradient, tuple(places), cotangent)
    if WAY == "writes":
        cotangent[...] = 7
    if WAY == "varies":
        gradient += next(asked)
    return result, [{"none": None, "refused": NotImplementedError("not yet"), "wide": gradient.astype(complex).real}.get(WAY, gradient)]


def tangent_of_gather(index, dim, moves):
    return np.take_along_axis(moves, index, dim) if moves.ndim else np.full(index.shape, moves)


if WAY in ("right", "doubled", "bent"):

    @worker.second_order("torch.gather")
    def _(input, dim, index, of, cotangent, tangents_0):
        by_input = np.ones_like(input) if WAY == "bent" else None
        return gather(input, dim, index), [tangent_of_gather(index, dim, tangents_0) * (2 if WAY == "doubled" else 1), by_input]


def copied(target, dim, index, source, order):
    result = target.copy()
    slices, into = np.moveaxis(np.atleast_1d(source), dim, 0), np.moveaxis(np.atleast_1d(result), dim, 0)
    for i in order(range(index.size)):
        into[np.atleast_1d(index)[i]] = slices[i]
    return result


@worker.call("torch.Tensor.index_copy")
def index_copy(self, dim, index, source):
    return copied(self, dim, index, source, list)


@worker.gradient("torch.Tensor.index_copy")
def _(self, dim, index, source, of, cotangent):
    result = copied(self, dim, index, source, reversed if WAY == "other" else list)
    return result, [NotImplementedError("not yet") for _ in of]


worker.gradient("scatterproof.echo")(lambda value, of, cotangent: (value, [-cotangent if WAY == "echo" else cotangent]))
worker.serve()
