# SPDX-License-Identifier: Apache-2.0
"""What the language's selections mean, against numpy: thousands of random ones, read and assigned to. The
spec here refuses exactly what numpy refuses, also of what numpy's page leaves open."""

import os
import random
import sys
import tempfile
import unittest

from program import SOURCE, run, stream, worker_python

SPEC = """
api: toy.API
summary: x[key], read or assigned to
documents: [{id: doc, title: Toy manual, framework: numpy, versions: ">=1.0"}]
arguments:
  x: {tensor: any}
  key: {selection: arrays}
  arrays: {tensors: I, optional: true}VALUE
types:
  I: {dtypes: [i64], says: integers, from: {document: doc, section: all}, broken: open}
let:
  chosen: selected_shape(key, shape(x), arrays)
rules:RULES
meaning:
  result: {shape: RESULT, dtype: x}
  START
  for: {p: chosen}
  write: "WRITE"
  combine: assign
"""

RULES = {
    "form": "parts(key, 'ellipsis') <= 1 and parts(key, 'zero_step') == 0",
    "axes": "parts(key, 'integer') + parts(key, 'slice') + parts(key, 'array') + parts(key, 'masked') <= rank(x)",
    "masks": "masks_fit(key, shape(x), arrays)",
    "numbers": "numbers_within(key, shape(x))",
    "broadcast": "(given(arrays_1) implies broadcastable(index_shape(arrays_0), index_shape(arrays_1))) and "
                 "(given(arrays_2) implies broadcastable(index_shape(arrays_0), index_shape(arrays_2)) and "
                 "broadcastable(index_shape(arrays_1), index_shape(arrays_2)))",
    "nothing": "parts(key, 'false') == 0 or len(common_shape(arrays)) == 0 or common_shape(arrays)[-1] <= 1",
    "within": "0 in chosen or (WITHIN)",
    "within_of_nothing": "not 0 in chosen or (WITHIN)",
}
WITHIN = " and ".join(f"(given(arrays_{n}) and not is_mask(key, {n}) implies all p in positions(shape(arrays_{n})): "
                      f"-size(x, axis_of(key, {n}, rank(x))) <= arrays_{n}[p] < size(x, axis_of(key, {n}, rank(x))))"
                      for n in range(3))
READS = {"API": "read", "VALUE": "", "RESULT": "chosen", "  START\n": "", "WRITE": "out[p] <- x[PLACE]"}
ASSIGNS = {"API": "assign", "VALUE": "\n  value: {scalar: {}}", "RESULT": "shape(x)", "START": "start: x",
           "WRITE": "out[PLACE] <- value"}


def spec(words):
    """All rules but one promise an error: a call that the spec refuses must be one that numpy refuses."""
    rules = "".join(f"\n  - {{id: {name}, says: {name}, from: {{document: doc, section: all, promises_error: true}}, "
                    f'require: "{rule}", broken: {{error: any, native: value}}}}' for name, rule in RULES.items())
    # Where nothing is selected, numpy's page calls it undefined whether indices are looked at.
    head, _, last = rules.rpartition(", promises_error: true")
    text = SPEC.replace("RULES", head + last.replace("{error: any, native: value}", "undefined")).replace("WITHIN", WITHIN)
    for word, meant in words.items():
        text = text.replace(word, meant)
    return text.replace("PLACE", "wrap(selected(p, key, shape(x), arrays), shape(x))")


WORKER = """
import re, sys
sys.path.insert(0, PACKAGE)
import numpy
from scatterproof_worker import Worker
worker = Worker(name="plain", framework="numpy", version="2.0", dtypes=["bool", "i64"])
class Brackets:
    def __getitem__(self, key):
        return key
def key_of(key, arrays):
    names = {f"arrays_{i}": array for i, array in enumerate(arrays)}
    for name in names:
        key = re.sub("[$]|[?]+", name, key, count=1)
    return eval("brackets[" + key + "]", {"brackets": Brackets(), **names})
@worker.call("toy.read")
def _(x, key, **arrays):
    return x[key_of(key, [one for one in arrays.values() if one is not None])]
@worker.call("toy.assign", overwrites="x")
def _(x, key, value, **arrays):
    x[key_of(key, [one for one in arrays.values() if one is not None])] = value
    return x
worker.serve()
"""


def drawn_slice(draw):
    bounds = [draw.choice(["", str(draw.randint(-5, 5))]) for _ in range(2)]
    step = draw.choice(["", "", ":", f":{draw.choice([-7, -3, -2, -1, 1, 2, 3, 7])}", ":0" if draw.random() < 0.1 else ""])
    return ":".join(bounds) + step


