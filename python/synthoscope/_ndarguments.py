# SPDX-License-Identifier: MIT
"""Common arguments of the functions of synthoscope.ndimage: modes, sequences, outputs, axes."""
import functools
import math
import operator
import warnings
from collections.abc import Iterable

import numpy as np

from ._gpu import OnGpu
from ._ndgpu import made_there
from ._parts import as_memory, as_workers
from ._voxels import STORED, as_read, precision_of

# Boundary modes of filters and of interpolation: scipy's names and the library's.
FILTER_MODES = {"reflect": "reflect", "grid-mirror": "reflect", "mirror": "mirror",
                "nearest": "nearest", "wrap": "wrap", "grid-wrap": "wrap",
                "constant": "zero", "grid-constant": "zero"}
LOOK_UP_MODES = {"constant": "zero", "grid-constant": "grid-constant", "nearest": "nearest",
                 "reflect": "reflect", "grid-mirror": "reflect", "mirror": "mirror",
                 "wrap": "scipy-wrap", "grid-wrap": "wrap"}


class Refused(ValueError, RuntimeError):
    """A wrong argument. It is both a ValueError and a RuntimeError, because callers of
    scipy.ndimage may catch either."""


def mode_in(modes, mode):
    """Returns the library's name of a mode. Raises ValueError if `modes` does not have it."""
    if not isinstance(mode, str) or mode not in modes:
        raise Refused(f"mode is {mode!r}; use one of {', '.join(map(repr, modes))}")
    return modes[mode]


def one_each(value, axes, name):
    """Returns a list with a value for each of `axes`, from one value or such a sequence."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        return [value] * len(axes)
    values = list(value)
    if len(values) != len(axes):
        raise Refused(f"{name} has {len(values)} values for {len(axes)} axes; give one, or one "
                      "for each axis")
    return values


def whole_number(value, name):
    """Returns `value` as an int. Raises TypeError for any float."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is {value!r}; give a whole number") from None


def spline_order(order, least=0):
    """Returns the order of a spline. Raises ValueError if it is not `least` to 5."""
    number = whole_number(order, "order")
    if not least <= number <= 5:
        raise Refused(f"order is {number}; use {least} to 5")
    return number


def fill_value(cval):
    """Returns the value outside a real input. Raises TypeError if it is not a real number."""
    try:
        return math.ldexp(cval, 0)  # float(cval), but refuses text
    except (TypeError, ValueError):
        raise TypeError(f"cval is {cval!r}; give a number, a real one for reals") from None


def axis_number(axis, ndim):
    """Returns `axis` as a number from 0. Raises ValueError if the array does not have it."""
    try:
        number = operator.index(axis)
    except TypeError:
        raise ValueError(f"an axis is {axis!r}; give a whole number") from None
    if not -ndim <= number < ndim:
        raise np.AxisError(number, ndim)
    return number % ndim


def axes_of(axes, ndim):
    """Returns the given axes, or all, as numbers from 0, in the given order."""
    if axes is None:
        return list(range(ndim))
    numbers = [axis_number(axis, ndim) for axis in (axes if isinstance(axes, Iterable) else [axes])]
    if len(set(numbers)) < len(numbers):
        raise ValueError(f"axes is {axes!r}, which names an axis twice; name each once")
    return numbers


def output_of(output, input, shape=None, is_complex=False):
    """Returns the array to write to: `output` itself, or a new one of the type that it names or of
    the input's type. For an input on a GPU, returns a MadeThere.

    Raises ValueError for an array of another shape, or a real one for complex results.
    """
    shape = input.shape if shape is None else tuple(shape)
    if isinstance(input, OnGpu):
        return made_there(output, input, shape)
    if isinstance(output, np.ndarray):
        if output.shape != shape:
            raise Refused(f"output has the shape {output.shape}, the result {shape}; give an array "
                          "of the result's shape, or a type")
        if is_complex and output.dtype.kind != "c":
            raise Refused(f"output is of type {output.dtype}, the result is complex; give an array "
                          "of complex numbers")
        return output
    dtype = input.dtype.newbyteorder("=") if output is None else np.dtype(output)
    if is_complex and dtype.kind != "c":
        if isinstance(output, str):
            raise Refused(f"output is {output!r}, the result is complex; name a complex type")
        if output is not None:
            warnings.warn("promoting specified output dtype to complex", stacklevel=4)
        dtype = np.promote_types(dtype, np.complex64)
    return np.empty(shape, dtype)


