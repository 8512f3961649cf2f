# SPDX-License-Identifier: MIT
"""Box filters, for synthoscope.ndimage."""
from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._gpu import OnGpu, taken
from ._ndarguments import (FILTER_MODES, Refused, axes_of, axis_number, fill_value, mode_in,
                           one_each, output_of, resources, whole_number)
from ._ndgpu import correlate_axes_there
from ._ndlines import filter_axes, real_parts, require_origin
from ._types import Array, Axes, Memory, OneOrEach, Output, Outside


def uniform_filter1d(input: ArrayLike, size: int, axis: int = -1, output: Output = None,
                     mode: Outside = "reflect", cval: complex = 0.0, origin: int = 0, *,
                     workers: int | None = None, memory: Memory = None) -> Array:
    """Take means along one axis, as `scipy.ndimage.uniform_filter1d` does.

    Parameters
    ----------
    input
        As in `correlate1d`.
    size : int
        Elements of a mean, at least 1.
    axis, output, mode, cval, origin, workers, memory
        As in `correlate1d`.

    Returns
    -------
    ndarray
        Of the input's shape. Sums of integers are exact.

    Raises
    ------
    ValueError
        As `correlate1d`, or a size below 1.
    MemoryError
        As `correlate1d`.
    """
    input = taken(input)
    axis = axis_number(axis, input.ndim)
    return _means(input, [(axis, size, mode, origin)], output, cval, workers, memory)


def uniform_filter(input: ArrayLike, size: OneOrEach[int] = 3, output: Output = None,
                   mode: OneOrEach[Outside] = "reflect", cval: complex = 0.0,
                   origin: OneOrEach[int] = 0, *, axes: Axes = None, workers: int | None = None,
                   memory: Memory = None) -> Array:
    """Take the mean of a box around every element, as `scipy.ndimage.uniform_filter` does.

    Parameters
    ----------
    input
        As in `correlate1d`.
    size : int or sequence, optional
        Elements of a mean along all axes, or along each.
    output
        As in `correlate1d`.
    mode : str or sequence, optional
        Values outside the input, for all axes or for each.
    cval
        As in `correlate1d`.
    origin : int or sequence, optional
        Moves the box, for all axes or for each.
    axes : int or sequence of int, optional
        The axes to filter along. Default: all.
    workers, memory
        As in `correlate1d`.

    Returns
    -------
    ndarray
        Has the input's shape; between axes, results have the output's type.

    Raises
    ------
    ValueError, MemoryError
        As `uniform_filter1d`.
    """
    input = taken(input)
    axes = axes_of(axes, input.ndim)
    each = [one_each(value, axes, name) for value, name in
            ((size, "size"), (mode, "mode"), (origin, "origin"))]
    boxes = [(axis, int(s), m, o) for axis, s, m, o in zip(axes, *each) if s > 1]
    return _means(input, boxes, output, cval, workers, memory)


def _means(input, boxes, output, cval, workers, memory):
    """Takes means along several axes: `boxes` lists (axis, size, mode, origin)."""
    output = output_of(output, input, is_complex=input.dtype.kind == "c")
    for _, size, mode, origin in boxes:
        if whole_number(size, "size") < 1:
            raise Refused(f"size is {size}; give 1 or more")
        require_origin(origin, size, "size")
    if isinstance(input, OnGpu):
        passes = [(axis, [1 / size] * size, origin, mode_in(FILTER_MODES, mode))
                  for axis, size, mode, origin in boxes]
        return correlate_axes_there(input, output, passes, cval)

    def make(input, output, cval):
        def along(axis, size, mode, origin):
            mode = mode_in(FILTER_MODES, mode)
            return lambda source, result, whole: _core.mean_lines(
                source, result, axis, size, origin, mode, fill_value(cval), whole,
                *resources(workers, memory))
        return filter_axes(input, output, [along(*one) for one in boxes])

    return real_parts(make, input, output, cval)
