# SPDX-License-Identifier: Apache-2.0
"""A folder in which every verb has something to work on, and few specs, so that commands take no time."""

import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile

from program import PROGRAM, SOURCE, worker_python
from small_data import link

SPECS = ("torch/torch.gather", "torch/torch.take", "numpy/numpy.take_along_axis")

WORKER = f"""
import os, sys, time
sys.path.insert(0, {os.path.join(SOURCE, 'engines', 'workers', 'python')!r})
import numpy
from scatterproof_worker import Worker
name = sys.argv[1]
worker = Worker(name=name, version="1", dtypes=["f32", "i32", "i64"])
with open("starts", "a") as file:
    file.write("started\\n")
def take(data, index, axis):
    with open("asked", "a") as file:
        file.write(f"{{index.tolist()}}\\n")
    first = not os.path.exists("tried")
    open("tried", "w").close()
    if name == "slow":
        time.sleep(0.2)
    if name == "moody" and first:
        raise MemoryError("not now")
    return numpy.take_along_axis(data, index, axis)
@worker.call("torch.gather")
def _(input, dim, index, **more):
    return take(input, index, dim)
@worker.call("numpy.take_along_axis")
def _(arr, indices, axis=-1):
    return take(arr, indices, axis)
worker.serve()
"""

ROWS = """
benchmark: B8
about: tiny calls
rows:
  - row: gather/$n
    why: next to no data
    operation: gather
    for: {n: [1, 64]}
    quick: {n: [1]}
    tensors:
      data: {dtype: f32, shape: [512], fill: lattice}
      index: {dtype: i64, shape: [$n], fill: uniform, into: data}
    api: torch.gather
    call: {input: $data, dim: 0, index: $index}
"""

SPATTER = """
benchmark: B4
about: Spatter's patterns
rows:
  - row: gather/$dtype/$spatter
    why: strides
    operation: gather
    for: {dtype: [f64], spatter: [{name: 'UNIFORM:8:1', pattern: 'UNIFORM:8:1', delta: 8, lookups: 64}]}
    tensors:
      data: {dtype: $dtype, shape: [{reach: index}], fill: lattice}
      index: {dtype: i64, shape: [$spatter.lookups], fill: {name: $spatter.name, pattern: $spatter.pattern, delta: $spatter.delta}}
    api: torch.gather
    call: {input: $data, dim: 0, index: $index}
"""

CLAIMS = """
title: two calls that are said to be one
sources:
  S: {title: a page}
claims:
  - {id: S-1, source: S, says: the same, a: torch.gather, when: true, expect: refuted,
     b: {api: numpy.take_along_axis, arguments: {arr: $input, indices: $index, axis: $dim}}}
"""

KNOWN = """
baseline:
  - {case: "torch.gather/*", engine: "faulty:FAULT", verdict: [mismatch, unexpected_error], reason: known, since: 2026-01-01}
"""

# Answers as sbatch does.
SBATCH = "#!/bin/sh\necho 1\n"

# Stands for the Python of an installed onnx: the tests that it reads are a recording.
READ_TESTS = '#!/bin/sh\ncp tests.jsonl "$2"\n'


def write(path, text, executable=False):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    if executable:
        os.chmod(path, 0o755)