class Result:
    """The array that the library writes, which is then converted to the caller's array.

    Parameters
    ----------
    output : the caller's array.
    read : an array that is read at the same time; if `output` overlaps it, `output` is written only
        at the end.
    clips : whether integers are rounded and clipped, as in interpolation; otherwise they are
        truncated towards zero and wrap around.

    Attributes
    ----------
    array : ndarray in C order, of a type that the library stores; the caller's array if possible.
    whole : whether values are whole numbers although `array` has fractions.
    """

    def __init__(self, output, read=None, clips=False):
        dtype = output.dtype
        self.output, self.clips = output, clips
        self.whole = dtype.kind in "iu" and dtype.itemsize == 8
        made = np.dtype(np.float64) if clips and dtype.kind == "b" else _made_in(dtype)
        is_own = (made == dtype and output.flags.carray
                  and (read is None or not np.may_share_memory(output, read)))
        self.array = output if is_own else np.empty(output.shape, made)

    def carried_on(self):
        """Returns the input of the next pass; negative values of unsigned types wrapped around."""
        if self.whole and self.output.dtype.kind == "u" and (self.array < 0).any():
            return as_read(self.finish())
        return self.array

    def finish(self):
        """Converts the result to the caller's type. Returns the caller's array."""
        if self.array is self.output:
            return self.output
        if self.output.dtype.kind == "b":
            # Truncates towards zero, with a tolerance for the rounding of weights whose sum is 1
            self.output[...] = np.abs(self.array) > 1 - 1e-9 if self.clips else self.array
        elif self.whole:
            _store_whole(self.array, self.output, self.clips)
        else:
            self.output[...] = self.array
        return self.output


def _store_whole(values, output, clips):
    """Stores doubles without fractions as 64-bit integers."""
    limits, is_signed = np.iinfo(output.dtype), output.dtype.kind == "i"
    high = values >= float(limits.max)  # the nearest double is one more
    low = values < limits.min
    output[...] = np.where(high | low, 0, values)
    output[high] = limits.max if clips or not is_signed else limits.min
    output[low] = (limits.min if clips or is_signed
                   else values[low].astype(np.int64).astype(np.uint64))


@functools.lru_cache(maxsize=64)
def _made_in(dtype):
    native = dtype.newbyteorder("=")
    if native in STORED:
        return native
    if dtype.kind == "b":
        return np.dtype(np.uint8)
    if dtype.kind in "iuf":
        return np.dtype(np.float32 if dtype == np.float16 else np.float64)
    raise ValueError(f"output is of type {dtype}; use integers, or real or complex numbers")


def same_memory(one, other):
    """Returns whether two arrays are the same elements in the same order."""
    return one is other or (np.may_share_memory(one, other)
                            and one.__array_interface__ == other.__array_interface__)


def as_array(input):
    """Returns an array of a type that the library reads; a copy if it must be converted.

    Raises ValueError unless elements are numbers of at most double precision.
    """
    if precision_of(input.dtype) is None:
        raise ValueError(f"the elements are {input.dtype}; use integers, or real or complex "
                         "numbers of single or double precision")
    return as_read(input)


def resources(workers, memory):
    """Returns threads and bytes for the library. Raises TypeError or ValueError if wrong."""
    return as_workers(workers), as_memory(memory)
