"""The floor of the small CNN: convolution as one matrix product per image, pooling by four slices.

Both directions are written by hand. Each 5 by 5 patch is copied into a column (im2col); the gradient of the
images adds the columns back, tap by tap. Read next: `in_mygrad.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from measure import Step, clock
from workloads import BATCH, CNN_RATE, pictures

ZERO = np.array(0, np.float32)
total = np.add.reduce


def columns_of(images: np.ndarray, k: int) -> np.ndarray:
    """(N, C, H, W) as columns (N, C * k * k, H * W), padded so that the size stays."""
    (n, c, h, w), p = images.shape, k // 2
    wide = np.zeros((n, c, h + 2 * p, w + 2 * p), np.float32)
    wide[:, :, p:-p, p:-p] = images
    steps = (*wide.strides[:2], *wide.strides[2:], *wide.strides[2:])
    view = np.lib.stride_tricks.as_strided(wide, (n, c, k, k, h, w), steps)
    return view.reshape(n, c * k * k, h * w)


def convolve(images: np.ndarray, kernels: np.ndarray, bias: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    (n, _, h, w), (out, _, k, _) = images.shape, kernels.shape
    columns = columns_of(images, k)
    result = kernels.reshape(out, -1) @ columns
    result += bias[:, None]
    return result.reshape(n, out, h, w), columns


def kernel_grads(grad: np.ndarray, columns: np.ndarray, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    rows = grad.reshape(*grad.shape[:2], -1)
    return total(np.matmul(rows, columns.transpose(0, 2, 1)), 0).reshape(shape), total(rows, (0, 2))


def image_grad(grad: np.ndarray, kernels: np.ndarray) -> np.ndarray:
    (n, out, h, w), (_, c, k, _), p = grad.shape, kernels.shape, kernels.shape[2] // 2
    columns = np.matmul(kernels.reshape(out, -1).T, grad.reshape(n, out, h * w)).reshape(n, c, k, k, h, w)
    wide = np.zeros((n, c, h + 2 * p, w + 2 * p), np.float32)
    for i in range(k):
        for j in range(k):
            wide[:, :, i : i + h, j : j + w] += columns[:, :, i, j]
    return wide[:, :, p:-p, p:-p]


def pool(images: np.ndarray) -> np.ndarray:
    """The largest of each 2 by 2 square."""
    upper = np.maximum(images[:, :, ::2, ::2], images[:, :, ::2, 1::2])
    return np.maximum(upper, np.maximum(images[:, :, 1::2, ::2], images[:, :, 1::2, 1::2]))


def unpool(images: np.ndarray, pooled: np.ndarray, grad: np.ndarray) -> np.ndarray:
    """Each square's gradient at its first maximum, as in PyTorch."""
    result, taken = np.empty_like(images), np.zeros(pooled.shape, bool)
    for i in (0, 1):
        for j in (0, 1):
            hit = (images[:, :, i::2, j::2] == pooled) & ~taken
            taken |= hit
            np.multiply(grad, hit, out=result[:, :, i::2, j::2])
    return result


def cnn(momentum: Any, dropout: float) -> Step:
    data, draw, rows = pictures(), np.random.default_rng(5), np.arange(BATCH)
    images, targets = data.inputs, data.targets
    (k1, k2, w1, w2), (c1, c2, b1, b2) = data.weights, data.biases
    update = momentum([k1, k2, w1, w2, c1, c2, b1, b2], CNN_RATE)

    def step() -> tuple[float, float, float, float]:
        start = clock()
        made1, columns1 = convolve(images, k1, c1)
        made1 = np.maximum(made1, ZERO)
        pooled1 = pool(made1)
        made2, columns2 = convolve(pooled1, k2, c2)
        made2 = np.maximum(made2, ZERO)
        pooled2 = pool(made2)
        flat = pooled2.reshape(BATCH, -1)
        hidden = flat @ w1.T
        hidden += b1
        np.maximum(hidden, ZERO, out=hidden)
        mask = (draw.random(hidden.shape, np.float32) >= dropout) * np.float32(1 / (1 - dropout))
        kept = hidden * mask
        scores = kept @ w2.T
        scores += b2
        scores -= scores.max(1, keepdims=True)
        grad = np.exp(scores)
        sums = total(grad, 1, keepdims=True)
        loss = total(np.log(sums)[:, 0] - scores[rows, targets]) / BATCH
        middle = clock()
        grad /= sums
        grad[rows, targets] -= np.float32(1)
        grad /= np.float32(BATCH)
        grad_w2, grad_b2 = grad.T @ kept, total(grad, 0)
        grad = grad @ w2
        grad *= mask
        grad *= hidden > ZERO
        grad_w1, grad_b1 = grad.T @ flat, total(grad, 0)
        grad = unpool(made2, pooled2, (grad @ w1).reshape(pooled2.shape))
        grad *= made2 > ZERO
        grad_k2, grad_c2 = kernel_grads(grad, columns2, k2.shape)
        grad = unpool(made1, pooled1, image_grad(grad, k2))
        grad *= made1 > ZERO
        grad_k1, grad_c1 = kernel_grads(grad, columns1, k1.shape)
        update([grad_k1, grad_k2, grad_w1, grad_w2, grad_c1, grad_c2, grad_b1, grad_b2])
        return start, middle, clock(), float(loss)

    return step
