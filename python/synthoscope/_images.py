# SPDX-License-Identifier: MIT
"""Images that a caller gives: names of files, or arrays."""
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Union

import numpy as np

from ._types import Array, Path

Images = Union[Path, Array, Sequence[Union[Path, Array]]]
_AXES = 3


def listed(images: Images | None, what: str) -> list[Any]:
    """Names and arrays (z, y, x) of a type that the library reads.

    ``what`` names them in messages, such as ``"compare real"``.
    """
    if images is None:
        return []
    if isinstance(images, (str, os.PathLike, np.ndarray)):
        images = [images]
    return [_image(image, what) for image in images]


def _image(image: Path | Array, what: str) -> Any:
    if isinstance(image, (str, os.PathLike)):
        return os.fspath(image)
    array = np.asarray(image)
    if array.ndim not in (2, _AXES) or array.size == 0:
        raise ValueError(f"{what}: the shape of an image is {array.shape}; give (z, y, x) or "
                         "(y, x)")
    if array.dtype == bool:
        array = array.astype(np.uint8)
    if array.dtype in (np.int64, np.uint64, np.float16):
        array = array.astype(np.float64)  # exact for grey levels, and for labels up to 2^53
    array = np.ascontiguousarray(array)
    return array.reshape((1,) * (_AXES - array.ndim) + array.shape)
