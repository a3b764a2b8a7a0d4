# SPDX-License-Identifier: Apache-2.0
"""An honest worker in plain Python, which starts in a fraction of the time that one with numpy takes.

It offers the APIs that only move elements, so it handles them as bytes. It need not be right everywhere: the
campaign compares what is judged of it with faults and without.
"""

import itertools
import json
import math
import os

SIZES = {"bool": 1, "u8": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "f16": 2, "bf16": 2, "f32": 4, "f64": 8, "c64": 8,
         "c128": 16}


class Refused(Exception):
    pass


class View:
    """A tensor in a message's payload."""

    def __init__(self, tensor, payload):
        self.dtype, self.shape, self.strides = tensor["dtype"], tensor["shape"], tensor["strides"]
        self.offset, self.size = tensor["offset"], SIZES[tensor["dtype"]]
        self.storage = payload[tensor["start"] : tensor["start"] + tensor["length"]]

    def at(self, position):
        begin = self.size * (self.offset + sum(p * s for p, s in zip(position, self.strides)))
        return self.storage[begin : begin + self.size]

    def positions(self):
        return itertools.product(*map(range, self.shape))


def checked_axis(axis, data, index):
    """Checks shapes and dtypes as the documents require; returns the axis, counted from the front."""
    rank = len(data.shape)
    if index.dtype not in ("i32", "i64"):
        raise Refused("dtype", "the index is not of i32 or i64")
    if not -rank <= axis < rank:
        raise Refused("axis", f"no axis {axis}")
    if len(index.shape) != rank:
        raise Refused("rank", "the ranks differ")
    axis %= rank
    if any(i > d for a, (i, d) in enumerate(zip(index.shape, data.shape)) if a != axis):
        raise Refused("shape", "the index is too large")
    return axis


def cell(position, axis, data, index):
    value = int.from_bytes(index.at(position), "little", signed=True)
    if not 0 <= value < data.shape[axis]:
        raise Refused("index", f"{value} is out of range")
    return position[:axis] + (value,) + position[axis + 1 :]


def gathered(data, axis, index):
    axis = checked_axis(axis, data, index)
    return index.shape, [data.at(cell(p, axis, data, index)) for p in index.positions()]


def scattered(data, axis, index, source):
    axis = checked_axis(axis, data, index)
    if any(i > s for i, s in zip(index.shape, source.shape)):
        raise Refused("shape", "the source is too small")
    result = {p: data.at(p) for p in data.positions()}
    for p in index.positions():
        result[cell(p, axis, data, index)] = source.at(p)
    return data.shape, list(result.values())


APIS = {
    "torch.gather": lambda a: gathered(a["input"], a["dim"], a["index"]),
    "numpy.take_along_axis": lambda a: gathered(a["arr"], a["axis"], a["indices"]),
    "torch.Tensor.scatter_": lambda a: scattered(a["self"], a["dim"], a["index"], a["src"]),
}


def value(argument, payload):
    if argument is None:
        return None
    ((kind, held),) = argument.items()
    return View(held, payload) if kind == "tensor" else held


def execute(call, payload):
    """The reply to a call without its seq, and the reply's payload."""
    try:
        arguments = {name: value(argument, payload) for name, argument in call["arguments"].items()}
        shape, elements = APIS[call["api"]](arguments)
    except Refused as refused:
        kind, message = refused.args
        return {"error": {"classes": [kind], "message": message}}, b""
    except (AttributeError, IndexError, TypeError, ValueError) as error:
        return {"error": {"classes": [type(error).__name__], "message": str(error)}}, b""
    data = b"".join(elements)
    dtype = next(a for a in arguments.values() if isinstance(a, View)).dtype
    strides = [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    tensor = {"dtype": dtype, "shape": shape, "strides": strides, "offset": 0, "start": 0, "length": len(data)}
    return {"ok": {"tensors": [tensor], "wrote": [], "seconds": 0.0}}, data


class Worker:
    """The conversation of docs/formats/worker-protocol.md. What is sent goes through `send`."""

    def __init__(self):
        self.fd = int(os.environ["SCATTERPROOF_WORKER_FD"])
        self.messages = os.fdopen(self.fd, "rb", closefd=False)

    def send_raw(self, data):
        while data:
            data = data[os.write(self.fd, data) :]

    def send(self, reply, payload=b""):
        if payload:
            reply = {**reply, "bytes": len(payload)}
        self.send_raw(json.dumps(reply).encode() + b"\n" + payload)

    def answer_start(self, seq):
        self.send({"seq": seq, "ok": {"protocol": 1, "name": "campaign", "version": "1", "device": "cpu",
                                      "apis": list(APIS), "dtypes": list(SIZES)}})

    def answer(self, call, payload):
        reply, data = execute(call, payload)
        self.send({"seq": call["seq"], **reply}, data)

    def end_run(self, message):
        self.send({"seq": message["seq"], "ok": {"answered": len(message["calls"])}})

    def end(self, seq):
        self.send({"seq": seq, "ok": {}})

    def serve(self):
        for line in self.messages:
            message = json.loads(line)
            payload = self.messages.read(message.get("bytes", 0))
            if message["command"] == "start":
                self.answer_start(message["seq"])
            elif message["command"] == "run":
                for call in message["calls"]:
                    self.answer(call, payload)
                self.end_run(message)
            else:
                self.end(message["seq"])
                break
