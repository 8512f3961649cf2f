# SPDX-License-Identifier: MIT
"""Image, kernel and result of a call: names of files, or arrays that are read in pieces."""
from __future__ import annotations

import os
from typing import Any

import numpy as np

from ._parts import Psf
from ._types import Array
from ._voxels import as_read

Sliced = Any  # whatever has shape, dtype and slices

# Options that mean nothing to an array, and what they are unless given
OF_IMAGE_FILES = {"channel": None, "frame": None, "image_number": None, "axes": None}
OF_RESULT_FILES = {"overwrite": False, "format": "auto", "tiff_flavor": "ome",
                   "compression": "none", "chunks": None}


def named(given: Any) -> Any:
    """The name of a file as text; anything else unchanged."""
    return os.fspath(given) if isinstance(given, os.PathLike) else given


def kernel_of(given: Any, call: str, name: str) -> Any:
    """The name of a file as text; of anything else, its array (z, y, x) and the centre of a Psf."""
    if isinstance(given, (str, os.PathLike)):
        return os.fspath(given)
    voxels = as_read(np.asarray(given))
    if not 1 <= voxels.ndim <= 3:
        raise ValueError(f"{call} the {name}: its shape is {voxels.shape}; give 1 to 3 axes")
    center = given.center if isinstance(given, Psf) else None
    return voxels.reshape((1,) * (3 - voxels.ndim) + voxels.shape), center


def require_files(call: str, given: dict[str, Any], usual: dict[str, Any],
                  options: dict[str, Any]) -> None:
    """Raises ValueError if one of `given` is an array, and an option is not what it usually is."""
    others = [option for option, value in usual.items() if options[option] != value]
    for name, stack in given.items():
        if others and not isinstance(stack, str):
            raise ValueError(f"{call}: {others[0]} is for files, and the {name} is an array; leave "
                             "it out, or give a file's name")


def require_separate(call: str, given: dict[str, Any], result: Any) -> None:
    """Raises ValueError if the result shares voxels with one of `given`."""
    for name, stack in given.items():
        if _overlap(stack[0] if isinstance(stack, tuple) else stack, result):
            raise ValueError(f"{call}: the result shares voxels with the {name}, which the call "
                             "reads; give it a separate array or file")


def _overlap(given: Any, result: Any) -> bool:
    """Returns whether two arrays overlap in memory."""
    if isinstance(result, str):
        return False  # a file is new: the run looks for itself
    if given is result:
        return True
    if isinstance(given, np.ndarray) and isinstance(result, np.ndarray):
        return _overlap_in_memory(given, result) or _are_maps_of_one_file(given, result)
    if isinstance(given, str):
        return _file_of(result) is not None and _is_one_file(given, _file_of(result))
    # Data sets know each other, though every look into their file makes another object
    return _is_stored(given) and _is_stored(result) and bool(given == result)


def _overlap_in_memory(one: Array, other: Array) -> bool:
    try:
        return bool(np.shares_memory(one, other, max_work=100_000))
    except RuntimeError:  # too hard to tell
        return True


def _are_maps_of_one_file(one: Array, other: Array) -> bool:
    """Returns whether two memory maps are of the same file."""
    files = _file_of(one), _file_of(other)
    return None not in files and _map_of(one) is not _map_of(other) and _is_one_file(*files)


def _map_of(array: Any) -> Any:
    while isinstance(array, np.ndarray):
        array = array.base
    return array


def _file_of(array: Any) -> str | None:
    return getattr(array, "filename", None) if isinstance(array, np.memmap) else None


def _is_one_file(one: Any, other: Any) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:  # one is gone, or is the name of a data set
        return False


def _is_stored(array: Any) -> bool:
    return type(array).__module__.split(".")[0] in ("h5py", "zarr")
