# SPDX-License-Identifier: MIT
"""Convolutions with the signatures and results of `scipy.signal`, and two additional arguments.

Arrays in C order of int8 to uint32, float32 or float64 are read in place; other arrays are copied
first. The interpreter's lock is released while the library works, and Ctrl-C stops it.
"""
from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ._axes import convolved_axes, wanted_axes
from ._convolution import convolve_arrays
from ._gpu import convolve_there, is_on_gpu, refuse_integers, to_host
from ._parts import as_memory, as_workers
from ._sums import summed
from ._types import Array, Axes, Memory
from ._voxels import precision_of
from ._whole import convolve_whole

__all__ = ["convolve", "correlate", "fftconvolve", "oaconvolve"]

Mode = Literal["full", "same", "valid"]
Method = Literal["auto", "direct", "fft"]

# Fewer products of two signals are summed by numpy before the library has begun.
_FEW_PRODUCTS = 4096


def convolve(in1: ArrayLike, in2: ArrayLike, mode: Mode = "full", method: Method = "auto", *,
             workers: int | None = None, memory: Memory = None) -> Array:
    """Convolve two arrays, as `scipy.signal.convolve` does.

    Parameters
    ----------
    in1, in2 : array_like
        Arrays of any type, with the same number of axes.
    mode : {'full', 'same', 'valid'}
        'full': every element that both arrays reach. 'same': the size of `in1`, centred. 'valid':
        the elements that need no zeros around the larger array.
    method : {'auto', 'direct', 'fft'}
        'auto': the faster one. 'direct': sums, if `in2` (for 'full' and 'valid' the smaller array)
        has at most 2**18 elements. 'fft': transforms. Integers are exact with each, modulo the
        range of their type.
    workers : int, optional
        Threads, at least 1. Default: all cores. The result does not depend on it.
    memory : int or str, optional
        Bytes for buffers, in addition to the arrays: 2**30 or "1G". Default: 70 % of the free
        memory.

    Returns
    -------
    ndarray
        Has the type of numpy's product of both.

    Raises
    ------
    ValueError
        Shapes, mode or method are not compatible.
    MemoryError
        `memory` is too little for any plan; the message says how much is enough.

    Notes
    -----
    Types that the library does not support, such as numpy.longdouble or Python objects, are summed
    by numpy, one product after another. Arrays on a GPU are convolved there; see `fftconvolve`.
    """
    if is_on_gpu(in1) or is_on_gpu(in2):
        refuse_integers(in1, in2)
        return convolve_there(in1, in2, mode, None, method, as_memory(memory))
    in1, in2 = np.asarray(in1), np.asarray(in2)
    if method not in ("auto", "direct", "fft"):
        raise ValueError(f"method is {method!r}; use 'auto', 'direct' or 'fft'")
    joint = _joint_axes(in1, in2, mode, None)
    if mode == "valid":
        _require_one_inside(in1.shape, in2.shape)
    if in1.ndim == 0:
        return in1 * in2
    if in1.size == 0 or in2.size == 0:
        return np.array([])
    in1, in2 = _image_and_kernel(in1, in2, mode, joint)
    if method != "fft" and _are_short_signals(in1, in2, mode):
        return np.convolve(in1, in2, mode)
    dtype, how = np.result_type(in1, in2), (method, as_workers(workers), as_memory(memory))

    def in_double(f, g):
        return convolve_arrays(f, g, np.dtype(np.float64), mode, joint, how)

    if dtype.kind in "biu":
        return convolve_whole(in1, in2, in_double)
    work = _joint_precision(in1, in2)
    if work is None:
        return summed(in1, in2, mode, joint)
    return convolve_arrays(in1, in2, work, mode, joint, how).astype(dtype, copy=False)


def correlate(in1: ArrayLike, in2: ArrayLike, mode: Mode = "full", method: Method = "auto", *,
              workers: int | None = None, memory: Memory = None) -> Array:
    """Cross-correlate two arrays, as `scipy.signal.correlate` does.

    The convolution of `in1` with `in2` reversed along every axis and conjugated. Parameters, result
    and errors are those of `convolve`.
    """
    in2 = to_host(in2) if is_on_gpu(in2) else np.asarray(in2)
    turned = in2[(slice(None, None, -1),) * in2.ndim].conj()
    return convolve(in1, turned, mode, method, workers=workers, memory=memory)


