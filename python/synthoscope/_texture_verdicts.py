# SPDX-License-Identifier: MIT
"""The classes of images, and how often they are correct."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from . import _core


@dataclass(frozen=True)
class Nearest:
    """A class, and its nearest texture."""

    class_name: str
    distance: float
    image: str  #: of the model, which has that texture


@dataclass(frozen=True)
class Verdict:
    """The class of an image."""

    image: str  #: its name; ``images[0]`` and so on for arrays
    known: str | None  #: its class, where it lies in a folder of classes
    ranking: list[Nearest]  #: of all classes, that of the image first
    margin: float  #: how much farther the next class is, over its distance: 0 for as near, to 1
    votes: dict[str, int]  #: how many patches are taken for which class
    patches: int  #: of the image; 1 for a model of whole images

    @property
    def class_name(self) -> str:
        """The class of most patches; for equal numbers, the one with smaller distances."""
        return self.ranking[0].class_name

    @property
    def distance(self) -> float:
        """The distance to the nearest texture of that class."""
        return self.ranking[0].distance


def accuracy(verdicts: Sequence[Verdict]) -> tuple[float, tuple[float, float]]:
    """Compute the share of images of known classes that are classified correctly.

    Parameters
    ----------
    verdicts : sequence of Verdict
        From `Model.classify` with `classes`; others are ignored.

    Returns
    -------
    share : float
        From 0 to 1; NaN if no class is known.
    interval : tuple of float
        Wilson's interval of 95 % around it.

    Notes
    -----
    Wilson, J. Am. Stat. Assoc. 22 (1927) 209, doi:10.1080/01621459.1927.10502953.
    """
    asked = [verdict for verdict in verdicts if verdict.known is not None]
    right = sum(verdict.known == verdict.class_name for verdict in asked)
    return (right / len(asked) if asked else float("nan"),
            _core.wilson_interval(right, len(asked)))
