# SPDX-License-Identifier: MIT
"""Filters along one axis, for synthoscope.ndimage, and their common code."""
from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._gpu import OnGpu, is_on_gpu, taken, to_host
from ._ndarguments import (FILTER_MODES, Refused, Result, as_array, axis_number, fill_value,
                           mode_in, output_of, resources, same_memory, whole_number)
from ._ndgpu import correlate_axes_there
from ._types import Array, Memory, Output, Outside


def filter_axes(input, output, passes):
    """Runs passes along axes: the first reads `input`, each other one the result before it.

    passes : functions that are called with an array, another for the result, and `whole`.
    """
    result = Result(output, None if same_memory(input, output) else input)
    if not passes or input.size == 0:
        output[...] = input
        return output
    source = as_array(input)
    for make in passes:
        make(source, result.array, result.whole)
        source = result.carried_on()
    return result.finish()


def by_parts(make, input, weights, output, cval):
    """Filters complex arrays part by part; make(input, weights, output, cval) filters real ones."""
    input_is_complex, weights_are = input.dtype.kind == "c", weights.dtype.kind == "c"
    if not input_is_complex and np.iscomplexobj(cval):
        raise ValueError("cval is complex and the input real; give a real cval")
    if input_is_complex and weights_are:
        make(input.real, weights.real, output.real, np.real(cval))
        make(input.real, weights.imag, output.imag, np.real(cval))
        scratch = np.empty(output.shape, output.real.dtype)
        output.real -= make(input.imag, weights.imag, scratch, np.imag(cval))
        output.imag += make(input.imag, weights.real, scratch, np.imag(cval))
    elif input_is_complex:
        make(input.real, weights, output.real, np.real(cval))
        make(input.imag, weights, output.imag, np.imag(cval))
    else:
        make(input, weights.real, output.real, cval)
        make(input, weights.imag, output.imag, cval)
    return output


def real_parts(make, input, output, cval):
    """Calls make(input, output, cval); for complex arrays, once for each part."""
    if input.dtype.kind != "c":
        return make(input, output, cval)
    make(input.real, output.real, np.real(cval))
    make(input.imag, output.imag, np.imag(cval))
    return output


def require_origin(origin, size, name):
    """Raises ValueError if the centre would be outside `size` elements."""
    if not -(size // 2) <= whole_number(origin, "origin") <= (size - 1) // 2:
        raise ValueError(f"origin is {origin}, with {size} {name} along the axis; use "
                         f"{-(size // 2)} to {(size - 1) // 2}")


def correlate1d(input: ArrayLike, weights: ArrayLike, axis: int = -1, output: Output = None,
                mode: Outside = "reflect", cval: complex = 0.0, origin: int = 0, *,
                workers: int | None = None, memory: Memory = None) -> Array:
    """Correlate along one axis, as `scipy.ndimage.correlate1d` does.

    Parameters
    ----------
    input : array_like
        Real or complex, of any number of axes.
    weights : array_like
        Along the axis; complex weights are conjugated.
    axis : int, optional
    output : ndarray or dtype, optional
        The array to write to, or the type of the result. Default: the input's type.
    mode : {'reflect', 'mirror', 'nearest', 'wrap', 'constant'}, or their 'grid-' names
        Values outside the input.
    cval : scalar, optional
        The value outside the input if `mode` is 'constant'.
    origin : int, optional
        Moves the weights; 0 has weights[len(weights) // 2] over the result.
    workers : int, optional
        Threads, at least 1. Default: all cores. The result does not depend on it.
    memory : int or str, optional
        Bytes for buffers, in addition to the arrays: 2**30 or "1G". Default: 70 % of the free
        memory.

    Returns
    -------
    ndarray
        Of the input's shape. Sums are in double precision, in scipy's order; integers are truncated
        towards zero.

    Raises
    ------
    ValueError
        Types, shapes, mode or origin are not compatible.
    MemoryError
        `memory` is too small for a few lines per thread.
    """
    input = taken(input)
    weights = to_host(weights) if is_on_gpu(weights) else np.asarray(weights)
    is_complex = "c" in (input.dtype.kind, weights.dtype.kind)
    output = output_of(output, input, is_complex=is_complex)
    if weights.ndim != 1 or weights.size == 0:
        raise Refused(f"weights has the shape {weights.shape}; give a sequence of one or more")
    axis, mode = axis_number(axis, input.ndim), mode_in(FILTER_MODES, mode)

    def make(input, weights, output, cval):
        weights = weights.astype(np.float64).tolist()
        return filter_axes(input, output, [lambda source, result, whole: _core.correlate_lines(
            source, result, axis, weights, origin, mode, fill_value(cval), whole,
            *resources(workers, memory))])

    require_origin(origin, len(weights), "weights")
    if isinstance(input, OnGpu):
        return correlate_axes_there(input, output, [(axis, weights, origin, mode)], cval)
    if is_complex:
        return by_parts(make, input, weights.conj(), output, cval)
    return make(input, weights, output, cval)


def convolve1d(input: ArrayLike, weights: ArrayLike, axis: int = -1, output: Output = None,
               mode: Outside = "reflect", cval: complex = 0.0, origin: int = 0, *,
               workers: int | None = None, memory: Memory = None) -> Array:
    """Convolve along one axis, as `scipy.ndimage.convolve1d` does.

    The same as `correlate1d` with reversed weights.

    Parameters
    ----------
    input, weights, axis, output, mode, cval
        As in `correlate1d`.
    origin : int, optional
        Moves the weights in the opposite direction of `correlate1d`.
    workers, memory
        As in `correlate1d`.

    Returns
    -------
    ndarray
        Of the input's shape.

    Raises
    ------
    ValueError, MemoryError
        As `correlate1d`.
    """
    weights = (to_host(weights) if is_on_gpu(weights) else np.asarray(weights))[::-1]
    origin = -origin - (1 if len(weights) % 2 == 0 else 0)
    return correlate1d(input, weights.conj(), axis, output, mode, cval, origin, workers=workers,
                       memory=memory)