def fftconvolve(in1: ArrayLike, in2: ArrayLike, mode: Mode = "full", axes: Axes = None, *,
                workers: int | None = None, memory: Memory = None) -> Array:
    """Convolve two arrays, as `scipy.signal.fftconvolve` does.

    The method is planned for the sizes and the available memory: transforms of the whole array, of
    planes, tiles or parts, or plain sums if the kernel is small.

    Parameters
    ----------
    in1, in2 : array_like
        Arrays with the same number of axes. Integers are computed in double precision, float16 in
        single.
    mode : {'full', 'same', 'valid'}
        'full': every element that both arrays reach. 'same': the size of `in1`, centred. 'valid':
        the elements that need no zeros around the larger array.
    axes : int or iterable of int, optional
        The axes to convolve along; the arrays are broadcast along the others. Default: all.
    workers : int, optional
        Threads, at least 1. Default: all cores. The result does not depend on it.
    memory : int or str, optional
        Bytes for buffers, in addition to the arrays: 2**30 or "1G". Default: 70 % of the free
        memory.

    Returns
    -------
    ndarray
        float32 or complex64 if both arrays have single precision, otherwise float64 or complex128,
        or numpy's joint type if it has more precision.

    Raises
    ------
    ValueError
        Shapes, types, mode or axes are not compatible.
    MemoryError
        `memory` is too little for any plan; the message says how much is enough.

    Notes
    -----
    Complex arrays are convolved by their real and imaginary parts: four convolutions if both are
    complex. If a small kernel is summed, a NaN or infinity in the image affects only the voxels
    within the kernel's reach, not the whole result. Elements beyond double precision are summed by
    numpy, one product after another.

    In a build with CUDA, arrays of cupy, torch, jax and others on a GPU are convolved there,
    through DLPack and without copying: float32 or integers, in C order, with up to 3 axes longer
    than 1. The result is float32, of the same library on the same GPU; `in2` may be on the host.
    """
    if is_on_gpu(in1) or is_on_gpu(in2):
        return convolve_there(in1, in2, mode, axes, "auto", as_memory(memory))
    in1, in2 = np.asarray(in1), np.asarray(in2)
    joint = _joint_axes(in1, in2, mode, axes)
    if in1.ndim == 0:
        return in1 * in2
    if in1.size == 0 or in2.size == 0:
        return np.array([])
    in1, in2 = _image_and_kernel(in1, in2, mode, joint)
    work = _joint_precision(in1, in2)
    if work is None:
        if "O" in in1.dtype.char + in2.dtype.char:
            raise ValueError("the elements are Python's objects; use convolve, or convert them")
        return summed(in1, in2, mode, joint)
    return convolve_arrays(in1, in2, work, mode, joint,
                           ("auto", as_workers(workers), as_memory(memory)))


def oaconvolve(in1: ArrayLike, in2: ArrayLike, mode: Mode = "full", axes: Axes = None, *,
               workers: int | None = None, memory: Memory = None) -> Array:
    """Convolve two arrays, as `scipy.signal.oaconvolve` does: the same as `fftconvolve` here.

    Cutting a long array into overlapping pieces is one of the methods of `fftconvolve`. Parameters,
    result and errors are those of `fftconvolve`.
    """
    return fftconvolve(in1, in2, mode, axes, workers=workers, memory=memory)


def _are_short_signals(in1, in2, mode):
    return (in1.ndim == 1 and in1.size * in2.size <= _FEW_PRODUCTS
            and (mode != "same" or in1.size >= in2.size))


def _joint_axes(in1, in2, mode, axes):
    """Returns the axes to convolve. Raises ValueError if mode or numbers of axes do not fit."""
    if mode not in ("full", "same", "valid"):
        raise ValueError(f"mode is {mode!r}; use 'full', 'same' or 'valid'")
    if in1.ndim != in2.ndim:
        raise ValueError(f"the arrays have {in1.ndim} and {in2.ndim} axes; give both the same "
                         "number")
    wanted = wanted_axes(axes, in1.ndim) if in1.ndim else frozenset()
    if in1.size == 0 or in2.size == 0:
        return ()
    return convolved_axes(in1.shape, in2.shape, wanted)


def _joint_precision(in1, in2):
    """The type to compute in; None if the library has no suitable one."""
    first, second = precision_of(in1.dtype), precision_of(in2.dtype)
    if first is None or second is None:
        return None
    return first if first == second else np.result_type(first, second)


def _image_and_kernel(in1, in2, mode, joint):
    """Returns both arrays, exchanged if only the work changes: sums are over the second one."""
    if mode == "same" or (mode == "full" and in1.size >= in2.size):
        return in1, in2
    if mode == "valid":
        shapes = [tuple(array.shape[axis] for axis in joint) for array in (in1, in2)]
        _require_one_inside(*shapes)
        if all(n >= m for n, m in zip(*shapes)):
            return in1, in2
    return in2, in1


def _require_one_inside(shape1, shape2):
    pairs = list(zip(shape1, shape2))
    if any(n < m for n, m in pairs) and any(n > m for n, m in pairs):
        raise ValueError(f"mode 'valid' of shapes {shape1} and {shape2}: each is longer than the "
                         "other along some axis; use 'full' or 'same'")
