# SPDX-License-Identifier: Apache-2.0
"""A result belongs to the caller: later calls may not change it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .tensors import encode_tensors

_EVERY = 16  # one result in this many is held, and read again when the next one is


class HeldResult:
    def __init__(self) -> None:
        self._calls = 0
        self._api = ""
        self._arrays: Sequence[Any] = ()
        self._data = b""

    def change(self, api: str, arrays: Sequence[Any], data: bytes) -> str | None:
        """Called with each result and the bytes that were sent for it. Returns a message if an earlier result
        has changed."""
        self._calls += 1
        if self._calls % _EVERY:
            return None
        words = None
        if encode_tensors(self._arrays)[1] != self._data:
            words = (f"a result of {self._api} changed after it was returned, during one of the {_EVERY} calls "
                     "that followed: its bytes were compared with those that were sent")
        self._api, self._arrays, self._data = api, arrays, data
        return words
