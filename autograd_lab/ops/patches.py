"""Convolution as one matrix product per image: the patches under the kernel side by side (im2col).

Shapes, with one to three space dimensions: input (N, C, *S), weight (O, C / groups, *K), result (N, O, *P).
For everything: strides, groups, signals, volumes, many channels. Read next: `bands.py`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.lib.stride_tricks import as_strided


def output_size(size, kernel, stride, padding, dilation=1):
    """How many places a kernel has along one dimension."""
    return (size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1


def padded(images, padding):
    """Images with `padding` zeros on both sides of every space dimension."""
    if not any(padding):
        return images
    out = np.zeros(
        (*images.shape[:2], *(s + 2 * p for s, p in zip(images.shape[2:], padding, strict=True))), images.dtype
    )
    out[inner(images.shape[2:], padding)] = images
    return out


def inner(space, padding):
    """The index of the part that is not padding."""
    return (..., *(slice(p, p + s) for s, p in zip(space, padding, strict=True)))


def patches(images, kernel, stride, dilation):
    """The patches under the kernel, as a view of shape (N, C, *K, *P)."""
    space, steps = images.shape[2:], images.strides[2:]
    places = [output_size(*sizes) for sizes in zip(space, kernel, stride, (0,) * len(space), dilation, strict=True)]
    return as_strided(
        images,
        (*images.shape[:2], *kernel, *places),
        (
            *images.strides[:2],
            *(step * d for step, d in zip(steps, dilation, strict=True)),
            *(step * s for step, s in zip(steps, stride, strict=True)),
        ),
        writeable=False,
    )


def columns_of(images, kernel, stride, padding, dilation, groups):
    """The patches side by side: (N, groups, C / groups * K, P)."""
    view = patches(padded(images, padding), kernel, stride, dilation)
    n, c = images.shape[:2]
    return view.reshape(n, groups, c // groups * math.prod(kernel), math.prod(view.shape[2 + len(kernel) :]))


def put_back(columns, shape, stride, padding, dilation):
    """Add patches (N, C, *K, *P) back at their places in images of `shape`, one space dimension after the other."""
    dims = len(shape) - 2
    for i in reversed(range(dims)):
        kernel, places = columns.shape[2 + i], columns.shape[-1 - (dims - 1 - i)]
        axis = columns.ndim - (dims - i)  # where the places of this dimension are
        size = list(columns.shape)
        size[axis] = shape[2 + i] + 2 * padding[i]
        del size[2 + i]
        out = np.zeros(size, columns.dtype)
        for tap in range(kernel):
            start = tap * dilation[i]
            window = [slice(None)] * out.ndim
            window[axis - 1] = slice(start, start + (places - 1) * stride[i] + 1, stride[i])
            out[tuple(window)] += columns[(slice(None),) * (2 + i) + (tap,)]
        columns = out
    return np.ascontiguousarray(columns[inner(shape[2:], padding)]) if any(padding) else columns


def grouped(data, groups):
    """(N, C, *P) as (N, groups, C / groups, P)."""
    return data.reshape(data.shape[0], groups, data.shape[1] // groups, math.prod(data.shape[2:]))


def forward(input, weight, stride, padding, dilation, groups):
    """The result, and the columns it was made from."""
    columns = columns_of(input, weight.shape[2:], stride, padding, dilation, groups)
    kernels = weight.reshape(groups, weight.shape[0] // groups, columns.shape[2])
    places = map(output_size, input.shape[2:], weight.shape[2:], stride, padding, dilation)
    return np.matmul(kernels, columns).reshape(input.shape[0], weight.shape[0], *places), columns


def to_input(grad, weight, shape, stride, padding, dilation, groups):
    """The gradient of the images."""
    kernels = weight.reshape(groups, weight.shape[0] // groups, -1)
    columns = np.matmul(kernels.transpose(0, 2, 1), grouped(grad, groups))
    columns = columns.reshape(grad.shape[0], shape[1], *weight.shape[2:], *grad.shape[2:])
    return put_back(columns, shape, stride, padding, dilation)


def to_weight(grad, input, shape, stride, padding, dilation, groups, columns):
    """The gradient of the kernels."""
    if columns is None:
        columns = columns_of(input, shape[2:], stride, padding, dilation, groups)
    return np.add.reduce(np.matmul(grouped(grad, groups), columns.transpose(0, 1, 3, 2)), 0).reshape(shape)
