# SPDX-License-Identifier: MIT
"""Gaussian filters and their derivatives, for synthoscope.ndimage."""
from __future__ import annotations

import numbers

import numpy as np
from numpy.typing import ArrayLike

from . import _core
from ._gpu import OnGpu, taken
from ._ndarguments import (FILTER_MODES, axes_of, fill_value, mode_in, one_each, output_of,
                           resources, whole_number)
from ._ndgpu import correlate_axes_there
from ._ndlines import correlate1d, filter_axes, real_parts
from ._types import Array, Axes, Memory, OneOrEach, Output, Outside


def gaussian_filter1d(input: ArrayLike, sigma: float, axis: int = -1, order: int = 0,
                      output: Output = None, mode: Outside = "reflect", cval: complex = 0.0,
                      truncate: float = 4.0, *, radius: int | None = None,
                      workers: int | None = None, memory: Memory = None) -> Array:
    """Smooth with a Gaussian along one axis, as `scipy.ndimage.gaussian_filter1d` does.

    Parameters
    ----------
    input
        As in `correlate1d`.
    sigma : float
        Standard deviation, in elements.
    axis
        As in `correlate1d`.
    order : int, optional
        Of the derivative of the Gaussian; 0 smooths.
    output, mode, cval
        As in `correlate1d`.
    truncate : float, optional
        The Gaussian ends at this number of standard deviations.
    radius : int, optional
        The Gaussian ends at this number of elements; overrides `truncate`.
    workers, memory
        As in `correlate1d`.

    Returns
    -------
    ndarray
        Of the input's shape.

    Raises
    ------
    ValueError
        As `correlate1d`, or an order or a radius below 0.
    MemoryError
        As `correlate1d`.
    """
    weights = gaussian_weights(sigma, order, truncate, radius)[::-1]
    return correlate1d(input, weights, axis, output, mode, cval, 0, workers=workers, memory=memory)


def gaussian_filter(input: ArrayLike, sigma: OneOrEach[float], order: OneOrEach[int] = 0,
                    output: Output = None, mode: OneOrEach[Outside] = "reflect",
                    cval: complex = 0.0, truncate: float = 4.0, *,
                    radius: OneOrEach[int] | None = None, axes: Axes = None,
                    workers: int | None = None, memory: Memory = None) -> Array:
    """Smooth with a Gaussian, or with derivatives of it, as `scipy.ndimage.gaussian_filter` does.

    Parameters
    ----------
    input
        As in `correlate1d`.
    sigma : float or sequence
        Standard deviation in elements, for all axes or for each.
    order : int or sequence, optional
        Of the derivative of the Gaussian, for all axes or for each; 0 smooths.
    output
        As in `correlate1d`.
    mode : str or sequence, optional
        Values outside the input, for all axes or for each.
    cval
        As in `correlate1d`.
    truncate : float, optional
        The Gaussian ends at this number of standard deviations.
    radius : int or sequence, optional
        The Gaussian ends at this number of elements; overrides `truncate`.
    axes : int or sequence of int, optional
        The axes to filter along. Default: all.
    workers, memory
        As in `correlate1d`.

    Returns
    -------
    ndarray
        Has the input's shape. Between axes, results have the output's type, as in scipy: for
        integers, use the output float32 or float64 to keep fractions.

    Raises
    ------
    ValueError
        As `gaussian_filter1d`, or sequences of another length than there are axes.
    MemoryError
        As `correlate1d`.
    """
    input = taken(input)
    axes = axes_of(axes, input.ndim)
    each = [one_each(value, axes, name) for value, name in
            ((sigma, "sigma"), (order, "order"), (mode, "mode"), (radius, "radius"))]
    weights = [(axis, gaussian_weights(s, o, truncate, r)[::-1], m)
               for axis, s, o, m, r in zip(axes, *each) if s > 1e-15]
    return _correlate_axes(input, weights, output, cval, workers, memory)


def gaussian_weights(sigma, order, truncate, radius):
    """Returns weights from -radius to radius, with the same bits as scipy's on this machine.

    The Gaussian has the sum 1; its derivative is a polynomial times the Gaussian.
    """
    sigma = float(sigma)
    radius = int(truncate * sigma + 0.5) if radius is None else radius
    if not isinstance(radius, numbers.Integral) or radius < 0:
        raise ValueError(f"radius is {radius!r}; give a whole number from 0 on")
    if whole_number(order, "order") < 0:
        raise ValueError(f"order is {order}; give 0 to smooth, or the order of a derivative")
    x = np.arange(-radius, radius + 1)
    gaussian = np.exp(-0.5 / (sigma * sigma) * x**2)
    gaussian = gaussian / gaussian.sum()
    if order == 0:
        return gaussian
    # (p g)' = (p' - x / sigma^2 p) g, for the coefficients of p in ascending order
    powers = np.arange(order + 1)
    step = np.diag(powers[1:], 1) + np.diag(np.ones(order) / -(sigma * sigma), -1)
    polynomial = np.zeros(order + 1)
    polynomial[0] = 1
    for _ in range(order):
        polynomial = step.dot(polynomial)
    return (x[:, None] ** powers).dot(polynomial) * gaussian


def _correlate_axes(input, weights, output, cval, workers, memory):
    """Correlates along several axes: `weights` lists (axis, weights, mode)."""
    is_complex = input.dtype.kind == "c"
    output = output_of(output, input, is_complex=is_complex)
    if isinstance(input, OnGpu):
        passes = [(axis, w, 0, mode_in(FILTER_MODES, mode)) for axis, w, mode in weights]
        return correlate_axes_there(input, output, passes, cval)

    def make(input, output, cval):
        def along(axis, weights, mode):
            weights, mode = weights.tolist(), mode_in(FILTER_MODES, mode)
            return lambda source, result, whole: _core.correlate_lines(
                source, result, axis, weights, 0, mode, fill_value(cval), whole,
                *resources(workers, memory))
        return filter_axes(input, output, [along(*one) for one in weights])

    return real_parts(make, input, output, cval)
