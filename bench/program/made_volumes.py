# SPDX-License-Identifier: MIT
"""Volumes for benchmarks of files, plane by plane."""
import numpy as np


def texture(shape, seed):
    """Planes of a textured stack, a few milliseconds each: two patterns that slide over each
    other."""
    random = np.random.default_rng(seed)
    _, height, width = shape
    y, x = np.mgrid[:height, :width]
    waves = 2000 + 1500 * np.sin(y / 17) * np.sin(x / 23)
    first = (waves + random.integers(0, 900, (height, width))).astype("u2")
    second = random.integers(0, 2000, (height, width)).astype("u2")
    for z in range(shape[0]):
        yield np.roll(first, (3 * z) % height, 0) + np.roll(second, (7 * z) % width, 1)


def grainy_ball(shape):
    """Planes of a blurred ball with a grain of its own, so that nothing about it is separable."""
    random = np.random.default_rng(11)
    z, y, x = (((np.arange(n) - n // 2) / (n / 4 + 1e-9)) ** 2 for n in shape)
    for away in z:
        yield (np.exp(-(away + y[:, None] + x)) * (0.5 + random.random(shape[1:]))).astype("f4")
