# SPDX-License-Identifier: Apache-2.0
def nested_axes(shape, strides):
    """The axes with a step between different elements, the outer ones first. Raises ValueError if the elements of one lie between those of another, or overlap them."""
    axes = sorted((axis for axis, size in enumerate(shape) if size > 1 and strides[axis]), key=lambda axis: -abs(strides[axis]))
    for outer, axis in enumerate(axes):
        if span(axes[outer + 1 :], shape, strides) > abs(strides[axis]):
            raise ValueError(f"no slices have the strides {list(strides)}")
    return axes


def span(axes, shape, strides):
    """The number of elements from the first to the last."""
    return 1 + sum(abs(strides[axis]) * (shape[axis] - 1) for axis in axes)


def strided_view(framework, base, shape, strides, offset):
    """What torch calls as_strided, of an equal of base, a tensor of one dimension; made of slices."""
    base = base[::-1][::-1]
    if 0 in shape:
        return framework.reshape(base[:0], shape)
    axes = nested_axes(shape, strides)
    first = offset + sum(strides[axis] * (shape[axis] - 1) for axis in axes if strides[axis] < 0)
    length = span(axes, shape, strides)
    view, sizes = base[first : first + length], []
    for outer, axis in enumerate(axes):  # a run of elements becomes rows, of which the inner axes fill the start
        size, stride = shape[axis], abs(strides[axis])
        if missing := size * stride - length:
            view = framework.concat([view, view[..., :missing]], axis=-1)
        length = span(axes[outer + 1 :], shape, strides)
        view = framework.reshape(view, [*sizes, size, stride])[..., :length]
        sizes.append(size)
    view = framework.transpose(view[..., 0], [axes.index(axis) for axis in sorted(axes)])
    if min(strides, default=0) < 0:
        view = view[tuple(slice(None, None, -1 if strides[axis] < 0 else 1) for axis in sorted(axes))]
    view = framework.reshape(view, [size if axis in axes else 1 for axis, size in enumerate(shape)])
    return framework.broadcast_to(view, shape)
