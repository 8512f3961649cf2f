# SPDX-License-Identifier: MIT
"""Resampling of images, for synthoscope.ndimage."""
from __future__ import annotations

import math
import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ._gpu import taken
from ._ndarguments import Refused, one_each
from ._ndlookup import LookUp, at_coordinates, by_axes, by_matrix, looked_up
from ._types import Array, Memory, OneOrEach, Output, Outside


def map_coordinates(input: ArrayLike, coordinates: ArrayLike, output: Output = None, order: int = 3,
                    mode: Outside = "constant", cval: complex = 0.0, prefilter: bool = True, *,
                    workers: int | None = None, memory: Memory = None) -> Array:
    """Interpolate an image at coordinates, as `scipy.ndimage.map_coordinates` does.

    Parameters
    ----------
    input : array_like
        Real or complex, of 1 to 3 axes.
    coordinates : array_like
        Of shape (axes of the input, ...): 0 is the first element along an axis.
    output : ndarray or dtype, optional
        The array to write to, or the type of the result. Default: the input's type.
    order : int, optional
        Of the spline through the elements, 0 to 5: 0 takes the nearest one, 1 is linear.
    mode : {'constant', 'grid-constant', 'nearest', 'reflect', 'mirror', 'wrap', 'grid-wrap'}
        Values outside the input. 'constant' is `cval` wherever a coordinate is outside;
        'grid-constant' has elements of `cval` there. 'wrap' treats the first and the last element
        as the same.
    cval : scalar, optional
        The value outside the input, for the modes that use it.
    prefilter : bool, optional
        Whether the spline is fitted; otherwise the input holds its coefficients.
    workers : int, optional
        Threads, at least 1. Default: all cores. The result does not depend on it.
    memory : int or str, optional
        Bytes for buffers, in addition to the arrays: 2**30 or "1G". Default: 70 % of the free
        memory.

    Returns
    -------
    ndarray
        Has the shape of `coordinates` without its first axis. Computed in double precision;
        integers are rounded to the nearest and clipped.

    Raises
    ------
    ValueError
        Types, shapes, order or mode are not compatible.
    MemoryError
        `memory` is too small for the spline's coefficients: 8 bytes per element, with 12 elements
        added on both sides of every axis for 'nearest' and 'grid-constant'.
    """
    coordinates = np.asarray(coordinates)
    if coordinates.dtype.kind == "c":
        raise TypeError("coordinates are complex; give real ones")
    look_up = LookUp(order, mode, cval, prefilter, workers, memory)
    input, output = looked_up(input, output, coordinates.shape[1:])
    if coordinates.shape[0] != input.ndim:
        raise Refused(f"coordinates has the shape {coordinates.shape} for an input of {input.ndim} "
                      "axes; its first axis enumerates the axes of the input")
    return at_coordinates(look_up, input, output, coordinates)


def affine_transform(input: ArrayLike, matrix: ArrayLike, offset: OneOrEach[float] = 0.0,
                     output_shape: Sequence[int] | None = None, output: Output = None,
                     order: int = 3, mode: Outside = "constant", cval: complex = 0.0,
                     prefilter: bool = True, *, workers: int | None = None,
                     memory: Memory = None) -> Array:
    """Interpolate an image at matrix o + offset, as `scipy.ndimage.affine_transform` does.

    Parameters
    ----------
    input : array_like
        Real or complex; at most 3 axes are rotated, scaled or shifted.
    matrix : array_like
        From the elements of the result to those of the input: of shape (axes, axes), with an
        additional column for the offset, or an additional row, 0 ... 0 1; or (axes,), its diagonal.
    offset : float or sequence, optional
        Added to coordinates, unless the matrix has it.
    output_shape : tuple of int, optional
        Default: that of `output` if it is an array, otherwise of the input.
    output, order, mode, cval, prefilter, workers, memory
        As in `map_coordinates`.

    Returns
    -------
    ndarray
        Of `output_shape`.

    Raises
    ------
    ValueError, MemoryError
        As `map_coordinates`.
    """
    look_up = LookUp(order, mode, cval, prefilter, workers, memory)
    input = taken(input)
    if output_shape is None:
        output_shape = output.shape if isinstance(output, np.ndarray) else input.shape
    input, output = looked_up(input, output, tuple(output_shape))
    matrix, offset = _matrix_of(matrix, offset, input.ndim)
    if matrix.shape[0] != input.ndim or (matrix.ndim == 2 and matrix.shape[1] != output.ndim):
        raise Refused(f"matrix has the shape {matrix.shape}, input and result have {input.ndim} "
                      f"and {output.ndim} axes; give a row for each axis of the input, and a "
                      "column for each of the result")
    if output.size == 0:
        return output
    if matrix.ndim == 2:
        return by_matrix(look_up, input, output, matrix, offset)

    def coordinates(axis, count):
        return (np.arange(count) + offset[axis] / matrix[axis]) * matrix[axis]
    return by_axes(look_up, input, output, coordinates, matrix)


