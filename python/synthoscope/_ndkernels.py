# SPDX-License-Identifier: MIT
"""Correlation and convolution of synthoscope.ndimage with kernels of several axes."""
from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._ndarguments import (FILTER_MODES, Refused, Result, as_array, axes_of, bytes_text, mode_in,
                           one_each, output_of)
from ._ndlines import by_parts
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
        Of as many axes, at most 3 of them longer than 1; conjugated where they are complex.
    output : ndarray or dtype, optional
        Where the result is written, or its type. Default: the input's type.
    mode : {'reflect', 'mirror', 'nearest', 'wrap', 'constant'}, or their 'grid-' names
        What lies outside.
    cval : scalar, optional
        Stands outside where `mode` is 'constant'.
    origin : int or sequence, optional
        Moves the weights; 0 has weights[n // 2] over the result.
    axes : int or sequence of int, optional
        Those that `weights` has. Default: all.
    workers : int, optional
        Threads, at least 1. Default: all cores. The result does not depend on it.
    memory : int or str, optional
        Bytes of buffers at once, beside the arrays: 2**30 or "1G". Default: 70 % of what is free.

    Returns
    -------
    ndarray
        Of the input's shape. Sums are made in double precision, in scipy's order; integers are cut
        towards zero. Weights of 0 do not count, whatever is under them.

    Raises
    ------
    ValueError
        Types, shapes, mode or origin that do not go together.
    MemoryError
        `memory` has no room for a tile for each thread.

    Notes
    -----
    Every weight is a product for every element. For kernels of hundreds of weights and more there
    is `synthoscope.signal.fftconvolve`.
    """
    return _correlate_or_convolve(input, weights, output, mode, cval, origin, axes, workers, memory,
                                  convolves=False)


def convolve(input: ArrayLike, weights: ArrayLike, output: Output = None, mode: Outside = "reflect",
             cval: complex = 0.0, origin: OneOrEach[int] = 0, *, axes: Axes = None,
             workers: int | None = None, memory: Memory = None) -> Array:
    """Convolve with a kernel, as `scipy.ndimage.convolve` does.

    The same as `correlate` with the kernel from last to first along every axis.

    Parameters
    ----------
    input, weights, output, mode, cval
        As `correlate` has them.
    origin : int or sequence, optional
        Moves the kernel the other way than `correlate`.
    axes, workers, memory
        As `correlate` has them.

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
    input, weights = np.asarray(input), np.asarray(weights)
    is_complex = "c" in (input.dtype.kind, weights.dtype.kind)
    output = output_of(output, input, is_complex=is_complex)
    axes = axes_of(axes, input.ndim)
    origins = one_each(origin, axes, "origin")
    if weights.ndim != len(axes) or weights.size == 0:
        raise Refused(f"weights has the shape {weights.shape} for {len(axes)} axes of the input; "
                      "give as many axes, with one weight or more along each")
    if convolves:
        weights = weights[(slice(None, None, -1),) * weights.ndim]
        origins = [-o - (1 if n % 2 == 0 else 0) for o, n in zip(origins, weights.shape)]
    elif weights.dtype.kind == "c":
        weights = weights.conj()
    for o, n in zip(origins, weights.shape):
        if not -(n // 2) <= o <= (n - 1) // 2:
            raise ValueError(f"origin is {o}, with {n} weights along the axis; the centre is then "
                             "outside of them")
    mode = mode_in(FILTER_MODES, mode)
    centres = [n // 2 + o for o, n in zip(origins, weights.shape)]

    def make(input, weights, output, cval):
        kernel = _Kernel(weights, centres, axes, input.ndim)
        return _correlate_real(input, kernel, output, mode, cval, workers, bytes_text(memory))

    if is_complex:
        return by_parts(make, input, weights, output, cval)
    return make(input, weights, output, cval)


class _Kernel:
    """Weights for every axis of an array, of one along those that they do not have."""

    def __init__(self, weights, centres, axes, ndim):
        order = np.argsort(axes)
        weights = weights.transpose(order)
        self.shape, self.centre = [1] * ndim, [0] * ndim
        for at, axis in zip(order, sorted(axes)):
            self.centre[axis] = centres[at]
        for axis, n in zip(sorted(axes), weights.shape):
            self.shape[axis] = n
        self.weights = np.ascontiguousarray(weights, np.float64).reshape(self.shape)
        self.long = [axis for axis in range(ndim) if self.shape[axis] > 1]
        if len(self.long) > _AT_ONCE:
            raise ValueError(f"weights is longer than 1 along {len(self.long)} axes; synthoscope "
                             f"correlates along {_AT_ONCE} at most")


def _correlate_real(input, kernel, output, mode, cval, workers, memory):
    if input.size == 0:
        return output
    result = Result(output, [input])
    source = as_array(input)
    looped, groups = _cut(source.shape, kernel)
    weights = kernel.weights.reshape(_joined(kernel.shape, groups))
    centre = [sum(kernel.centre[axis] for axis in group) for group in groups]
    for index in np.ndindex(*(source.shape[axis] for axis in looped)):
        place = [slice(None)] * source.ndim
        for axis, at in zip(looped, index):
            place[axis] = slice(at, at + 1)
        from_there, there = source[tuple(place)], result.array[tuple(place)]
        one = np.ascontiguousarray(there)
        shape = _joined(there.shape, groups)
        _core.correlate(np.ascontiguousarray(from_there).reshape(shape), weights,
                        one.reshape(shape), centre, mode, cval, result.whole, workers, memory)
        if not np.shares_memory(one, there):
            there[...] = one
    return result.finish()


def _joined(shape, groups):
    """What a shape is to the library."""
    return [math.prod(shape[axis] for axis in group) for group in groups]


def _cut(shape, kernel):
    """Axes that are looped over, and the others in three groups, each one axis to the library.

    Neighbours along which the kernel has one weight are one axis. What is then more than three is
    looped over.
    """
    looped = []
    while True:
        groups = []
        for axis in range(len(shape)):
            is_short = axis not in kernel.long
            if is_short and groups and all(a not in kernel.long for a in groups[-1]):
                groups[-1].append(axis)
            else:
                groups.append([axis])
        groups = [group for group in groups if any(a not in looped for a in group)]
        if len(groups) <= _AT_ONCE:
            return looped, [[]] * (_AT_ONCE - len(groups)) + groups
        looped += next(group for group in groups if group[0] not in kernel.long)
