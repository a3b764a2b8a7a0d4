"""An engine of your own, in Python: torch.Tensor.scatter_add_ on numpy. It is complete; make it yours."""

import itertools

import numpy as np
from scatterproof_worker import Worker

worker = Worker(name="mine", version="0.1", dtypes=["i64", "f32", "f64"])


@worker.call("torch.Tensor.scatter_add_")
def scatter_add(self, dim, index, src):
    check(self, dim, index, src)
    result = self.copy()
    if self.ndim == 0:
        result[...] += src.reshape(-1)[: index.size].sum(dtype=self.dtype)
        return result
    for position, cell in writes(dim, index):
        result[cell] += src[position]
    return result


@worker.gradient("torch.Tensor.scatter_add_")
def _(self, dim, index, src, of, cotangent):
    """The result, and the gradient of each argument in `of`: self passes the cotangent on, src gets it back
    from where it was added."""
    gradients = {"self": cotangent, "src": np.zeros_like(src)}
    if self.ndim == 0:
        gradients["src"].reshape(-1)[: index.size] = cotangent
    else:
        for position, cell in writes(dim, index):
            gradients["src"][position] = cotangent[cell]
    return scatter_add(self, dim, index, src), [gradients[name] for name in of]


def writes(dim, index):
    """Each position of the index, and the cell that it names."""
    for position in itertools.product(*map(range, index.shape)):
        cell = list(position)
        cell[dim] = index[position]
        yield position, tuple(cell)


def check(self, dim, index, src):
    """Everything is checked before anything is written. An index without elements need not fit."""
    if index.dtype != np.int64:
        refuse("dtype", f"index is {index.dtype}, not int64")
    if src.dtype != self.dtype:
        refuse("dtype", f"src is {src.dtype}, self is {self.dtype}")
    if not -max(self.ndim, 1) <= dim < max(self.ndim, 1):
        refuse("axis", f"there is no dimension {dim} of {self.ndim}")
    if index.size == 0:
        return
    if not max(self.ndim, 1) == max(index.ndim, 1) == max(src.ndim, 1):
        refuse("rank", f"self, index and src have {self.ndim}, {index.ndim} and {src.ndim} dimensions")
    for d, size in enumerate(index.shape):
        if size > np.atleast_1d(src).shape[d]:
            refuse("shape", f"index is longer than src in dimension {d}")
        if d != dim % max(self.ndim, 1) and size > self.shape[d]:
            refuse("shape", f"index is longer than self in dimension {d}")
    along = np.atleast_1d(self).shape[dim]
    if index.min() < 0 or index.max() >= along:
        refuse("index", f"an index is out of range for size {along}")


def refuse(kind, words):
    """Raises an error that a report shows as `kind: words`; the kinds are rank, shape, dtype, index, axis or
    value."""
    raise type(kind, (Exception,), {})(words)


worker.serve()