def shift(input: ArrayLike, shift: OneOrEach[float], output: Output = None, order: int = 3,
          mode: Outside = "constant", cval: complex = 0.0, prefilter: bool = True, *,
          workers: int | None = None, memory: Memory = None) -> Array:
    """Shift an image, as `scipy.ndimage.shift` does.

    Parameters
    ----------
    input : array_like
        Real or complex; at most 3 axes are shifted.
    shift : float or sequence
        For all axes or for each, in elements, towards higher indices.
    output, order, mode, cval, prefilter, workers, memory
        As in `map_coordinates`.

    Returns
    -------
    ndarray
        Of the input's shape.

    Raises
    ------
    ValueError, MemoryError
        As `map_coordinates`.
    """
    look_up = LookUp(order, mode, cval, prefilter, workers, memory)
    input = taken(input)
    input, output = looked_up(input, output, input.shape)
    shifts = one_each(shift, input.shape, "shift")
    if output.size == 0:
        return output
    return by_axes(look_up, input, output, lambda axis, count: np.arange(count) - shifts[axis],
                   [1.0] * input.ndim)


def zoom(input: ArrayLike, zoom: OneOrEach[float], output: Output = None, order: int = 3,
         mode: Outside = "constant", cval: complex = 0.0, prefilter: bool = True, *,
         grid_mode: bool = False, workers: int | None = None, memory: Memory = None) -> Array:
    """Enlarge or shrink an image, as `scipy.ndimage.zoom` does.

    Parameters
    ----------
    input : array_like
        Real or complex; at most 3 axes are scaled.
    zoom : float or sequence
        Elements of the result per element of the input, for all axes or for each.
    output, order, mode, cval, prefilter
        As in `map_coordinates`.
    grid_mode : bool, optional
        Whether elements have a width, so that the outer faces of the first and the last do not
        move; otherwise their centres do not move.
    workers, memory
        As in `map_coordinates`.

    Returns
    -------
    ndarray
        Of shape round(n * zoom) along each axis.

    Raises
    ------
    ValueError, MemoryError
        As `map_coordinates`.
    """
    look_up = LookUp(order, mode, cval, prefilter, workers, memory)
    input = taken(input)
    factors = one_each(zoom, input.shape, "zoom")
    shape = tuple(int(round(n * factor)) for n, factor in zip(input.shape, factors))
    input, output = looked_up(input, output, shape)
    if grid_mode and mode in ("constant", "wrap"):
        warnings.warn(f"mode {mode!r} with grid_mode: 'grid-{mode}' goes with it", stacklevel=2)
    if output.size == 0:
        return output
    steps = [_zoom_step(n, made, grid_mode) for n, made in zip(input.shape, shape)]

    def coordinates(axis, count):
        at = np.arange(count)
        return (at + 0.5) * steps[axis] - 0.5 if grid_mode else at * steps[axis]
    return by_axes(look_up, input, output, coordinates, steps)


