# SPDX-License-Identifier: MIT
"""Convolves real or complex arrays of any number of axes, as convolutions of real volumes."""
import numpy as np

from . import _core
from ._axes import beyond, cut, length_of
from ._voxels import as_read


def convolve_arrays(in1, in2, dtype, mode, joint, how):
    """Returns a new array of `dtype`. `how`: method, workers and memory."""
    if dtype.kind != "c":
        return _convolve_real(in1, in2, dtype, mode, joint, how)
    result = None
    for i, part1 in enumerate(_parts(in1)):
        for j, part2 in enumerate(_parts(in2)):
            product = _convolve_real(part1, part2, _real(dtype), mode, joint, how)
            if result is None:
                result = np.zeros(product.shape, dtype)
            if i + j == 1:
                result.imag += product
            else:
                result.real += product if i + j == 0 else -product
    return result


def _real(dtype):
    return np.dtype(np.float32 if dtype.itemsize == 8 else np.float64)


def _parts(array):
    """Returns the real part, and the imaginary part if `array` is complex."""
    return [array.real, array.imag] if array.dtype.kind == "c" else [array]


def _convolve_real(in1, in2, dtype, mode, joint, how):
    extra = beyond(in1.shape, in2.shape, joint)
    if extra is not None:
        return _summed_along(extra, in1, in2, dtype, mode, joint, how)
    layout = cut(in1.shape, in2.shape, mode, joint)
    in1, in2, result = as_read(in1), as_read(in2), np.empty(layout.result, dtype)
    volume1, volume2, volume = layout.volumes
    if not layout.looped:
        _core.convolve(in1.reshape(volume1), in2.reshape(volume2), result.reshape(volume), mode,
                       *how)
        return result
    for index in np.ndindex(*(layout.result[axis] for axis in layout.looped)):
        image, kernel, place = layout.places(index)
        one = np.ascontiguousarray(result[place])  # a copy where a looped axis lies within
        _core.convolve(np.ascontiguousarray(in1[image]).reshape(volume1),
                       np.ascontiguousarray(in2[kernel]).reshape(volume2), one.reshape(volume),
                       mode, *how)
        if not np.shares_memory(one, result):
            result[place] = one
    return result


def _summed_along(axis, in1, in2, dtype, mode, joint, how):
    """Convolves along one axis too many: adds convolutions along the other axes."""
    n, m = in1.shape[axis], in2.shape[axis]
    others = tuple(other for other in joint if other != axis)
    first = {"full": 0, "same": (m - 1) // 2, "valid": m - 1}[mode]

    def at(array, i):
        return array[(slice(None),) * axis + (slice(i, i + 1),)]

    planes = []
    for i in range(first, first + length_of(mode, n, m)):
        plane = None
        for j in range(max(0, i - n + 1), min(m, i + 1)):
            one = _convolve_real(at(in1, i - j), at(in2, j), dtype, mode, others, how)
            plane = one if plane is None else np.add(plane, one, out=plane)
        planes.append(plane)
    return np.concatenate(planes, axis)
