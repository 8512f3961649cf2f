# SPDX-License-Identifier: MIT
"""Functions of synthoscope.ndimage for arrays on a GPU."""
import functools
import math
from dataclasses import dataclass

import numpy as np

from . import _core

_AT_ONCE = 3  # axes of a volume


@dataclass(frozen=True)
class MadeThere:
    """Shape and type of a result on a GPU that does not exist yet."""

    shape: tuple
    dtype: np.dtype

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        return math.prod(self.shape)


def made_there(output, input, shape):
    """Returns shape and type of a result on a GPU. Raises ValueError if only the host makes it."""
    is_array = isinstance(output, np.ndarray) or hasattr(output, "__dlpack__")
    if is_array and not isinstance(output, type):
        raise ValueError("output is an array and the input lies on a GPU; give a type, such as "
                         "'float32', or leave it out")
    if 0 in input.shape + tuple(shape) or not shape:
        raise ValueError("input or result have no element, or no axis; copy the array to the host")
    return MadeThere(tuple(shape), input.dtype if output is None else _dtype_of(output))


def _dtype_of(output):
    """Returns the dtype of a numpy type, its name, a Python type or a torch type."""
    if str(output).startswith("torch."):
        return np.dtype(str(output).removeprefix("torch."))
    return np.dtype(output)


@functools.lru_cache(maxsize=16)
def _name_of(dtype):
    return dtype.name  # which numpy composes each time


def correlate_there(input, made, weights, centre, mode, cval):
    """Correlates an input of at most 3 axes with weights of as many axes."""
    if input.ndim > _AT_ONCE:
        raise ValueError(f"input has {input.ndim} axes and lies on a GPU, where {_AT_ONCE} at most "
                         "are correlated; filter parts of it, or copy it to the host")
    _require_real(weights, cval)
    _require_zero(mode, cval)
    missing = _AT_ONCE - input.ndim
    result = _core.correlate_on_gpu(
        input.volume(_three(input.shape)),
        np.ascontiguousarray(weights, np.float64).reshape(_three(weights.shape)),
        [0] * missing + list(centre), mode, _name_of(made.dtype))
    return input.like(result, made.shape)


def correlate_axes_there(input, made, passes, cval):
    """Correlates along several axes: `passes` lists (axis, weights, origin, mode), with the
    library's names of modes. Filters all axes at once if there are at most 3, of the same mode."""
    for _, weights, _, mode in passes:
        _require_real(weights, cval)
        _require_zero(mode, cval)
    passes = passes or [(0, [1.0], 0, "reflect")]
    modes = {mode for *_, mode in passes}
    if input.ndim <= _AT_ONCE and len(modes) == 1:
        return input.like(_all_axes(input, made, passes, *modes), made.shape)
    there = input
    for number, (axis, weights, origin, mode) in enumerate(passes, 1):
        shape = (math.prod(input.shape[:axis]), input.shape[axis],
                 math.prod(input.shape[axis + 1:]))
        dtype = _name_of(made.dtype) if number == len(passes) else "float32"
        result = _core.correlate_axes_on_gpu(
            there.volume(shape), [1.0], np.asarray(weights, np.float64).tolist(), [1.0],
            [0, len(weights) // 2 + origin, 0], mode, dtype)
        there = type(input)(input.like(result, made.shape))
    return there.volume(made.shape)


def _all_axes(input, made, passes, mode):
    weights, centre = [[1.0]] * _AT_ONCE, [0] * _AT_ONCE
    for axis, along, origin, _ in passes:
        at = _AT_ONCE - input.ndim + axis
        weights[at], centre[at] = np.asarray(along, np.float64).tolist(), len(along) // 2 + origin
    return _core.correlate_axes_on_gpu(input.volume(_three(input.shape)), *weights, centre, mode,
                                       _name_of(made.dtype))


def look_up_there(look_up, input, made, matrix, offset):
    """Interpolates at matrix o + offset.

    matrix : list of rows, one for each axis of the input, of numbers for the axes of the result.
    """
    if max(input.ndim, made.ndim) > _AT_ONCE:
        raise ValueError(f"input has {input.ndim} axes and lies on a GPU, where images of "
                         f"{_AT_ONCE} at most are looked up; copy it to the host")
    if not look_up.keeps_voxels:
        raise ValueError("prefilter is False and the input lies on a GPU, where splines are "
                         "always fitted; copy it to the host")
    _require_real(look_up.cval)
    ones = _AT_ONCE - input.ndim
    if input.ndim == made.ndim:  # planes are not mixed
        rows = [[1.0 if axis == other else 0.0 for other in range(_AT_ONCE)] + [0.0]
                for axis in range(ones)]
    else:
        rows = [[0.0] * (_AT_ONCE + 1)] * ones
    before = [0.0] * (_AT_ONCE - made.ndim)
    rows += [[*before, *along, float(at)] for along, at in zip(matrix, offset)]
    result = _core.look_up_affine_on_gpu(
        input.volume(_three(input.shape)), rows, _three(made.shape), look_up.order,
        look_up.outside, float(look_up.cval), _name_of(made.dtype))
    return input.like(result, made.shape)


def mean_and_variance_there(input, window, sizes, mode):
    """Returns the means and the variances of all windows, arrays of shape (windows, ...)."""
    results = _core.local_statistics_on_gpu(input.volume(_three(input.shape)), window, sizes, mode)
    return input.stacked(results[::2], input.shape), input.stacked(results[1::2], input.shape)


def _three(shape):
    return [1] * (_AT_ONCE - len(shape)) + list(shape)


def _require_real(*values):
    if any(map(np.iscomplexobj, values)):
        raise ValueError("weights or cval are complex and the input lies on a GPU; give real ones, "
                         "or copy it to the host")


def _require_zero(mode, cval):
    if mode == "zero" and cval != 0:
        raise ValueError(f"cval is {cval} and the input lies on a GPU, where filters have 0 "
                         "outside; use 0, or copy it to the host")
