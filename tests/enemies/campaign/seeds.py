# SPDX-License-Identifier: Apache-2.0
"""The first corpus of each parser, made from the shipped files."""

import glob
import hashlib
import json
import os
import re

import answer_faults
import faults
import reply_faults
from program import SOURCE


def texts(*patterns):
    for pattern in patterns:
        for path in sorted(glob.glob(os.path.join(SOURCE, pattern), recursive=True)):
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    yield file.read()


def expressions():
    for spec in texts("spec/data/ops/**/*.yaml"):
        for match in re.finditer(rb"^ *(?:- )?(?:require|unless|when|write|start_counts|combine|\w+): (.+)$", spec, re.M):
            yield match.group(1).strip(b"\"'")


def formulas():
    for spec in texts("spec/data/ops/**/*.yaml"):
        for match in re.finditer(rb"^( *)reads: \|\n((?:\1  .*\n|\n)+)", spec, re.M):
            yield re.sub(rb"^ +", b"", match.group(2), flags=re.M)


class Sent:
    """A worker that keeps what its faults send, and is ended by none of them."""

    def __init__(self):
        self.raw = b""

    def send_raw(self, data):
        self.raw += data

    def send(self, reply, payload=b""):
        self.send_raw(json.dumps({**reply, **({"bytes": len(payload)} if payload else {})}).encode() + b"\n" + payload)


def replies():
    tensor = {"dtype": "i64", "shape": [2], "strides": [1], "offset": 0, "start": 0, "length": 16}
    call = {"seq": 3, "api": "torch.gather", "arguments": {"input": {"tensor": tensor}, "dim": {"integer": 0},
                                                            "index": {"tensor": {**tensor, "start": 16}}}}
    payload = bytes(32)
    yield from (b'{"seq":0,"ok":{}}\n', b'{"seq":1,"ok":{"answered":1}}\n', b'{"seq":1,"ok":{"seconds":0.5}}\n',
                b'{"seq":0,"ok":{"protocol":1,"name":"n","version":"1","device":"cpu","framework":"torch",'
                b'"apis":["torch.gather"],"dtypes":["f32"],"varies":"x","times":true}}\n')
    for name in (*vars(reply_faults), *vars(answer_faults)):
        fault = faults.FAULTS.get(name)
        if fault is None or fault.later or fault.weight != faults.QUICK or name == "has_too_long_a_line":
            continue
        for draw in range(24):
            sent = Sent()
            try:
                fault.act(faults.Planted(sent, call, payload, draw, lambda: None))
            except (SystemExit, AttributeError):  # it ends, or hooks into a worker
                pass
            if sent.raw:
                yield sent.raw


PARSERS = {
    "yaml": lambda: texts("spec/**/*.yaml", "cases/**/*.yaml", "engines/**/*.yaml", "tests/unit/spec/yaml/hostile/*"),
    "cases": lambda: texts("cases/**/*.yaml", "tests/unit/spec/yaml/hostile/cases*"),
    "specs": lambda: texts("spec/data/ops/**/*.yaml", "spec/data/families/*.yaml"),
    "baselines": lambda: texts("engines/workers/*/baseline.yaml", "tests/unit/spec/yaml/hostile/baseline*"),
    "expressions": expressions,
    "formulas": formulas,
    "replies": replies,
    "streams": lambda: texts("tests/unit/reports/*.jsonl"),
}


def plant(parser, folder):
    """Adds a parser's first inputs to its folder, each named by its content."""
    os.makedirs(folder, exist_ok=True)
    for text in PARSERS[parser]():
        path = os.path.join(folder, hashlib.sha1(text).hexdigest())
        if not os.path.exists(path):
            with open(path, "wb") as file:
                file.write(text)
