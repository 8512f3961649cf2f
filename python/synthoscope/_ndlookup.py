# SPDX-License-Identifier: MIT
"""Common code of the functions of synthoscope.ndimage that interpolate an image."""
import math
from dataclasses import dataclass

import numpy as np

from . import _core
from ._gpu import OnGpu, taken
from ._ndarguments import (LOOK_UP_MODES, Refused, Result, as_array, fill_value, mode_in, output_of,
                           resources, spline_order)
from ._ndgpu import look_up_there

_AT_ONCE = 3  # axes that the library interpolates along
_STAYS = np.empty(0)  # stands for the coordinates of an axis that is not interpolated
_FEW_ELEMENTS = 32


@dataclass
class LookUp:
    """How an image is interpolated: the common arguments of these functions."""

    order: int
    mode: str
    cval: complex
    prefilter: bool
    workers: int | None
    memory: int | str | None

    def __post_init__(self):
        self.order = spline_order(self.order)
        self.outside = mode_in(LOOK_UP_MODES, self.mode)

    @property
    def keeps_voxels(self):
        """Whether interpolation at a whole coordinate returns the voxel itself."""
        return self.order < 2 or self.prefilter

    def by_parts(self, call, input, output):
        """Calls `call(input, output, cval)`; for complex arrays, once for each part."""
        if input.dtype.kind != "c":
            call(input, output, self.cval)
        else:
            call(input.real, output.real, np.real(self.cval))
            call(input.imag, output.imag, np.imag(self.cval))
        return output

    def arguments(self, cval, result):
        """Returns the arguments of the library's functions after arrays and coordinates."""
        return (self.order, self.outside, fill_value(cval), bool(self.prefilter), result.whole,
                *resources(self.workers, self.memory))


def looked_up(input, output, shape):
    """Returns input and output as arrays. Raises ValueError if either has no axis."""
    input = taken(input)
    if input.ndim < 1 or len(shape) < 1:
        raise Refused("look up an image without axes; give input and result one or more")
    return input, output_of(output, input, shape, is_complex=input.dtype.kind == "c")


def by_axes(look_up, input, output, coordinates, steps):
    """Interpolates at all combinations of the coordinates of each axis.

    coordinates : function of an axis and a number, which returns so many coordinates.
    steps : the distance of neighbouring coordinates along each axis.
    """
    if isinstance(input, OnGpu):
        axes = range(input.ndim)
        matrix = [[float(step) if axis == other else 0.0 for other in axes]
                  for axis, step in enumerate(steps)]
        return look_up_there(look_up, input, output, matrix,
                             [coordinates(axis, 1)[0] for axis in axes])
    coordinates = [coordinates(axis, count) for axis, count in enumerate(output.shape)]
    kept = [axis for axis, at in enumerate(coordinates) if look_up.keeps_voxels
            and len(at) == input.shape[axis] and (at == np.arange(len(at))).all()]
    kept = _but_one(kept, input, output)
    groups = _groups(input.shape, kept)
    if len(groups) <= _AT_ONCE:
        return _by_groups(look_up, input, output, coordinates, groups, kept)
    moved = [np.asarray(at, np.float64) for axis, at in enumerate(coordinates) if axis not in kept]

    def call(input, output, cval):
        def look(source, result, stored):
            at = [_STAYS] * (_AT_ONCE - len(moved)) + moved
            _core.look_up_axes(source, result, *at, *look_up.arguments(cval, stored))
        _look_up_volumes(input, output, kept, look)
    return look_up.by_parts(call, input, output)


def _groups(shape, kept):
    """Returns the axes in groups; adjacent axes that are not interpolated form one. If the last
    group is not interpolated and short, returns more groups than the library supports, so that the
    caller moves it to the front: rows of few elements are slow.
    """
    groups = []
    for axis in range(len(shape)):
        if axis in kept and groups and groups[-1][-1] in kept:
            groups[-1].append(axis)
        else:
            groups.append([axis])
    is_short = (groups[-1][-1] in kept
                and math.prod(shape[axis] for axis in groups[-1]) < _FEW_ELEMENTS)
    return groups + [[]] * _AT_ONCE if is_short else groups


def _by_groups(look_up, input, output, coordinates, groups, kept):
    """Interpolates without moving axes."""
    if len(kept) == input.ndim:
        output[...] = input
        return output
    at = [_STAYS if group[0] in kept else np.asarray(coordinates[group[0]], np.float64)
          for group in groups]
    ones = _AT_ONCE - len(groups)

    def joined(array):
        return array.reshape([1] * ones + [math.prod(array.shape[axis] for axis in group)
                                           for group in groups])

    def call(input, output, cval):
        stored = Result(output, input, clips=True)
        _core.look_up_axes(joined(as_array(input)), joined(stored.array), *[_STAYS] * ones, *at,
                           *look_up.arguments(cval, stored))
        stored.finish()
    return look_up.by_parts(call, input, output)


