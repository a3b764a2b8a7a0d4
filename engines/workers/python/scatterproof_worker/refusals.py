# SPDX-License-Identifier: Apache-2.0
"""Frameworks that refuse some gradients of a call, and give others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .forms import Unsupported


def apart_if_refused(gradients: Callable[..., tuple[Any, list[Any]]]) -> Callable[..., tuple[Any, list[Any]]]:
    """`gradients`, a function for Worker.gradient, which gives all gradients or none. Where it raises an
    exception, each gradient is asked for alone, so that one which the framework refuses hides no other."""

    def apart(of: Sequence[str], **arguments: Any) -> tuple[Any, list[Any]]:
        result, found = None, []
        for name in of:
            try:
                result, (one,) = gradients(of=[name], **arguments)
                found.append(one)
            except Unsupported:
                raise
            except Exception as error:
                found.append(error)
        if result is None:
            raise found[0]
        return result, found

    def call(of: Sequence[str], **arguments: Any) -> tuple[Any, list[Any]]:
        try:
            return gradients(of=of, **arguments)
        except Unsupported:
            raise
        except Exception:
            if len(of) == 1:
                raise
            return apart(of, **arguments)

    return call
