# SPDX-License-Identifier: MIT
"""Spline coefficients, for synthoscope.ndimage."""
from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._ndarguments import (LOOK_UP_MODES, Result, as_array, axis_number, mode_in, output_of,
                           resources, same_memory, spline_order)
from ._types import Array, Memory, Output, Outside

# Boundaries that splines are fitted with; others are mirrored, as scipy has it.
_FITTED = {"reflect": "reflect", "grid-mirror": "reflect", "nearest": "reflect",
           "grid-wrap": "wrap"}


def spline_filter1d(input: ArrayLike, order: int = 3, axis: int = -1, output: Output = np.float64,
                    mode: Outside = "mirror", *, workers: int | None = None,
                    memory: Memory = None) -> Array:
    """Fit splines along one axis, as `scipy.ndimage.spline_filter1d` does.

    Parameters
    ----------
    input : array_like
        Real or complex, of any number of axes.
    order : int, optional
        0 to 5; splines of 0 and 1 are the input itself.
    axis : int, optional
    output : ndarray or dtype, optional
        The array to write to, or the type of the result.
    mode : str, optional
        Values outside the input: 'mirror', 'reflect' or 'grid-wrap'; for 'nearest' the spline is
        fitted as for 'reflect', for other modes as for 'mirror'.
    workers : int, optional
        Threads, at least 1. Default: all cores.
    memory : int or str, optional
        Bytes for buffers, in addition to the arrays: 2**30 or "1G". Default: 70 % of the free
        memory.

    Returns
    -------
    ndarray
        Coefficients, of the input's shape.

    Raises
    ------
    ValueError
        Order, axis, mode or output are not compatible.
    MemoryError
        `memory` is too small for a few lines per thread.
    """
    input = np.asarray(input)
    order = spline_order(order)
    mode_in(LOOK_UP_MODES, mode)
    output = output_of(output, input, is_complex=input.dtype.kind == "c")
    axis = axis_number(axis, input.ndim)
    return _spline(input, output, order, [axis], mode, workers, memory)


def spline_filter(input: ArrayLike, order: int = 3, output: Output = np.float64,
                  mode: Outside = "mirror", *, workers: int | None = None,
                  memory: Memory = None) -> Array:
    """Fit splines along all axes, as `scipy.ndimage.spline_filter` does.

    Parameters
    ----------
    input
        As in `spline_filter1d`.
    order : int, optional
        2 to 5.
    output, mode, workers, memory
        As in `spline_filter1d`.

    Returns
    -------
    ndarray
        Coefficients, of the input's shape; between axes, results have the output's type.

    Raises
    ------
    ValueError, MemoryError
        As `spline_filter1d`.
    """
    input = np.asarray(input)
    order = spline_order(order, 2)
    mode_in(LOOK_UP_MODES, mode)
    output = output_of(output, input, is_complex=input.dtype.kind == "c")
    return _spline(input, output, order, range(input.ndim), mode, workers, memory)


def _spline(input, output, order, axes, mode, workers, memory):
    if input.dtype.kind == "c":
        _spline(input.real, output.real, order, axes, mode, workers, memory)
        _spline(input.imag, output.imag, order, axes, mode, workers, memory)
        return output
    if order < 2 or input.size == 0 or input.ndim == 0:
        output[...] = input
        return output
    for axis in axes:
        _spline_axis(input, output, order, axis, mode, workers, memory)
        input = output
    return output


def _spline_axis(input, output, order, axis, mode, workers, memory):
    """Computes spline coefficients along one axis of a real array. Returns `output`."""
    result = Result(output, None if same_memory(input, output) else input)
    source = as_array(input)
    _core.spline_lines(source, result.array, axis, order, _FITTED.get(mode, "mirror"),
                       result.whole, *resources(workers, memory))
    return result.finish()
