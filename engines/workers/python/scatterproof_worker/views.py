# SPDX-License-Identifier: Apache-2.0
"""Views that a compiled function makes, where the framework has nothing like torch.as_strided for it."""

from .forms import Unsupported
from .sliced_view import sliced_view, slices_of


def view_by_slices(framework):
    """The `view` of a Form; of the functions concat, reshape, transpose and broadcast_to of `framework`."""

    def view(shape, strides, offset):
        try:
            slices = slices_of(shape, strides, offset)
        except ValueError as error:
            raise Unsupported(str(error)) from None

        def of_base(base):  # mindspore reads its source
            return sliced_view(framework, base, *slices)

        return of_base

    return view
