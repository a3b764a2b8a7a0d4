# SPDX-License-Identifier: Apache-2.0
"""Framing: one line of JSON, then the raw bytes it announces, on a descriptor of its own."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Mapping
from typing import Any

import numpy as np

VERSION = 1
MAX_LINE = 8 << 20
_WORTH_SENDING_ALONE = 1 << 20
json_of = json.JSONEncoder(allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode


def tools_socket() -> socket.socket:
    """The socket that the tool named in SCATTERPROOF_WORKER_FD."""
    descriptor = os.environ.pop("SCATTERPROOF_WORKER_FD", None)
    if descriptor is None:
        raise SystemExit("SCATTERPROOF_WORKER_FD is not set: workers are started by scatterproof")
    # Processes that a framework starts must not keep the channel open after the worker ends.
    os.set_inheritable(int(descriptor), False)
    return socket.socket(fileno=int(descriptor))


class Channel:
    """One end of a stream socket."""

    def __init__(self, stream_socket: socket.socket) -> None:
        self._socket = stream_socket
        self._stream: Any = self._socket.makefile("rb", buffering=1 << 16)

    def receive(self) -> tuple[dict[str, Any], np.ndarray] | None:
        """The next message and its payload (writable memory); None when the tool has closed the channel."""
        line = self._stream.readline(MAX_LINE)
        if not line:
            return None
        message = json.loads(line)
        payload = np.empty(message.get("bytes", 0), np.uint8)  # numpy asks for huge pages where they help
        view = payload.data
        while view:
            count = self._stream.readinto(view)
            if not count:
                return None
            view = view[count:]
        return message, payload

    def send(self, message: Mapping[str, Any] | str, payload: bytes = b"") -> None:
        """A message is a dict, or the JSON of an object."""
        text = message if isinstance(message, str) else json_of(message)
        if payload:
            text = f'{text[:-1]},"bytes":{len(payload)}}}'
        # A framework's message may contain a lone surrogate, which UTF-8 cannot encode: it becomes '?'.
        line = f"{text}\n".encode(errors="replace")
        if len(payload) < _WORTH_SENDING_ALONE:
            self.send_raw(line + payload)
        else:
            self.send_raw(line)
            self.send_raw(payload)

    def send_raw(self, data: bytes) -> None:
        self._socket.sendall(data)

    def close(self) -> None:
        self._stream.close()
        self._socket.close()
