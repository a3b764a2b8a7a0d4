# SPDX-License-Identifier: Apache-2.0
"""Tensors of earlier calls, used again with new contents: a framework that remembers a tensor by its identity
or address mistakes it for the earlier one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np

_EVERY = 8  # one call in this many uses tensors again
_KEEPING = 4  # one call in this many keeps its own, including each call before one that uses some again
_MOST = 64  # tensors are kept, of as many forms
_LARGEST = 1 << 16  # bytes of one


class ReusedTensors:
    def __init__(self) -> None:
        self._calls = 0
        # form: storage and the framework's tensor over it; the last used are the last
        self._kept: dict[Hashable, tuple[np.ndarray, Any]] = {}

    def next_call(self) -> None:
        self._calls += 1

    def take(self, form: Hashable, contents: np.ndarray) -> tuple[np.ndarray | None, Any]:
        """The storage and tensor of an earlier argument of this form, filled with these contents; None in
        most calls."""
        if self._calls % _EVERY or form not in self._kept:
            return None, None
        storage, tensor = self._kept.pop(form)
        storage[...] = contents
        return storage, tensor

    def keep(self, tensors: Iterable[tuple[Hashable, np.ndarray, Any]], results: Sequence[Any]) -> None:
        """`tensors`: form, storage and tensor of each argument of a call. Tensors that may be part of a
        result belong to the tool."""
        if (self._calls + 1) % _KEEPING:
            return
        for form, storage, tensor in tensors:
            if storage.nbytes > _LARGEST or _is_part_of(storage, results):
                continue
            self._kept.pop(form, None)
            self._kept[form] = storage, tensor
            if len(self._kept) > _MOST:
                del self._kept[next(iter(self._kept))]


def _is_part_of(storage: np.ndarray, results: Sequence[Any]) -> bool:
    for result in results:
        if np.may_share_memory(storage, result):
            return True
    return False
