# SPDX-License-Identifier: Apache-2.0
"""Each entry of runner/site/bridges.yaml is executed with numpy. The call of the other family that a bridge
builds gives what the call of the first family means. The call that a preparation leaves means the same for
every API of the family: what the API of the first call made of that. All meanings are written here cell by
cell, after spec/data/comparisons. What jax makes of a result is executed in
tests/program/cli/site_test.py."""

import json
import os
import subprocess
import unittest

import yaml
from program import SOURCE, worker_python

TRIES = r'''
import itertools, json, math, sys
import numpy as np

def land(out, place, value, combine):
    out[place] = out[place] + value if combine == "sum" else value

def positions(shape):
    return itertools.product(*map(range, shape))

def scatter_elements(data, axis, index, updates, combine, **_):
    out, axis = data.copy(), axis % max(data.ndim, 1)
    for p in positions(index.shape):
        land(out, p[:axis] + (index[p],) + p[axis + 1:], updates[p], combine)
    return out

def scatter_rows(data, axis, index, updates, combine, **_):
    out = data.copy()
    for a in positions(data.shape[:axis]):
        for i in positions(index.shape):
            for b in positions(data.shape[axis + 1:]):
                land(out, a + (index[i],) + b, updates[a + i + b], combine)
    return out

def scatter_nd(data, index, updates, combine, **_):
    out = data.copy()
    for i in positions(index.shape[:-1]):
        for t in positions(data.shape[index.shape[-1]:]):
            land(out, tuple(index[i]) + t, updates[i + t], combine)
    return out

def scatter_tuples(data, index, updates, combine, **_):
    places = np.stack(np.broadcast_arrays(*index), -1)
    return scatter_nd(data, places, np.broadcast_to(updates, places.shape[:-1] + data.shape[len(index):]), combine)

def flat_scatter(data, index, updates, combine, **_):
    out = data.copy().reshape(-1)
    for i, value in zip(index.reshape(-1), updates.reshape(-1)):
        land(out, i, value, combine)
    return out.reshape(data.shape)

def scatter_nd_zeros(index, updates, sizes, **_):
    return scatter_nd(np.zeros(sizes, updates.dtype), index, updates, "sum")

def segments(data, index, segments, combine, **_):
    return scatter_rows(np.zeros((segments,) + data.shape[1:], data.dtype), 0, index, data, combine)

def gather_elements(data, axis, index, **_):
    out, axis = np.empty(index.shape, data.dtype), axis % data.ndim
    for p in positions(index.shape):
        out[p] = data[p[:axis] + (index[p],) + p[axis + 1:]]
    return out

def gather_rows(data, axis, index, **_):
    out = np.empty(data.shape[:axis] + index.shape + data.shape[axis + 1:], data.dtype)
    for a in positions(data.shape[:axis]):
        for i in positions(index.shape):
            for b in positions(data.shape[axis + 1:]):
                out[a + i + b] = data[a + (index[i],) + b]
    return out

def gather_nd(data, index, **_):
    k = index.shape[-1]
    out = np.empty(index.shape[:-1] + data.shape[k:], data.dtype)
    for i in positions(index.shape[:-1]):
        out[i] = data[tuple(index[i])]
    return out

def gather_tuples(data, index, **_):
    return gather_nd(data, np.stack(np.broadcast_arrays(*index), -1))

def flat_gather(data, index, **_):
    return data.reshape(-1)[index]

DRAW = np.random.default_rng(1)

def distinct(sizes, count):
    """That many places, none twice: what is assigned twice has no one result."""
    all_places = list(positions(sizes))
    return np.array([all_places[i] for i in DRAW.permutation(len(all_places))[:count]]).reshape(count, len(sizes))

def call_of(family, combine):
    """A call of a family; assigned values do not meet."""
    numbers = lambda *shape: DRAW.integers(1, 100, shape)
    data = numbers(4, 3, 5)
    if family in ("scatter_elements", "gather_elements"):
        axis = int(DRAW.integers(0, 3))
        sizes = list(data.shape)
        sizes[axis] = 2
        index = np.argsort(DRAW.random(data.shape), axis)[tuple(slice(n - (d != axis)) for d, n in enumerate(sizes))]
        return dict(data=data, axis=axis, index=index, updates=numbers(*index.shape), combine=combine)
    if family in ("scatter_rows", "gather_rows"):
        axis = int(DRAW.integers(0, 3))
        index = DRAW.permutation(data.shape[axis])[:2]
        sizes = list(data.shape)
        sizes[axis] = 2
        return dict(data=data, axis=axis, index=index, updates=numbers(*sizes), combine=combine)
    if family == "segments":
        return dict(data=numbers(6, 2), index=DRAW.integers(0, 4, 6), segments=4, combine=combine)
    places = distinct(data.shape, 4)
    if family in ("scatter_tuples", "gather_tuples"):
        return dict(data=data, index=tuple(places.T), updates=numbers(4), combine=combine)
    if family == "scatter_nd_zeros":
        return dict(index=distinct((4, 3), 3), updates=numbers(3, 5), sizes=(4, 3, 5), combine=combine)
    return dict(data=data, index=distinct((4, 3), 3), updates=numbers(3, 5), combine=combine)

def calls_of(family, combine):
    calls = [call_of(family, combine) for _ in range(5)]
    if family == "scatter_elements":  # torch takes it
        calls.append(dict(data=np.arange(3), axis=0, index=np.zeros(0, int), updates=np.array(7), combine=combine))
    if family == "scatter_tuples":  # arrays and updates of several shapes
        calls.append(dict(data=np.arange(12).reshape(4, 3), index=(np.array([[0], [2]]), np.array([1, 0])), updates=np.array([20, 30]), combine=combine))
    return calls

def spread(tensor, p):
    """The element at p, or at the one place of a dimension that has no more."""
    return tensor[tuple(i if n > 1 else 0 for i, n in zip(p[len(p) - tensor.ndim:], tensor.shape))]

def repeated(call):
    """An elementwise call as numpy takes it: off the axis what has one place is repeated."""
    data, index, axis = call["data"], call["index"], call["axis"] % call["data"].ndim
    sizes = [n if d == axis else (m if n == 1 else n) for d, (n, m) in enumerate(zip(index.shape, data.shape))]
    gathers = call["updates"] is None
    out = np.empty(sizes, data.dtype) if gathers else data.copy()
    for p in positions(sizes):
        i = spread(index, p[:axis] + (p[axis] if index.shape[axis] > 1 else 0,) + p[axis + 1:])
        if gathers:
            out[p] = spread(data, p[:axis] + (i,) + p[axis + 1:])
        else:
            land(out, p[:axis] + (i,) + p[axis + 1:], spread(call["updates"], p), call["combine"])
    return out

def below_zero(call):
    """The same call, its index counting from the end."""
    data, axis = call["data"], call.get("axis")
    return {**call, "index": call["index"] - (data.size if axis is None else data.shape[axis])}

def of_sizes(data, axis, index, updates=None):
    """Of these sizes, with a negative axis too; no place twice."""
    for one in (axis, axis - len(data)):
        numbers = DRAW.integers(1, 100, data)
        yield dict(data=numbers, axis=one, index=np.argsort(DRAW.random(tuple(data[axis] if d == axis else n for d, n in enumerate(index))), axis)[
            tuple(map(slice, index))], updates=None if updates is None else DRAW.integers(1, 100, updates), combine="assign")

# By input class, calls of it.
PREPARED = {
    "index/negative": lambda family: [below_zero(call) for call in calls_of(family, "assign") if call["index"].size],
    "index/one-off-axis": lambda family: [call for sizes in (((4, 3), 0, (2, 1)), ((4, 3, 2), 1, (1, 2, 2)))
                                          for call in of_sizes(*sizes, updates=sizes[2] if family.startswith("scatter") else None)],
    "index/smaller": lambda family: [call for sizes in (((4, 3), 0, (4, 2)), ((4, 3, 5), 1, (3, 2, 4)))
                                     for call in of_sizes(*sizes, updates=sizes[2] if family.startswith("scatter") else None)],
    "index/larger": lambda family: [*of_sizes((4, 1), 0, (2, 3)), *of_sizes((1, 3, 1), 1, (2, 2, 2))],
    "updates/repeatable": lambda family: [*of_sizes((4, 3), 0, (2, 3), (1, 3)), *of_sizes((4, 3), 1, (4, 2), (2,)), *of_sizes((4, 3), 1, (4, 2), ())],
    "updates/larger": lambda family: [*of_sizes((4, 3), 0, (2, 3), (3, 3)), *of_sizes((4, 3), 1, (4, 2), (5, 4))],
}

def is_strict(input_class, data, index, updates, axis=None, **_):
    """Whether every API of the family takes the call in one way, as far as the class goes."""
    if input_class == "index/negative":
        return np.all((0 <= index) & (index < (data.size if axis is None else data.shape[axis])))
    return (all(d == axis % data.ndim or n == m for d, (n, m) in enumerate(zip(index.shape, data.shape))) and
            (updates is None or updates.shape == index.shape))

def settles(preparation, family, input_class, call, others):
    """Whether the call that is left means what the first one did, after the others that lie in its way."""
    meaning = globals()[family]
    does = preparation["does"]
    wanted = repeated(call) if does.startswith("repeats") else meaning(**call)
    left = {**call, "data": call["data"].copy()}
    whole = left["data"]
    for one in [preparation, *others]:
        made = {role: eval(code, {"np": np, **left}) for role, code in one["sets"].items()}
        left.update(made)
    if not is_strict(input_class, **left):
        return False
    given = meaning(**left)
    if whole.shape != given.shape and family.startswith("scatter"):  # a part of data is written
        assert left["data"].base is whole
        left["data"][...] = given
        given = whole
    return given.shape == wanted.shape and (given == wanted).all()

def wrong_preparations(preparations):
    for one in preparations:
        if "broadcast" in one["sets"]:
            continue
        for family in one["in"]:
            for input_class in one["classes"]:
                # an index that is repeated may leave updates to be repeated
                others = [other for other in preparations if one["does"] == "repeats-index-and-updates" and other["classes"] == ["updates/repeatable"]]
                for call in PREPARED[input_class](family):
                    if not settles(one, family, input_class, call, others):
                        yield f"{family}, {input_class}, {one['does']}: {call}"

wrong = []
entries = json.load(sys.stdin)
wrong += wrong_preparations(entries["preparations"])
for bridge in entries["bridges"]:
    for combine in bridge.get("combine", ["sum", "assign"]):
        for call in calls_of(bridge["from"], combine):
            scope = {"np": np, **call}
            exec(bridge["code"], scope)
            other = {**call, **{name[4:]: value for name, value in scope.items() if name.startswith("new_")}}
            given = globals()[bridge["to"]](**other)
            if "result" in bridge:
                given = eval(bridge["result"].replace("{}", "given"), {**scope, "given": given})
            wanted = globals()[bridge["from"]](**call)
            if given.shape != wanted.shape or not (given == wanted).all():
                wrong.append(f"{bridge['from']} -> {bridge['to']} ({combine}): {call}")
print(json.dumps(wrong))
'''


class Bridges(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with open(os.path.join(SOURCE, "runner/site/bridges.yaml"), encoding="utf-8") as file:
            cls.entries = yaml.safe_load(file)

    def test_each_gives_what_the_call_means(self):
        tried = subprocess.run([worker_python(), "-c", TRIES], input=json.dumps(self.entries), text=True, capture_output=True, check=False)
        self.assertEqual(tried.returncode, 0, tried.stderr)
        self.assertEqual(json.loads(tried.stdout), [])

    def test_there_is_one_for_each_pair_at_most(self):
        pairs = [(one["from"], one["to"]) for one in self.entries["bridges"]]
        self.assertEqual(len(pairs), len(set(pairs)))
        self.assertGreater(len(pairs), 20)


if __name__ == "__main__":
    unittest.main()
