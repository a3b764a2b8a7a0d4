# SPDX-License-Identifier: Apache-2.0
"""honest: does what the documents say, one element at a time. Each method is one step, for a vice to
spoil."""

import itertools
import math

import numpy as np
from scatterproof_worker import Worker

np.seterr(all="ignore")
DTYPES = ["bool", "u8", "i8", "i16", "i32", "i64", "f16", "f32", "f64", "c64", "c128"]
WORDS = {"none": "assign", "add": "sum", "multiply": "prod"}


class Honest:
    def scatter(self, data, dim, index, src, by, include_start=True, strict=False):
        """`strict`: an empty index is excused from nothing."""
        self.check(data, dim, index)
        if strict or index.size:
            self.check_sizes(data, dim, index, src)
        result = self.start(data)
        axis = self.axis(dim, data.ndim)
        bags = {}
        for p in self.positions(index) if index.size else []:
            if self.in_range(int(index[p]), data.shape[axis]):
                cell = self.cell(p, axis, self.place(int(index[p]), data.shape[axis]))
                bags.setdefault(cell, []).append(src[p])
            else:
                self.out_of_range(int(index[p]))
        for cell, values in bags.items():
            result[cell] = self.combine(by, result[cell], values, include_start)
        return self.finish(result, data)

    def gather(self, data, dim, index):
        self.check(data, dim, index)
        if index.size:
            self.check_sizes(data, dim, index, index)
        result = np.zeros(index.shape, data.dtype)
        axis = self.axis(dim, data.ndim)
        for p in self.positions(index) if index.size else []:
            if self.in_range(int(index[p]), data.shape[axis]):
                result[p] = data[self.cell(p, axis, self.place(int(index[p]), data.shape[axis]))]
            else:
                self.out_of_range(int(index[p]))
        return self.finish(result, data)

    def rows(self, data, index, updates, overwrite):
        """Each index names a row; without overwrite the rows that are hit are sums of updates alone."""
        if index.ndim != 1 or updates.ndim != data.ndim or updates.shape[1:] != data.shape[1:]:
            raise RuntimeError("the shapes do not fit")
        if not all(self.in_range(int(i), len(data)) for i in index):
            raise RuntimeError("index out of range")
        whole = np.broadcast_to(index.reshape((-1,) + (1,) * (data.ndim - 1)), index.shape + data.shape[1:])
        return self.scatter(data, 0, whole, updates, "assign" if overwrite else "sum", overwrite)

    def check(self, data, dim, index):
        if index.dtype not in (np.int32, np.int64):
            raise RuntimeError("index is not of int32 or int64")
        if data.ndim == 0 or not -data.ndim <= dim < data.ndim:
            raise IndexError("dim is no axis")

    def check_sizes(self, data, dim, index, src):
        if not data.ndim == index.ndim == src.ndim:
            raise RuntimeError("the ranks differ")
        for d in range(index.ndim):
            if index.shape[d] > src.shape[d] or (d != dim % data.ndim and index.shape[d] > data.shape[d]):
                raise RuntimeError("index is too long")

    def axis(self, dim, rank):
        return dim % rank

    def in_range(self, value, size):
        return 0 <= value < size

    def out_of_range(self, value):
        raise RuntimeError(f"index {value} is out of range")

    def place(self, value, size):
        return value

    def cell(self, p, axis, value):
        return p[:axis] + (value,) + p[axis + 1 :]

    def positions(self, index):
        return list(itertools.product(*map(range, index.shape)))

    def start(self, data):
        return data.copy()

    def finish(self, result, data):
        return result

    def combine(self, by, start, values, include_start):
        if by == "assign":
            return values[-1]
        return self.reduce(by, [start, *values] if include_start else values)

    def reduce(self, by, values):
        dtype = values[0].dtype
        numbers = [value.item() for value in values]
        if by in ("sum", "mean"):
            total = sum(numbers[1:], numbers[0])
            if by == "mean":
                total = total // len(numbers) if isinstance(total, int) else total / len(numbers)
        elif by == "prod":
            total = math.prod(numbers[1:], start=numbers[0])
        else:
            total = self.extreme(by, numbers)
        return self.narrow(total, dtype)

    def extreme(self, by, numbers):
        nans = [number for number in numbers if number != number]
        return nans[0] if nans else (max if by == "amax" else min)(numbers)

    def narrow(self, number, dtype):
        if dtype.kind in "iu":
            return np.array(number % 2 ** (8 * dtype.itemsize), np.uint64).astype(dtype)
        return np.array(number).astype(dtype)


def serve(engine, make=Worker):
    worker = make(name="liar", framework="torch", version="2.13.0", dtypes=DTYPES)

    @worker.call("torch.Tensor.scatter_")
    def _(self, dim, index, src, reduce):
        if reduce not in (None, *WORDS):
            raise RuntimeError("reduce is add or multiply")
        return engine.scatter(self, dim, index, src, WORDS[reduce or "none"])

    @worker.call("torch.Tensor.scatter_add_")
    def _(self, dim, index, src):
        return engine.scatter(self, dim, index, src, "sum")

    @worker.call("torch.Tensor.scatter_reduce_")
    def _(self, dim, index, src, reduce, include_self):
        if reduce not in ("sum", "prod", "mean", "amax", "amin"):
            raise RuntimeError("reduce is no reduction")
        return engine.scatter(self, dim, index, src, reduce, include_self, strict=True)

    @worker.call("torch.gather")
    def _(input, dim, index):
        return engine.gather(input, dim, index)

    @worker.call("paddle.fluid.layers.scatter")
    def _(input, index, updates, overwrite):
        return engine.rows(input, index, updates, overwrite)

    worker.serve()


if __name__ == "__main__":
    serve(Honest())