def rotate(input: ArrayLike, angle: float, axes: Sequence[int] = (1, 0), reshape: bool = True,
           output: Output = None, order: int = 3, mode: Outside = "constant", cval: complex = 0.0,
           prefilter: bool = True, *, workers: int | None = None, memory: Memory = None) -> Array:
    """Rotate an image in a plane, as `scipy.ndimage.rotate` does.

    Parameters
    ----------
    input : array_like
        Real or complex, of 2 axes or more.
    angle : float
        Degrees.
    axes : two of int, optional
        The plane.
    reshape : bool, optional
        Whether the result contains the whole rotated image; otherwise it has the input's shape.
    output, order, mode, cval, prefilter, workers, memory
        As in `map_coordinates`.

    Returns
    -------
    ndarray

    Raises
    ------
    ValueError, MemoryError
        As `map_coordinates`.
    """
    look_up = LookUp(order, mode, cval, prefilter, workers, memory)
    input = taken(input)
    if input.ndim < 2:
        raise ValueError(f"input has {input.ndim} axes; give two or more to rotate")
    plane = list(axes)
    if len(plane) != 2 or not all(float(axis).is_integer() and -input.ndim <= axis < input.ndim
                                  for axis in plane):
        raise ValueError(f"axes is {axes!r}; give two of the axes, from {-input.ndim} to "
                         f"{input.ndim - 1}")
    plane = sorted(int(axis) % input.ndim for axis in plane)
    cosine, sine = _cosine_and_sine(angle)
    turn = np.array([[cosine, sine], [-sine, cosine]])
    inside = np.array([input.shape[axis] for axis in plane])
    made = inside
    if reshape:
        corners = turn @ [[0, 0, inside[0], inside[0]], [0, inside[1], 0, inside[1]]]
        made = (np.ptp(corners, axis=1) + 0.5).astype(int)
    matrix, offset = np.eye(input.ndim), np.zeros(input.ndim)
    matrix[np.ix_(plane, plane)] = turn
    offset[plane] = (inside - 1) / 2 - turn @ ((made - 1) / 2)
    shape = list(input.shape)
    for axis, n in zip(plane, made):
        shape[axis] = int(n)
    input, output = looked_up(input, output, shape)
    if output.size == 0:
        return output
    return by_matrix(look_up, input, output, matrix, offset, set(range(input.ndim)) - set(plane))


def _matrix_of(matrix, offset, ndim):
    """Returns matrix and offset as float64 arrays; takes the offset from a homogeneous matrix."""
    matrix = np.asarray(matrix, np.float64)
    if matrix.ndim not in (1, 2) or matrix.size == 0:
        raise Refused(f"matrix has the shape {matrix.shape}; give (axes, axes), with a row and a "
                      "column more at most, or (axes,)")
    if matrix.ndim == 2 and matrix.shape[1] == ndim + 1 and matrix.shape[0] in (ndim, ndim + 1):
        if matrix.shape[0] == ndim + 1 and (matrix[ndim] != [0] * ndim + [1]).any():
            raise ValueError(f"the last row of matrix is {matrix[ndim].tolist()}; for an affine "
                             "transform it is 0 ... 0 1")
        return matrix[:ndim, :ndim], matrix[:ndim, ndim]
    offset = np.asarray(one_each(offset, range(ndim), "offset"), np.float64)
    return matrix, offset


def _zoom_step(n, made, grid_mode):
    """Returns the distance of the coordinates of `made` elements over `n`."""
    if grid_mode:
        return n / made
    return (n - 1) / (made - 1) if made > 1 else 1.0


def _cosine_and_sine(degrees):
    """Exact for quarter turns; symmetric about 45 degrees."""
    def sine(angle):
        angle = math.fmod(angle, 360)
        sign = math.copysign(1, angle)
        angle = abs(angle)
        if angle >= 180:
            angle, sign = angle - 180, -sign
        angle = 180 - angle if angle > 90 else angle
        near = math.sin(math.radians(angle)) if angle <= 45 else math.cos(math.radians(90 - angle))
        return sign * near if angle else 0.0
    return sine(math.fmod(degrees, 360) + 90), sine(degrees)