class SmallWorld:
    """`root`/here is the folder of the commands; each gets a copy of it."""

    def __init__(self):
        self.root = tempfile.mkdtemp(prefix="scatter proof ")
        self.data = os.path.join(self.root, "data")
        self.here = os.path.join(self.root, "here")
        self.copies = 0
        self.make_data()
        self.make_engines()
        self.make_files()
        self.make_runs()

    def remove(self):
        shutil.rmtree(self.root)

    def make_data(self):
        workers = [f"engines/workers/{name}" for name in os.listdir(os.path.join(SOURCE, "engines/workers"))]
        scaffolds = [f"engines/{name}" for name in os.listdir(os.path.join(SOURCE, "engines")) if name != "workers"]
        for name in ("docs", "runner/profiles.yaml", "runner/site/bridges.yaml", "spec/data/claims/classes", *scaffolds, *workers):
            link(os.path.join(SOURCE, name), os.path.join(self.data, name))
        write(os.path.join(self.data, "engines/workers/shipped/baseline.yaml"), KNOWN.replace("FAULT", "index-column-major"))
        for name in os.listdir(os.path.join(SOURCE, "spec/data")):
            if name not in ("ops", "benchmarks", "claims"):
                link(os.path.join(SOURCE, "spec/data", name), os.path.join(self.data, "spec/data", name))
        for name in SPECS:
            link(os.path.join(SOURCE, "spec", "data", "ops", name + ".yaml"), os.path.join(self.data, "spec", "data", "ops", name + ".yaml"))
            link(os.path.join(SOURCE, "cases", name), os.path.join(self.data, "cases", name))
        write(os.path.join(self.data, "spec/data/benchmarks/B8.yaml"), ROWS)
        write(os.path.join(self.data, "spec/data/benchmarks/B4.yaml"), SPATTER)
        write(os.path.join(self.data, "spec/data/claims/mine.yaml"), CLAIMS)
        write(os.path.join(self.data, "runner/selftest/equivalents.yaml"), "equivalents: []\n")

    def make_engines(self):
        self.python = worker_python()
        numpy = os.path.dirname(os.path.dirname(self.python))
        link(numpy, os.path.join(self.root, "engines", os.path.basename(numpy)))
        onnx = re.search(r"onnx@\S+", self.execute(["import", "onnx"], self.root).stderr)[0]
        write(os.path.join(self.here, "onnx-engines", onnx, "bin", "python"), READ_TESTS, executable=True)

    def make_files(self):
        def here(name, text, executable=False):
            write(os.path.join(self.here, name), text, executable)

        here("worker.py", WORKER)
        for name in ("plain", "slow", "moody"):
            here(name, f"#!/bin/sh\nexec {shlex.quote(self.python)} worker.py {name}\n", executable=True)
        here("bin/sbatch", SBATCH, executable=True)
        here("broken/torch.gather.yaml", "api: torch.gather\nnonsense: 1\n")
        here("wrong.yaml", "commands: {rnu: {}}\n")
        here("settings.yaml", "commands: {run: {seed: 7}}\n")
        here("known.yaml", KNOWN.replace("FAULT", "dropped-tail"))
        members = [{"api": api, "engine": "reference"} for api in ("torch.gather", "numpy.take_along_axis")]
        accepted = {"type": "comparison", "families": [{"family": "gather_elements", "members": members, "cells": []}]}
        here("accepted.json", json.dumps(accepted))
        here("results/wrong.json", "{}")
        here("equivalents.yaml", "equivalents:\n  - {names: [faulty:dropped-tail], why: nobody has looked for a call that shows it}\n")
        here("other-claims/other.yaml", CLAIMS.replace("id: S-1", "id: S-2").replace("when: true", "when: rank(input) == 4"))
        here("page.txt", "Take values from the input array.\n\nThis sentence is new.\n")
        here("old-page.txt", "Take values from the input array.\n")
        here("spatter.json", '[{"kernel": "Gather", "pattern": [0, 1, 2, 3], "delta": 4, "count": 8}]\n')
        with open(os.path.join(SOURCE, "tests/unit/reports/timing/recorded.jsonl"), encoding="utf-8") as lines:
            machine, first = [json.loads(line) for line in lines][:2]
        for name, scale in (("times.jsonl", 1), ("slower-times.jsonl", 1.3)):
            times = {"seconds": [scale * (1 + 0.002 * i) for i in range(10)]}
            lines = (machine, first | times, first | times | {"engine": "openmp-deterministic"})
            here(name, "".join(json.dumps(line) + "\n" for line in lines))

    def make_runs(self):
        wrong = "-e faulty:dropped-tail"
        for line in (f"run torch.gather/doc/* {wrong}",
                     f"run torch.gather/doc/* {wrong} --report jsonl=failed.jsonl --record tests.jsonl",
                     f"run torch.gather/rank/* {wrong} --report jsonl=other.jsonl",
                     f"run torch.gather/shape/empty-index {wrong} --report jsonl=good.jsonl",
                     "run torch.gather/doc/* -e reference --report jsonl=passed.jsonl",
                     "run torch.gather/doc/* -e reference --shard 1/2 --report jsonl=shard.jsonl",
                     "history add failed.jsonl passed.jsonl"):
            done = self.execute(line.split(), self.here)
            assert done.returncode in (0, 1), done.stdout + done.stderr
        with open(os.path.join(self.here, "failed.jsonl"), encoding="utf-8") as stream:
            self.run = json.loads(stream.readline())["run"]

    def execute(self, words, folder, **environment):
        own = {"NO_COLOR": "", "SCATTERPROOF_DATA": self.data, "SCATTERPROOF_ENGINES": os.path.join(self.root, "engines"),
               "XDG_STATE_HOME": os.path.join(folder, "state"), "PATH": os.path.join(folder, "bin") + ":" + os.environ["PATH"]}
        env = {**os.environ, **own, **environment}
        return subprocess.run([PROGRAM, *words], cwd=folder, env=env, text=True, capture_output=True, timeout=120)

    def copy(self):
        self.copies += 1
        return shutil.copytree(self.here, os.path.join(self.root, f"here-{self.copies}"), symlinks=True)