def drawn_mask(draw, shape):
    """Of one to three dimensions, mostly those that come next. No size is 0: numpy takes such a mask."""
    own = [size or 1 for size in shape[:draw.randint(1, 3)]] or [2]
    if draw.random() < 0.1:
        own[-1] += 1
    count = 1
    for size in own:
        count *= size
    values = ", ".join(draw.choice(["true", "false"]) for _ in range(count))
    if draw.random() < 0.2:
        values = ", ".join([draw.choice(["true", "false"])] * count)
    return "?" * len(own), f"{{dtype: bool, shape: {own}, values: [{values}]}}"


def drawn_call(draw, masks=False):
    """The YAML of a call, with up to five parts and mostly in range."""
    rank = draw.randint(0, 4)
    shape = [draw.choice([0, 1, 2, 2, 3, 4]) for _ in range(rank)]
    common = [draw.choice([0, 1, 2, 2, 3]) for _ in range(draw.randint(0, 2))]
    parts, arrays = [], []
    taken = 0
    for _ in range(draw.randint(0, min(rank + 2, 5))):
        kind = draw.choice(["slice", "slice", "integer", "array", "array", "None", "...", "mask" if masks else "truth"])
        taken += kind in ("slice", "integer", "array")
        if kind == "slice":
            parts.append(drawn_slice(draw))
        elif kind == "integer":
            parts.append(str(draw.randint(-2, 1) if draw.random() < 0.9 else draw.randint(-6, 6)))
        elif kind == "array" and len(arrays) < 3:
            own = common[draw.randint(0, len(common)):]
            own = [size if draw.random() < 0.7 else draw.choice([1, 1, 1, 2]) for size in own]
            count = 1
            for size in own:
                count *= size
            far = draw.random() < 0.1
            values = [draw.randint(-6, 6) if far else draw.randint(-1, 0) for _ in range(count)]
            arrays.append(f"{{dtype: i64, shape: {own}, values: {values}}}")
            parts.append("$")
        elif kind == "mask" and len(arrays) < 3:
            part, mask = drawn_mask(draw, shape[taken:])
            taken += len(part)
            parts.append(part)
            arrays.append(mask)
        elif kind == "None":
            parts.append("None")
        elif kind == "..." and ("..." not in parts or draw.random() < 0.1):
            parts.append("...")
        elif kind == "truth" and draw.random() < 0.5:
            parts.append(draw.choice(["True", "True", "False"]))
    key = ", ".join(parts) or "()"
    items = "".join(f", arrays_{i}: {array}" for i, array in enumerate(arrays))
    return f'x: {{dtype: i64, shape: {shape}, arange: 10}}, key: "{key}"{items}'


class Selections(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        os.mkdir(self.path("specs"))
        self.write("worker.py", WORKER.replace("PACKAGE", repr(os.path.join(SOURCE, "engines", "workers", "python"))))

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def records(self, words, calls):
        """Of a run in which numpy executes the calls; no verdict is left open."""
        api = f"toy.{words['API']}"
        self.write(f"specs/{api}.yaml", spec(words))
        cases = "".join(f"  - {{id: c/n{i}, why: drawn, call: {{{call}}}}}\n" for i, call in enumerate(calls))
        self.write("cases.yaml", f"api: {api}\ncases:\n{cases}")
        out = self.path("run.jsonl")
        result = run("run", self.path("cases.yaml"), "--specs", self.path("specs"), "--no-baseline", "--report", f"jsonl={out}",
                     "--engine", f"cmd:'{worker_python()}' '{self.path('worker.py')}'")
        self.assertIn(result.returncode, (0, 1), result.stdout[-4000:] + result.stderr[-4000:])
        return [record for record in stream(out) if "verdict" in record]

    def test_random_ones_read_what_numpy_reads(self):
        draw = random.Random(1)
        records = self.records(READS, [drawn_call(draw) for _ in range(4000)])
        self.check(records, 4000)

    def test_random_ones_assign_where_numpy_assigns(self):
        draw = random.Random(2)
        records = self.records(ASSIGNS, [f"{drawn_call(draw)}, value: -1" for _ in range(2000)])
        self.check(records, 2000)

    def test_masks_read_and_assign_as_numpys(self):
        draw = random.Random(3)
        self.check(self.records(READS, [drawn_call(draw, masks=True) for _ in range(3000)]), 3000)
        self.check(self.records(ASSIGNS, [f"{drawn_call(draw, masks=True)}, value: -1" for _ in range(1500)]), 1500)

    def check(self, records, count):
        self.assertEqual(len(records), count)
        wrong = [record["explanation"] for record in records if record["verdict"] not in ("pass", "weak", "open")]
        self.assertEqual(wrong[:3], [], f"{len(wrong)} of {count}")
        refused = sum(record["verdict"] == "pass" and record["outcome"]["kind"] == "refused" for record in records)
        left_open = sum(record["verdict"] == "open" for record in records)
        self.assertTrue(count // 10 < refused < count // 2, f"{refused} refused of {count}")
        self.assertLess(left_open, count // 20)


if __name__ == "__main__":
    unittest.main()
