# SPDX-License-Identifier: MIT
"""Correlation and convolution with kernels of several axes, for synthoscope.ndimage."""
from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._gpu import OnGpu, is_on_gpu, taken, to_host
from ._ndarguments import (FILTER_MODES, Refused, Result, as_array, axes_of, fill_value, mode_in,
                           one_each, output_of, resources)
from ._ndgpu import correlate_there
from ._ndlines import by_parts, require_origin
from ._types import Array, Axes, Memory, OneOrEach, Output, Outside

_AT_ONCE = 3  # axes that the library correlates along


def correlate(input: ArrayLike, weights: ArrayLike, output: Output = None,
              mode: Outside = "reflect", cval: complex = 0.0, origin: OneOrEach[int] = 0, *,
              axes: Axes = None, workers: int | None = None, memory: Memory = None) -> Array:
    """Correlate with a kernel, as `scipy.ndimage.correlate` does.

    Parameters
    ----------
    input : array_like
        Real or complex, of any number of axes.
    weights : array_like
        With the same number of axes, at most 3 of them longer than 1; complex weights are
        conjugated.
    output : ndarray or dtype, optional
        The array to write to, or the type of the result. Default: the input's type.
    mode : {'reflect', 'mirror', 'nearest', 'wrap', 'constant'}, or their 'grid-' names
        Values outside the input.
    cval : scalar, optional
        The value outside the input if `mode` is 'constant'.
    origin : int or sequence, optional
        Moves the weights; 0 has weights[n // 2] over the result.
    axes : int or sequence of int, optional
        The axes of `weights`. Default: all.
    workers : int, optional
        Threads, at least 1. Default: all cores. The result does not depend on it.
    memory : int or str, optional
        Bytes for buffers, in addition to the arrays: 2**30 or "1G". Default: 70 % of the free
        memory.

    Returns
    -------
    ndarray
        Of the input's shape. Sums are in double precision, in scipy's order; integers are truncated
        towards zero. Weights of magnitude up to 2^-52 are ignored.

    Raises
    ------
    ValueError
        Types, shapes, mode or origin are not compatible.
    MemoryError
        `memory` is too small for a tile per thread.

    Notes
    -----
    Every weight costs a product for every element. For kernels with hundreds of weights, use
    `synthoscope.signal.fftconvolve`.
    """
    return _correlate_or_convolve(input, weights, output, mode, cval, origin, axes, workers, memory,
                                  convolves=False)


def convolve(input: ArrayLike, weights: ArrayLike, output: Output = None, mode: Outside = "reflect",
             cval: complex = 0.0, origin: OneOrEach[int] = 0, *, axes: Axes = None,
             workers: int | None = None, memory: Memory = None) -> Array:
    """Convolve with a kernel, as `scipy.ndimage.convolve` does.

    The same as `correlate` with the kernel reversed along every axis.

    Parameters
    ----------
    input, weights, output, mode, cval
        As in `correlate`.
    origin : int or sequence, optional
        Moves the kernel in the opposite direction of `correlate`.
    axes, workers, memory
        As in `correlate`.

    Returns
    -------
    ndarray
        Of the input's shape.

    Raises
    ------
    ValueError, MemoryError
        As `correlate`.
    """
    return _correlate_or_convolve(input, weights, output, mode, cval, origin, axes, workers, memory,
                                  convolves=True)


