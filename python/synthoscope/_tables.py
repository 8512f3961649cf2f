# SPDX-License-Identifier: MIT
"""Tables with a line of names, as columns."""
from __future__ import annotations

import csv
import io

import numpy as np

from ._types import Array


def columns_of(text: str) -> dict[str, Array]:
    """A CSV text as a dictionary of arrays: of integers, of floats (NaN for empty cells), or of
    texts."""
    names, *rows = csv.reader(io.StringIO(text))
    return {name: _column([row[i] for row in rows]) for i, name in enumerate(names)}


def _column(cells: list[str]) -> Array:
    for dtype, missing in ((np.int64, None), (np.float64, "nan")):
        try:
            return np.array([cell or missing for cell in cells], dtype)
        except (TypeError, ValueError):
            continue
    return np.array(cells, str)
