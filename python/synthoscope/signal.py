# SPDX-License-Identifier: MIT
"""Convolutions with the signatures and results of `scipy.signal`, and two arguments more.

Arrays are read where they lie if they are in C order and of int8 to uint32, float32 or float64;
what else is accepted is copied first. The interpreter's lock is released while the library works,
and Ctrl-C ends it.
"""
from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._axes import convolved_axes, cut, wanted_axes
from ._types import Array, Axes, Memory
from ._voxels import as_read, precision_of

__all__ = ["fftconvolve", "oaconvolve"]

Mode = Literal["full", "same", "valid"]


def fftconvolve(in1: ArrayLike, in2: ArrayLike, mode: Mode = "full", axes: Axes = None, *,
                workers: int | None = None, memory: Memory = None) -> Array:
    """Convolve two arrays, as `scipy.signal.fftconvolve` does.

    How is planned for the sizes and the memory at hand: by transforms of everything, or of planes,
    tiles or parts, or by plain sums where the kernel is small.

    Parameters
    ----------
    in1, in2 : array_like
        Of equal numbers of axes. Integers are taken in double precision; float16 in single.
    mode : {'full', 'same', 'valid'}
        Every element that both reach; as many as `in1` has, centred; those that need no zeros
        around the larger array.
    axes : int or iterable of int, optional
        To convolve along: at most 3 that are longer than 1 in both. Along others the arrays are
        broadcast. Default: all.
    workers : int, optional
        Threads, at least 1. Default: all cores. The result does not depend on it.
    memory : int or str, optional
        Bytes of buffers at once, beside the arrays: 2**30 or "1G". Default: 70 % of what is free.

    Returns
    -------
    ndarray
        float32 or complex64 where both arrays are of single precision; else float64 or complex128.

    Raises
    ------
    ValueError
        Shapes, types, mode or axes that do not go together.
    MemoryError
        `memory` is too little for any plan; the message says how much would do.

    Notes
    -----
    Complex arrays are convolved part by part: four convolutions where both are complex. Where a
    small kernel is summed, a NaN or infinity of the image reaches the kernel's extent, not all of
    the result.
    """
    in1, in2 = np.asarray(in1), np.asarray(in2)
    if mode not in ("full", "same", "valid"):
        raise ValueError(f"mode is {mode!r}; use 'full', 'same' or 'valid'")
    if in1.ndim != in2.ndim:
        raise ValueError(f"the arrays have {in1.ndim} and {in2.ndim} axes; give both as many")
    if in1.ndim == 0:
        return in1 * in2
    dtype = np.result_type(precision_of(in1), precision_of(in2))
    axes = wanted_axes(axes, in1.ndim)
    if in1.size == 0 or in2.size == 0:
        return np.array([])
    joint = convolved_axes(in1.shape, in2.shape, axes)
    if mode == "valid":
        in1, in2 = _larger_first(in1, in2, joint)
    return _convolve(in1, in2, dtype, mode, joint, workers, _bytes_text(memory))


def oaconvolve(in1: ArrayLike, in2: ArrayLike, mode: Mode = "full", axes: Axes = None, *,
               workers: int | None = None, memory: Memory = None) -> Array:
    """Convolve two arrays, as `scipy.signal.oaconvolve` does: the same as `fftconvolve` here.

    Cutting a long array into tiles that overlap is one of the ways that `fftconvolve` chooses from.
    Parameters, result and errors are those of `fftconvolve`.
    """
    return fftconvolve(in1, in2, mode, axes, workers=workers, memory=memory)


def _bytes_text(memory):
    return None if memory is None else str(memory)


def _larger_first(in1, in2, axes):
    lengths = [(in1.shape[axis], in2.shape[axis]) for axis in axes]
    if all(n >= m for n, m in lengths):
        return in1, in2
    if all(n <= m for n, m in lengths):
        return in2, in1
    raise ValueError(f"mode 'valid' of shapes {in1.shape} and {in2.shape}: each is longer than the "
                     "other along some axis; use 'full' or 'same'")


def _parts(array):
    """Real arrays whose sum, the second times i, is `array`."""
    return [array.real, array.imag] if array.dtype.kind == "c" else [array]


def _convolve(in1, in2, dtype, mode, joint, workers, memory):
    """A new array of `dtype`, real part by real part."""
    how = cut(in1.shape, in2.shape, mode, joint)
    if dtype.kind != "c":
        return _convolve_real(in1, in2, dtype, mode, how, workers, memory)
    result = np.zeros(how.result, dtype)
    for i, part1 in enumerate(_parts(in1)):
        for j, part2 in enumerate(_parts(in2)):
            product = _convolve_real(part1, part2, result.real.dtype, mode, how, workers, memory)
            if i + j == 1:
                result.imag += product
            else:
                result.real += product if i + j == 0 else -product
    return result


def _convolve_real(in1, in2, dtype, mode, how, workers, memory):
    in1, in2, result = as_read(in1), as_read(in2), np.empty(how.result, dtype)
    volumes = [how.volume(array.shape) for array in (in1, in2, result)]
    for index in np.ndindex(*(how.result[axis] for axis in how.looped)):
        image, kernel, place = how.places(index)
        one = np.ascontiguousarray(result[place])  # a copy where a looped axis lies within
        _core.convolve(as_read(in1[image]).reshape(volumes[0]),
                       as_read(in2[kernel]).reshape(volumes[1]), one.reshape(volumes[2]),
                       mode, workers, memory)
        if not np.shares_memory(one, result):
            result[place] = one
    return result