def _correlate_or_convolve(input, weights, output, mode, cval, origin, axes, workers, memory,
                           convolves):
    input = taken(input)
    weights = to_host(weights) if is_on_gpu(weights) else np.asarray(weights)
    is_complex = "c" in (input.dtype.kind, weights.dtype.kind)
    output = output_of(output, input, is_complex=is_complex)
    named = axes_of(axes, input.ndim)
    origins = one_each(origin, named, "origin")
    if weights.ndim != len(named) or weights.size == 0:
        raise Refused(f"weights has the shape {weights.shape} for {len(named)} axes of the input; "
                      "give as many axes, with one weight or more along each")
    if convolves:
        weights = weights[(slice(None, None, -1),) * weights.ndim]
        origins = [-o - (1 if n % 2 == 0 else 0) for o, n in zip(origins, weights.shape)]
    elif weights.dtype.kind == "c":
        weights = weights.conj()
    for o, n in zip(origins, weights.shape):
        require_origin(o, n, "weights")
    centre = [n // 2 + o for o, n in zip(origins, weights.shape)]
    if axes is not None:
        weights, centre = _for_all_axes(weights, centre, named, input.ndim)
    mode = mode_in(FILTER_MODES, mode)
    if isinstance(input, OnGpu):
        return correlate_there(input, output, weights, centre, mode, cval)

    def make(input, weights, output, cval):
        result = Result(output, input)
        how = (mode, fill_value(cval), result.whole, *resources(workers, memory))
        if input.size:
            _correlate_volumes(as_array(input), np.ascontiguousarray(weights, np.float64),
                               result.array, centre, how)
        return result.finish()

    if is_complex:
        return by_parts(make, input, weights, output, cval)
    return make(input, weights, output, cval)


def _for_all_axes(weights, centre, axes, ndim):
    """Adds axes of length 1 to the weights, for axes that are not filtered."""
    order = sorted(range(len(axes)), key=axes.__getitem__)
    shape, whole_centre = [1] * ndim, [0] * ndim
    for at in order:
        shape[axes[at]], whole_centre[axes[at]] = weights.shape[at], centre[at]
    return weights.transpose(order).reshape(shape), whole_centre


def _correlate_volumes(source, weights, result, centre, how):
    """Correlates arrays in C order; `how` are the library's arguments after the centre."""
    if source.ndim <= _AT_ONCE:
        ones = (1,) * (_AT_ONCE - source.ndim)
        _core.correlate(source.reshape(ones + source.shape), weights.reshape(ones + weights.shape),
                        result.reshape(ones + source.shape), [0] * len(ones) + centre, *how)
        return
    looped, groups = _cut(weights.shape)
    joined, joint_centre = _joined(weights.shape, groups), [sum(centre[axis] for axis in group)
                                                            for group in groups]
    for index in np.ndindex(*(source.shape[axis] for axis in looped)):
        place = [slice(None)] * source.ndim
        for axis, at in zip(looped, index):
            place[axis] = slice(at, at + 1)
        there = result[tuple(place)]
        one, shape = np.ascontiguousarray(there), _joined(there.shape, groups)
        _core.correlate(np.ascontiguousarray(source[tuple(place)]).reshape(shape),
                        weights.reshape(joined), one.reshape(shape), joint_centre, *how)
        if not np.shares_memory(one, there):
            there[...] = one


def _joined(shape, groups):
    """Returns a shape with each group of axes joined into one."""
    return [math.prod(shape[axis] for axis in group) for group in groups]


def _cut(weights):
    """Returns the axes that are looped over, and the others in three groups of joined axes.

    Adjacent axes with a single weight are joined. If more than three groups remain, axes are looped
    over. Raises ValueError if there are several weights along more than three axes.
    """
    long = [axis for axis, n in enumerate(weights) if n > 1]
    if len(long) > _AT_ONCE:
        raise ValueError(f"weights is longer than 1 along {len(long)} axes; synthoscope correlates "
                         f"along {_AT_ONCE} at most")
    groups = []
    for axis in range(len(weights)):
        if axis not in long and groups and groups[-1][-1] not in long:
            groups[-1].append(axis)
        else:
            groups.append([axis])
    short = [group for group in groups if group[0] not in long]
    looped = [axis for group in short[:max(0, len(groups) - _AT_ONCE)] for axis in group]
    kept = [group for group in groups if group[0] not in looped]
    return looped, [[]] * (_AT_ONCE - len(kept)) + kept