def by_matrix(look_up, input, output, matrix, offset, apart=()):
    """Interpolates at matrix o + offset: a row for each axis of the input, a column for each of the
    output.

    apart : axes that are never interpolated, not even by a spline that does not keep voxels.
    """
    if isinstance(input, OnGpu):
        return look_up_there(look_up, input, output, matrix.tolist(), offset)
    rows, columns = matrix.shape
    unit = np.eye(rows)
    kept = [i for i in range(rows) if (i in apart or look_up.keeps_voxels)
            and rows == columns and input.shape[i] == output.shape[i] and offset[i] == 0
            and (matrix[i] == unit[i]).all() and (matrix[:, i] == unit[i]).all()]
    kept = _but_one(kept, input, output)
    moved = [i for i in range(rows) if i not in kept]
    if kept:
        matrix, offset = matrix[np.ix_(moved, moved)], offset[moved]
    if max(matrix.shape, default=0) > _AT_ONCE:
        raise ValueError(f"matrix turns {max(matrix.shape)} axes into each other; synthoscope "
                         f"looks up along {_AT_ONCE} at most")

    def call(input, output, cval):
        def look(source, result, stored):
            stays = [rows == columns and _AT_ONCE - len(moved) > axis for axis in range(2)]
            _core.look_up_affine(source, result, _of_three(matrix, offset), stays,
                                 *look_up.arguments(cval, stored))
        if rows == columns:
            _look_up_volumes(input, output, kept, look)
        else:
            _look_up_whole(input, output, look)
    return look_up.by_parts(call, input, output)


def at_coordinates(look_up, input, output, coordinates):
    """Interpolates at coordinates (axes, ...)."""
    if isinstance(input, OnGpu):
        raise ValueError("input lies on a GPU, where images are only looked up by a matrix; use "
                         "affine_transform, or copy it to the host")
    if input.ndim > _AT_ONCE:
        raise ValueError(f"input has {input.ndim} axes; synthoscope looks up along {_AT_ONCE} at "
                         "most")
    at = np.ascontiguousarray(coordinates, np.float64).reshape(input.ndim, 1, -1)

    def call(input, output, cval):
        result = Result(output, input, clips=True)
        source = as_array(input)
        _core.look_up_at(source.reshape(_three(source.shape)), result.array.reshape(1, 1, -1), at,
                         *look_up.arguments(cval, result))
        result.finish()
    if output.size == 0:
        return output
    return look_up.by_parts(call, input, output)


def _three(shape):
    return [1] * (_AT_ONCE - len(shape)) + list(shape)


def _of_three(matrix, offset):
    """Returns a 3x4 matrix of rows (z, y, x, 1) from a matrix of fewer axes."""
    whole = np.zeros((_AT_ONCE, _AT_ONCE + 1))
    rows, columns = matrix.shape
    whole[_AT_ONCE - rows:, _AT_ONCE - columns:_AT_ONCE] = matrix
    whole[_AT_ONCE - rows:, _AT_ONCE] = offset
    return whole.tolist()


def _but_one(kept, input, output):
    """Interpolates one axis if types differ, so that values are rounded as by interpolation."""
    return kept[:-1] if len(kept) == input.ndim and input.dtype != output.dtype else kept


def _look_up_volumes(input, output, kept, look):
    """Moves axes that are not interpolated to the front, and calls `look(source, result, stored)`
    with volumes whose last axes are interpolated."""
    moved = [axis for axis in range(input.ndim) if axis not in kept]
    if len(moved) > _AT_ONCE:
        raise ValueError(f"{len(moved)} axes are shifted, scaled or turned; synthoscope looks up "
                         f"along {_AT_ONCE} at most")
    if not moved:
        output[...] = input
        return
    stored = Result(output.transpose(kept + moved), input, clips=True)
    source = np.ascontiguousarray(as_array(input).transpose(kept + moved))
    ones = [1] * (_AT_ONCE - 1 - len(moved))

    def volumes(array):
        return array.reshape(*ones, -1, *array.shape[len(kept):])
    if len(moved) < _AT_ONCE:
        look(volumes(source), volumes(stored.array), stored)
    else:
        for one, its_result in zip(volumes(source), volumes(stored.array)):
            look(one, its_result, stored)
    stored.finish()


def _look_up_whole(input, output, look):
    """Interpolates if the result has another number of axes."""
    stored = Result(output, input, clips=True)
    source = as_array(input)
    look(source.reshape(_three(source.shape)), stored.array.reshape(_three(output.shape)), stored)
    stored.finish()
