# SPDX-License-Identifier: MIT
"""The results of the phases of a simulation, each with its position."""
from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._types import Array, Memory, Triple


def as_memory(memory: Memory) -> str | None:
    """Returns a memory limit, in bytes or as text such as "2G", for the library."""
    return None if memory is None else str(memory)


def as_workers(workers: int | None) -> int | None:
    """Returns the number of threads for the library."""
    if workers is None:
        return None
    try:
        number = operator.index(workers)
    except TypeError:
        raise TypeError(f"workers is {workers!r}; give a whole number of threads") from None
    if not -2**31 <= number < 2**31:  # others the library refuses itself
        raise ValueError(f"workers is {number}; give 1 thread or more, as many as a machine starts")
    return number


@dataclass(frozen=True, eq=False)
class Phantom:
    """The objects of a frame, before any optics."""

    light: Array  #: float32 (z, y, x): photons that leave each voxel of the sample, which is the
    #: grid and its margin, in one exposure
    labels: Array  #: uint16 (z, y, x): the object in each voxel, 0 for none
    spacing_um: Triple  #: of voxels (z, y, x), in micrometres

    def __repr__(self) -> str:
        return f"<Phantom of {self.light.shape} voxels of {self.spacing_um} um>"


@dataclass(frozen=True, eq=False)
class Psf:
    """A point spread function. ``np.asarray(psf)`` is its array."""

    array: Array  #: float32 (z, y, x); in wide field, planes have a sum of 1, less light outside
    center: tuple[int, int, int]  #: index (z, y, x) of the voxel that holds the point
    spacing_um: Triple  #: of voxels (z, y, x), in micrometres
    origin_um: float  #: z of the centre plane, in micrometres from the nominal focus
    focus_um: float  #: z of the brightest plane, likewise

    def __repr__(self) -> str:
        return f"<Psf of {self.array.shape} voxels of {self.spacing_um} um>"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        array = np.asarray(self.array, dtype=dtype)
        return array.copy() if copy and array is self.array else array
