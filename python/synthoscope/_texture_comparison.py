# SPDX-License-Identifier: MIT
"""Whether the textures of two folders of images can be distinguished, and how different they
are."""
from __future__ import annotations

import inspect
import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import _core
from ._texture_models import Model, Patch, Planes, resources_of
from ._texture_training import as_patch, seeded
from ._types import Array, Memory, Path, Progress
from ._words import Bank, Distance


@dataclass(frozen=True, eq=False)
class Comparison:
    """The result of `compare`."""

    within_a: float  #: mean distance of two textures of A
    within_b: float  #: the same of B
    between: float  #: the same of one of each
    energy: float  #: 2 between - within_a - within_b: 0 for sets of one kind, but for chance
    p_energy: float  #: how likely sets of one kind are to be as far apart
    accuracy: float  #: how often the nearest other texture is of the same set
    accuracy_by_chance: float  #: the same, were it drawn which image belongs to which set
    p_accuracy: float  #: how likely sets of one kind are to be told apart as often
    permutations: int  #: draws of what belongs to which set
    by_images: bool  #: whether images were drawn whole; else textures one by one
    seed: int  #: of the draws, and of the words where they were learned
    images: dict[str, Array]
    """A row for each image: `image`, `set` ("a" or "b"), `textures`, mean distances `to_own` and
    `to_other` set, and `nearest_of_own`: for which share of its textures the nearest other one is
    of its own set."""
    model: Model  #: the words that they were compared by

    def __repr__(self) -> str:
        return (f"<Comparison: energy {self.energy:.4f} (p = {self.p_energy:.3g}), nearest of the "
                f"same set {100 * self.accuracy:.1f} % (p = {self.p_accuracy:.3g})>")


def _default_of(option: str) -> Any:
    return inspect.signature(compare).parameters[option].default


def compare(a: Path, b: Path, *, model: Model | Path | None = None, permutations: int = 999,
            words: int = 200, samples: int = 1000, iterations: int = 100, seed: int | None = None,
            bank: Bank = "mr8", standardize: bool = True, contrast_normalize: bool = False,
            planes: Planes = "all", patch: Patch = None, levels: int = 0,
            distance: Distance = "chi-square", channel: int | None = None,
            frame: int | None = None, workers: int | None = None, memory: Memory = None,
            progress: Progress = None) -> Comparison:
    """Measure how different two sets of images are, and whether they can be distinguished.

    The options are those of the program's command ``words compare``, and so are the numbers.

    Parameters
    ----------
    a : str or path-like
        An image, or a folder of images.
    b : str or path-like
        Another one.
    model : Model, str or path-like, optional
        The model whose words and measures are used. Without it, words are learned from both sets,
        with the options of `train`.
    permutations : int
        The number of random assignments of images to the two sets, to compare with.
    words, samples, iterations
        As in `train`. These and the next are used only without `model`.
    seed : int, optional
        >= 0. For permutations and words. Default: random; the result contains it.
    bank, standardize, contrast_normalize, planes
        As in `train`.
    patch : tuple of int, optional
        As in `train`; overrides that of `model`.
    levels, distance
        As in `train`.
    channel, frame, workers, memory, progress
        As in `train`; memory is in addition to that of `model`.

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        An option or an image cannot be used, or a set has fewer than two textures; the message says
        why.
    MemoryError, OSError, KeyboardInterrupt
        As `train`.

    Warns
    -----
    UserWarning
        Patches are permuted one by one, so that p is too small; or voxels of an image have another
        size than those of the model.

    Notes
    -----
    Lopez-Paz and Oquab, ICLR 2017, arXiv:1610.06545 (nearest neighbours); Szekely and Rizzo, J.
    Stat. Plan. Inference 143 (2013) 1249, doi:10.1016/j.jspi.2013.03.018 (energy distance).
    """
    learning: dict[str, Any] = dict(
        words=words, samples=samples, iterations=iterations, bank=bank,
        standardize=bool(standardize), contrast_normalize=bool(contrast_normalize), planes=planes,
        levels=levels, distance=distance)
    if model is not None:
        if others := [name for name, value in learning.items() if value != _default_of(name)]:
            raise ValueError(f"compare: {others[0]} is for words that are learned, and the model "
                             "has its own; leave one of them out")
    drawn = seeded(seed)
    resources = resources_of(workers, memory, progress)
    known = model if model is None or isinstance(model, Model) else Model(
        _core.TextureModel.read(os.fspath(model), resources))
    numbers, images, learned = _core.compare_textures(
        os.fspath(a), os.fspath(b), None if known is None else known._model,
        _core.TextureTraining(seed=drawn, patch=as_patch(patch), **learning), permutations,
        _core.AboutImages(channel, frame, None), resources)
    return Comparison(**numbers, seed=drawn,
                      images={name: np.array(column) for name, column in images.items()},
                      model=known if known is not None else Model(learned))
