# SPDX-License-Identifier: MIT
"""Types of common arguments, for type checkers."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar, Union

from numpy.typing import DTypeLike, NDArray

Array = NDArray[Any]
Axes = Union[int, Iterable[int], None]
Keys = Mapping[str, Any]  # a scene or a camera: tables of keys, in tables
Memory = Union[int, str, None]  # bytes, as 2**30 or "1G"; None: 70 % of what is free
Path = Union[str, "os.PathLike[str]"]
Progress = Union[Callable[[int, int, str], object], None]  # of done, total and stage
Triple = tuple[float, float, float]  # along z, y, x

# Of synthoscope.ndimage
Outside = Literal["reflect", "mirror", "nearest", "wrap", "constant", "grid-mirror", "grid-wrap",
                  "grid-constant"]
Output = Union[Array, DTypeLike]  # where a result is written, or its type
_T = TypeVar("_T")
OneOrEach = Union[_T, Sequence[_T]]
