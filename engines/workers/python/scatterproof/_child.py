# SPDX-License-Identifier: Apache-2.0
"""The program as a child of this process: it reads the specs once, and answers over a socket pair."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from scatterproof_worker.protocol import Channel
from scatterproof_worker.tensors import Arguments, encode_tensors

from ._arrays import is_array, to_numpy
from ._function import OwnWorker
from .program import environment, find_program

_ROOM = 1 << 20  # bytes of the channel, each way


class Child:
    """The program, and the channel to it, for one conversation at a time."""

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        for end in (ours, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _ROOM)
        self._words = tempfile.TemporaryFile()
        # Ctrl-C is for this process; the child ends when its channel closes.
        self._process = subprocess.Popen([find_program(), "__python", str(theirs.fileno())], pass_fds=[theirs.fileno()],
                                         stdin=subprocess.DEVNULL, stdout=self._words, stderr=self._words,
                                         env=environment() | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                                         start_new_session=True)
        theirs.close()
        self._channel = Channel(ours)
        self.owner = os.getpid()

    def answer_to(self, request: Mapping[str, Any], arrays: bytes) -> tuple[dict[str, Any], np.ndarray]:
        try:
            self._channel.send(dict(request), arrays)
            received = self._channel.receive()
        except OSError:
            received = None
        if received is None:
            raise self._ended()
        return received

    def answer_with(self, request: Mapping[str, Any], arrays: bytes, worker: OwnWorker) -> dict[str, Any]:
        """The answer to a request during which the program asks a worker at this end of the channel."""
        try:
            self._channel.send(dict(request), arrays)
            said = worker.answer_until_told(self._channel)
        except OSError:
            said = None
        if said is None:
            raise self._ended()
        return said

    def _ended(self) -> RuntimeError:
        self._process.wait()
        self._words.seek(0)
        words = self._words.read().decode(errors="replace").strip()
        return RuntimeError(f"scatterproof ended with exit status {self._process.returncode}{words and ': ' + words}")

    def close(self) -> None:
        """Closes the channel, and ends the child if it is this process's."""
        self._channel.close()
        self._words.close()
        if self.owner == os.getpid():
            self._process.kill()
            self._process.wait()
        else:
            self._process.returncode = 0


_idle: list[Child] = []  # its methods are atomic
allowed_here = True  # not where a module is imported for one of its functions, to be judged elsewhere


def _free_child() -> Child:
    """One of this process: a fork has others."""
    if not allowed_here:
        raise RuntimeError("the module asks scatterproof while it is imported for one of its functions: "
                           "do that only under `if __name__ == '__main__':`")
    with contextlib.suppress(IndexError):
        while True:
            one = _idle.pop()
            if one.owner == os.getpid():
                return one
            one.close()
    return Child()


@contextlib.contextmanager
def conversation() -> Iterator[Child]:
    """A child that answers one request, which no other thread uses meanwhile, nor a function that is called
    during the conversation. It is kept for later ones, unless this one was left, for whatever reason, before
    its end: then an answer may still come, which the next request would take for its own."""
    one = _free_child()
    try:
        yield one
    except BaseException:
        one.close()
        raise
    _idle.append(one)


@atexit.register
def _end() -> None:
    while _idle:
        _idle.pop().close()


def ask(request: Mapping[str, Any], arrays: bytes = b"") -> tuple[dict[str, Any], np.ndarray]:
    """The answer to one request, and its bytes.

    Raises:
        ValueError: something is wrong with the request: the program's words.
        RuntimeError: the program ended.
    """
    with conversation() as one:
        answer, payload = one.answer_to(request, arrays)
    return _checked(answer), payload


def ask_with(request: Mapping[str, Any], worker: OwnWorker, arrays: bytes = b"") -> dict[str, Any]:
    """The answer to a request during which the program asks this worker. Raises as `ask`."""
    with conversation() as one:
        answer = one.answer_with(request, arrays, worker)
    return _checked(answer)


def _checked(answer: dict[str, Any]) -> dict[str, Any]:
    if error := answer.get("error"):
        raise ValueError(error["what"] + (f"; {error['hint']}" if error["hint"] else ""))
    return answer


class Encoder:
    """Values as the protocol writes them, and the bytes of the arrays among them."""

    def __init__(self) -> None:
        self._arrays: list[np.ndarray] = []
        self._places: list[dict[str, Any]] = []

    def tensor(self, value: Any) -> dict[str, Any]:
        place: dict[str, Any] = {}
        self._arrays.append(to_numpy(value))
        self._places.append(place)
        return place

    def arguments(self, values: Mapping[str, Any]) -> dict[str, Any]:
        encoded: dict[str, Any] = {}
        for name, value in values.items():
            if isinstance(value, (list, tuple)) and any(map(is_array, value)):
                for number, item in enumerate(value):
                    encoded[f"{name}_{number}"] = {"tensor": self.tensor(item)}
            else:
                encoded[name] = self._argument(name, value)
        return encoded

    def _argument(self, name: str, value: Any) -> dict[str, Any] | None:
        if value is None:
            return None
        if is_array(value):
            return {"tensor": self.tensor(value)}
        if isinstance(value, (bool, np.bool_)):
            return {"boolean": bool(value)}
        if isinstance(value, (int, np.integer)):
            return {"integer": int(value)}
        if isinstance(value, (float, np.floating)):
            return {"number": {"real": float(value).hex()}}
        if isinstance(value, (complex, np.complexfloating)):
            return {"number": {"real": float(value.real).hex(), "imag": float(value.imag).hex()}}
        if isinstance(value, str):
            return {"word": value}
        if isinstance(value, (list, tuple)) and all(isinstance(one, (int, np.integer)) for one in value):
            return {"integers": [int(one) for one in value]}
        raise TypeError(f"argument {name!r}: a {type(value).__name__} is neither an array nor a number, text or list of integers")

    def data(self) -> bytes:
        """The bytes of the arrays, whose places are known then."""
        data: bytes
        text, data = encode_tensors(self._arrays)
        for place, described in zip(self._places, json.loads(text)):
            place.update(described)
        return data


def decode(description: Mapping[str, Any], payload: np.ndarray) -> np.ndarray:
    """A tensor of an answer."""
    array: np.ndarray = Arguments({"it": {"tensor": description}}, payload, lambda array: array).values["it"]
    return array
