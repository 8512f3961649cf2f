# SPDX-License-Identifier: MIT
"""Visual words learned from samples or from folders of images."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ._types import Array

Bank = Literal["lm", "schmid", "mr8", "invariants"]
Distance = Literal["euclidean", "chi-square", "intersection"]


@dataclass(frozen=True, eq=False)
class Words:
    """Visual words. ``np.asarray(words)`` is the array of words."""

    centroids: Array  #: float32 (words, features)
    sizes: Array  #: int64 (words,): samples that each word is nearest to
    inertia: float  #: squared distances of all samples from their words, summed up
    iterations: int
    converged: bool  #: whether words came to rest within the iterations that were allowed

    def __repr__(self) -> str:
        words, features = self.centroids.shape
        return f"<{words} words of {features} features, inertia {self.inertia:.6g}>"

    def __array__(self, dtype: object = None, copy: bool | None = None) -> Array:
        array = np.asarray(self.centroids, dtype=dtype)  # type: ignore[arg-type]
        return array.copy() if copy and array is self.centroids else array
