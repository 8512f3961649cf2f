# SPDX-License-Identifier: MIT
"""Mean and variance around every voxel."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._gpu import OnGpu, taken
from ._ndarguments import FILTER_MODES, as_array, mode_in, one_each, resources
from ._ndgpu import mean_and_variance_there
from ._types import Array, Memory, OneOrEach, Outside

_MOST_AXES = 3

# A size that leaves an axis alone.
_ALONE = {"box": 1, "triangle": 1, "gaussian": 0}


def local_mean_variance(input: ArrayLike, size: OneOrEach[float] = 3,
                        window: Literal["box", "triangle", "gaussian"] = "box",
                        mode: Outside = "reflect", *, scales: Sequence[float] | None = None,
                        workers: int | None = None, memory: Memory = None) -> tuple[Array, Array]:
    """Take mean and variance of the neighbourhood of every voxel.

    There is no cancellation: the variance is correct, and never negative, even if the mean is
    10,000 times as large as the spread.

    Parameters
    ----------
    input : array_like
        Real, of 1 to 3 axes. Taken in single precision.
    size : float or sequence, optional
        Of the window, for all axes or for each, in voxels.
    window : {'box', 'triangle', 'gaussian'}, optional
        How a neighbourhood is weighted: 'box' has `size` equal voxels, an odd number; 'triangle'
        has weights 1 to `size` and back to 1; 'gaussian' has the standard deviation `size`.
    mode : {'reflect', 'mirror', 'nearest', 'wrap', 'constant'}, optional
        Values outside the image; 0 for 'constant'.
    scales : sequence of int, optional
        Half-widths of triangles instead of `size` and `window`, each a multiple of the previous
        one, such as 2, 4, 8, 16: all in one pass.
    workers : int, optional
        Threads, at least 1. Default: all cores. The result does not depend on it.
    memory : int or str, optional
        Bytes for buffers, in addition to the arrays: 2**30 or "1G". Default: 70 % of the free
        memory.

    Returns
    -------
    mean, variance : ndarray
        float32, of the input's shape; with `scales`, of shape (len(scales), ...). The variance is
        that of a population: the weighted mean of squared differences from the mean.

    Raises
    ------
    ValueError
        Sizes, window or mode are not compatible, or there are more than 3 axes.
    MemoryError
        `memory` is too small for the smallest bricks.

    Notes
    -----
    Parts of a window are combined by the formula of Chan, Golub and LeVeque, Am. Stat. 37 (1983)
    242, doi:10.1080/00031305.1983.10483115.
    """
    input = taken(input)
    if input.dtype.kind == "c" or not 1 <= input.ndim <= _MOST_AXES:
        raise ValueError(f"input is of type {input.dtype} and has {input.ndim} axes; give reals of "
                         f"1 to {_MOST_AXES} axes")
    if window not in _ALONE:
        raise ValueError(f"window is {window!r}; use 'box', 'triangle' or 'gaussian'")
    if scales is not None:
        window, sizes = "triangle", [[scale] * input.ndim for scale in scales]
    else:
        sizes = [one_each(size, input.shape, "size")]
    if not sizes:
        raise ValueError("scales is empty; give one or more, such as 2, 4, 8")
    missing = _MOST_AXES - input.ndim
    windows = [[_ALONE[window]] * missing + list(one) for one in sizes]
    mode = mode_in(FILTER_MODES, mode)
    if isinstance(input, OnGpu):
        mean, variance = mean_and_variance_there(input, window, windows, mode)
    else:
        mean, variance = _mean_and_variance(as_array(input), window, windows, mode,
                                            resources(workers, memory))
    return (mean, variance) if scales is not None else (mean[0], variance[0])


def _mean_and_variance(input, window, sizes, mode, resources):
    results = np.empty((2, len(sizes), *input.shape), np.float32)
    if input.size:
        volume = [1] * (_MOST_AXES - input.ndim) + list(input.shape)
        _core.local_statistics(
            input.reshape(volume),
            [results[which, number].reshape(volume) for number in range(len(sizes))
             for which in range(2)],
            window, sizes, mode, *resources)
    return results
