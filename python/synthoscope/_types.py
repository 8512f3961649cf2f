# SPDX-License-Identifier: MIT
"""What the arguments are that many functions take, for those who check types."""
from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Union

from numpy.typing import NDArray

Array = NDArray[Any]
Axes = Union[int, Iterable[int], None]
Keys = Mapping[str, Any]  # a scene or a camera: tables of keys, in tables
Memory = Union[int, str, None]  # bytes, as 2**30 or "1G"; None: 70 % of what is free
Path = Union[str, "os.PathLike[str]"]
Progress = Union[Callable[[int, int, str], object], None]  # of done, total and stage
Triple = tuple[float, float, float]  # along z, y, x
