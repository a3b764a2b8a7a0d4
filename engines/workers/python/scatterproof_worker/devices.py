# SPDX-License-Identifier: Apache-2.0
"""Devices: where calls are executed, if not in the memory of this process. A worker offers them as the form
`device=NAME`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .forms import Place


class Device:
    """A device, instead of a Form: functions that make one get the name that the user wrote, and raise
    an error if the framework has no such device. `kind` is what documents call it: cpu, cuda, npu, ..
    `is_lost` says after an error whether the device can no longer be used: then the worker ends, and the tool
    starts another one. `wait` returns when everything has been computed that was asked of the device.

    With `put`, arguments are moved: `put` copies a tensor of one dimension, the whole storage of an argument,
    to the device; `view` makes the argument of that, with a shape, strides and offset in elements; `fetch`
    copies the first into the second, to show what a call has written. Without it, the framework moves what
    it gets."""

    def __init__(self, kind: str, is_lost: Callable[[], bool], wait: Callable[[], None] = lambda: None,
                 put: Callable[[Any], Any] | None = None, view: Callable[..., Any] | None = None,
                 fetch: Callable[[Any, Any], None] | None = None) -> None:
        self.kind = kind
        self.is_lost = is_lost
        self.wait = wait
        self._moves = put, view, fetch

    def storages(self) -> MovedStorages | None:
        """For the arguments of one call; None: the framework moves them."""
        put, view, fetch = self._moves
        return MovedStorages(put, view, fetch) if put and view and fetch else None


class MovedStorages:
    """The storages of a call's arguments, here and on a device. Tensors of one storage share it there too."""

    def __init__(self, put: Callable[[Any], Any], view: Callable[..., Any], fetch: Callable[[Any, Any], None]) -> None:
        self._put = put
        self._view = view
        self._fetch = fetch
        self._moved: dict[tuple[int, int, str], tuple[Any, Any]] = {}  # here and there

    def tensor(self, storage: np.ndarray, dtype: str, whole: Callable[[], Any], place: Place) -> Any:
        """A tensor on the device. `whole` makes a tensor of one dimension of all elements of the storage,
        here."""
        key = storage.ctypes.data, len(storage), dtype
        if key not in self._moved:
            here = whole()
            self._moved[key] = here, self._put(here)
        return self._view(self._moved[key][1], *place)

    def bring_back(self) -> None:
        """What the call has written shows in the storages here. Raises the device's error."""
        for here, there in self._moved.values():
            self._fetch(there, here)
