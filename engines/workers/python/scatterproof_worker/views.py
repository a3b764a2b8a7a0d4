# SPDX-License-Identifier: Apache-2.0
"""Views that a compiled function makes, where the framework has nothing like torch.as_strided for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .forms import Unsupported
from .sliced_view import sliced_view, slices_of


def view_by_slices(framework: Any) -> Callable[..., Any]:
    """The `view` of a Form; of the functions concat, reshape, transpose and broadcast_to of `framework`."""

    def view(shape: Sequence[int], strides: Sequence[int], offset: int) -> Callable[..., Any]:
        try:
            slices = slices_of(shape, strides, offset)
        except ValueError as error:
            raise Unsupported(str(error)) from None

        def of_base(base):  # type: ignore[no-untyped-def]  # mindspore reads its source
            return sliced_view(framework, base, *slices)  # type: ignore[no-untyped-call]

        return of_base

    return view
