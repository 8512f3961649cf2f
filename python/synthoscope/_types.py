# SPDX-License-Identifier: MIT
"""What the arguments are that many functions take, for those who check types."""
from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Union

from numpy.typing import NDArray

Array = NDArray[Any]
Axes = Union[int, Iterable[int], None]
Memory = Union[int, str, None]  # bytes, as 2**30 or "1G"; None: 70 % of what is free
