# SPDX-License-Identifier: MIT
"""How alike real and synthetic images are, and what gives the synthetic ones away."""
from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Literal

from . import _core
from ._images import Images, listed
from ._texture_models import resources_of
from ._types import Memory, Progress, Triple

Where = Literal["inside", "edge", "all"]


@dataclass(frozen=True)
class Measure:
    """A measure of the real set, beside that of synthetic images taken as if they were real."""

    value: float | None  #: None: too few patches to learn from
    null: list[float]  #: of the synthetic images
    place: str  #: "inside" or "above" the null's range of 95 %, or "open": too few for a verdict
    null_low: float | None = None  #: 2.5 % quantile of the null
    null_high: float | None = None  #: 97.5 %
    null_below: int | None = None  #: values of the null that are smaller


@dataclass(frozen=True)
class Likeness:
    """The result of `compare`."""

    verdict: str  #: told apart, not told apart, or undecided, and why
    logistic: Measure  #: AUC of logistic regression: 0.5 by chance, 1 if always told apart
    forest: Measure  #: AUC of a random forest
    energy: Measure  #: normalised energy distance, 0 to 1
    sliced: Measure  #: sliced Wasserstein distance, in standard deviations of the real patches
    p_energy: float  #: share of assignments of images to the sets that are as far apart
    least_p: float  #: the smallest p that so many images can have
    statistics: list[dict[str, Any]]  #: what the sets differ in, what tells most first
    details: dict[str, Any] = field(repr=False)  #: all that ``compare --json`` prints
    page: str = field(repr=False)  #: HTML with pictures and plots, as ``compare -o`` writes it


def compare(real: Images, synthetic: Images, *, labels_real: Images | None = None,
            labels_synthetic: Images | None = None, patch: int = 32, where: Where = "all",
            plane: int | None = None, spacing_um: Triple | None = None, permutations: int = 999,
            null: int = 39, seed: int = 0, channel: int | None = None, frame: int | None = None,
            workers: int | None = None, memory: Memory = None,
            progress: Progress = None) -> Likeness:
    """Measure how alike real and synthetic images are.

    Small patches are described by statistics that have names. Two classifiers learn to tell
    synthetic patches from real ones; their success stands beside that with synthetic images which
    are taken as if they were real. The numbers are those of the command ``synthoscope compare``.

    Parameters
    ----------
    real, synthetic : path, array, or sequence of them
        Images: files, folders, data sets, sweeps; or arrays (y, x) or (z, y, x). Every frame is one
        image. Give 20 synthetic ones or more, of different seeds.
    labels_real, labels_synthetic : path, array, or sequence of them, optional
        Labels of the objects, one image for each image; those of data sets are known. Default:
        objects are what is brighter than Otsu's threshold.
    patch : int
        Side of the patches in pixels, 16 to 256.
    where : {"inside", "edge", "all"}
        Patches to compare: inside objects, at their edges, or all.
    plane : int, optional
        Plane of each stack. Default: the sharpest.
    spacing_um : tuple of float, optional
        Distance of voxels along z, y, x, of arrays and of files instead of what they say.
    permutations : int
        Number of random assignments of images to the sets.
    null : int
        Most synthetic images that are taken as if they were real; 19 or more for a verdict.
    seed : int
        Of the forest, of directions, and of assignments.
    channel, frame : int, optional
        Of files and data sets with several.
    workers : int, optional
        Number of threads. Default: all cores.
    memory : int or str, optional
        Limit of the memory.
    progress : callable, optional
        Called with the name of the stage, the units done and their number.

    Returns
    -------
    Likeness

    Raises
    ------
    ValueError
        An option or an image cannot be used; the message says why.
    MemoryError, OSError, KeyboardInterrupt
        The memory is too small, a file cannot be read, or the call was interrupted.

    Warns
    -----
    UserWarning
        Pixel sizes are not known, or images with too few patches were left out.

    Notes
    -----
    Lopez-Paz and Oquab, ICLR 2017, arXiv:1610.06545; Szekely and Rizzo, J. Stat. Plan. Inference
    143 (2013) 1249, doi:10.1016/j.jspi.2013.03.018.
    """
    spacing = None if spacing_um is None else tuple(float(length) for length in spacing_um)
    text, page = _core.compare_images(
        listed(real, "compare real"), listed(synthetic, "compare synthetic"),
        listed(labels_real, "compare labels_real"),
        listed(labels_synthetic, "compare labels_synthetic"),
        _core.AboutImages(channel, frame, spacing), patch, where, plane, permutations, null, seed,
        resources_of(workers, memory, progress))
    found = json.loads(text)
    return Likeness(
        verdict=found["verdict"], logistic=Measure(**found["auc_logistic_regression"]),
        forest=Measure(**found["auc_random_forest"]), energy=Measure(**found["energy_distance"]),
        sliced=Measure(**found["sliced_wasserstein"]), p_energy=found["energy_p"],
        least_p=found["energy_least_p"], statistics=found["statistics"], details=found, page=page)
