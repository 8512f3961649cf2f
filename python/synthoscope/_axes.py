# SPDX-License-Identifier: MIT
"""Chooses the axes of two arrays that are convolved together, and those that are looped over."""
import functools
import operator
from dataclasses import dataclass

_AT_ONCE = 3  # axes that the library convolves along


def wanted_axes(axes, ndim):
    """Returns the axes to convolve along, as a frozenset of numbers from 0; all if `axes` is None.

    Raises ValueError if one is not a whole number, is outside the arrays or is named twice.
    """
    if axes is None:
        return frozenset(range(ndim))
    try:
        given = [operator.index(axis) for axis in (axes if hasattr(axes, "__iter__") else [axes])]
    except TypeError:
        raise ValueError(f"axes is {axes!r}; give a whole number or several") from None
    if not given:
        raise ValueError("axes is empty; leave it out to convolve along all")
    if outside := [axis for axis in given if not -ndim <= axis < ndim]:
        raise ValueError(f"axes names {outside[0]}, but the arrays have {ndim} axes; "
                         f"use {-ndim} to {ndim - 1}")
    chosen = frozenset(axis % ndim for axis in given)
    if len(chosen) < len(given):
        raise ValueError(f"axes is {axes!r}, which names an axis twice; name each once")
    return chosen


@dataclass(frozen=True)
class Cut:
    """How a convolution of two arrays of n axes is divided into convolutions of volumes.

    If one of the arrays has a single element along an axis, convolving and broadcasting are the
    same. So an axis is looped over only if both arrays are longer and it is not convolved, if mode
    'valid' meets an image of length 1 and a longer kernel, or if more than 3 axes are left.
    """

    image: tuple  # shapes
    kernel: tuple
    result: tuple
    looped: tuple  # axes that are looped over
    volumes: tuple  # (z, y, x) of image, kernel and result at one step of the loop

    def places(self, index):
        """Returns the slices of image, kernel and result in one step of the loop."""
        image, kernel, result = ([slice(None)] * len(self.result) for _ in range(3))
        for axis, at in zip(self.looped, index):
            n, m, length = self.image[axis], self.kernel[axis], self.result[axis]
            result[axis] = slice(at, at + 1)
            image[axis] = slice(0, 1) if n == 1 else result[axis]
            # Of results under a long kernel, `same` wants the middle one
            first = 0 if m == 1 else at if length == m else (m - 1) // 2
            kernel[axis] = slice(first, first + 1)
        return tuple(image), tuple(kernel), tuple(result)


@functools.lru_cache(maxsize=256)
def convolved_axes(image, kernel, axes):
    """Returns those of `axes` along which both shapes are longer than 1, ascending.

    Raises ValueError if the shapes differ along another axis.
    """
    joint = tuple(axis for axis in sorted(axes) if image[axis] > 1 and kernel[axis] > 1)
    for axis, (n, m) in enumerate(zip(image, kernel)):
        if axis not in joint and n != m and 1 not in (n, m):
            raise ValueError(f"the arrays have {n} and {m} elements along axis {axis}, which is "
                             "not convolved; give equal numbers, or 1 in one of them")
    return joint


def length_of(mode, n, m):
    """Returns the length of a convolution of `n` and `m` elements."""
    return {"full": n + m - 1, "same": n, "valid": n - m + 1}[mode]


def beyond(image, kernel, joint):
    """Returns the axis of `joint` with the least work if there is one too many; otherwise None."""
    if len(joint) <= _AT_ONCE:
        return None
    return min(joint, key=lambda axis: image[axis] * kernel[axis])


@functools.lru_cache(maxsize=256)
def cut(image, kernel, mode, joint):
    """Returns the Cut of two shapes for a mode, along at most 3 axes `joint`."""
    def length(axis, n, m):
        if axis in joint or mode == "same":
            return length_of(mode, n, m)
        return max(n, m)

    lengths = list(enumerate(zip(image, kernel)))
    result = tuple(length(axis, n, m) for axis, (n, m) in lengths)
    looped = {axis for axis, (n, m) in lengths
              if axis not in joint and m > 1 and (n > 1 or mode == "valid")}
    others = [axis for axis, pair in lengths
              if pair != (1, 1) and axis not in joint and axis not in looped]
    looped.update(others[:max(0, len(joint) + len(others) - _AT_ONCE)])
    kept = [axis for axis, pair in lengths if axis not in looped and pair != (1, 1)]

    def volume(shape):
        return (1,) * (_AT_ONCE - len(kept)) + tuple(shape[axis] for axis in kept)

    return Cut(image, kernel, result, tuple(sorted(looped)),
               (volume(image), volume(kernel), volume(result)))
