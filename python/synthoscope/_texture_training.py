# SPDX-License-Identifier: MIT
"""Models of textures of folders of images: learned, and read from files."""
from __future__ import annotations

import os
import secrets

from . import _core
from ._texture_models import Model, Patch, Planes, resources_of
from ._types import Memory, Path, Progress
from ._words import Bank, Distance


def train(folder: Path, *, words: int = 200, samples: int = 1000, iterations: int = 100,
          seed: int | None = None, bank: Bank = "mr8", standardize: bool = True,
          contrast_normalize: bool = False, planes: Planes = "all", patch: Patch = None,
          levels: int = 0, distance: Distance = "chi-square", channel: int | None = None,
          frame: int | None = None, workers: int | None = None, memory: Memory = None,
          progress: Progress = None) -> Model:
    """Learn visual words from folders of images, one a class, and measure all images by them.

    The options are those of the program's command ``words train``, and so are the models.

    Parameters
    ----------
    folder : str or path-like
        With a folder of images for each class: TIFF, HDF5, PNG or ICS files, or a data set that
        `simulate` wrote with ``truth_layout="stardist"``. Of three colours the luminance is taken.
    words : int
        How many to learn, up to 65536.
    samples : int
        Voxels that are drawn in each image, or patch, to learn from.
    iterations : int
        Most rounds of k-means; it ends before where words have come to rest.
    seed : int, optional
        >= 0. Drawn unless given; the model says it.
    bank : {"mr8", "lm", "schmid", "invariants"}
        Filters whose responses tell a voxel: "mr8" and "schmid" do not care which way a texture is
        turned, "lm" does; these see planes, "invariants" planes or volumes.
    standardize : bool
        Divide by the standard deviation of each image, so that neither its brightness nor its
        contrast counts.
    contrast_normalize : bool
        Compress responses by Weber's law, voxel by voxel.
    planes : {"all", "middle"}
        Which planes of a stack are looked at.
    patch : tuple of int, optional
        Voxels (y, x) or (z, y, x) of patches to cut images into, each an image of its own; without
        z they have all planes. What is left over at the far faces is in none.
    levels : int
        Of a spatial pyramid: 0 counts words wherever they are, each level more in half as large
        parts, up to 5.
    distance : {"chi-square", "euclidean", "intersection"}
        How unlike two histograms of words are.
    channel : int, optional
        Of files with several, from 0.
    frame : int, optional
        The same of time points.
    workers : int, optional
        Threads, all cores unless given. The result does not depend on it.
    memory : int or str, optional
        Bytes for all that is held, such as "2G": a promise. 70 % of what is free unless given.
    progress : callable, optional
        Called as ``progress(done, total, stage)``, some twenty times a second at most, by the
        thread that called. What it raises ends the work.

    Returns
    -------
    Model

    Raises
    ------
    ValueError
        An option or an image does not serve, or there are fewer than two classes: says why.
    MemoryError
        More `memory` is needed: says how much.
    OSError
        The folder or a file cannot be read.
    KeyboardInterrupt
        Ctrl-C.
    """
    learning = _core.TextureTraining(
        words=words, samples=samples, iterations=iterations, seed=seeded(seed), bank=bank,
        standardize=bool(standardize), contrast_normalize=bool(contrast_normalize), planes=planes,
        patch=as_patch(patch), levels=levels, distance=distance)
    return Model(_core.TextureModel.train(
        os.fspath(folder), learning, _core.AboutImages(channel, frame, None),
        resources_of(workers, memory, progress)))


def load(path: Path, *, memory: Memory = None) -> Model:
    """Read a model that `Model.save` or the program wrote.

    Parameters
    ----------
    path : str or path-like
    memory : int or str, optional
        Bytes for all that is held while it is read: three times the file. 70 % of what is free
        unless given.

    Returns
    -------
    Model

    Raises
    ------
    ValueError
        It is no such file, or broken: says why.
    MemoryError
        More `memory` is needed: says how much.
    OSError
        It cannot be read.
    """
    return Model(_core.TextureModel.read(os.fspath(path), resources_of(None, memory, None)))


def seeded(seed: int | None) -> int:
    """`seed`, or one that is drawn."""
    if seed is None:
        return secrets.randbits(53)
    if not 0 <= seed < 2**63:
        raise ValueError(f"seed is {seed}; give 0 to 2**63 - 1")
    return seed


def as_patch(patch: Patch) -> list[int] | None:
    """Voxels of a patch, as the library takes them."""
    return None if patch is None else [int(size) for size in patch]
