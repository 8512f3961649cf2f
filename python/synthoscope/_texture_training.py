# SPDX-License-Identifier: MIT
"""Models of textures: trained on folders of images, and read from files."""
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
    """Learn visual words from folders of images, one per class, and describe all images by them.

    The options and the models are those of the command ``words train``.

    Parameters
    ----------
    folder : str or path-like
        A folder with a folder of images for each class: TIFF, HDF5, PNG or ICS files, or a data set
        that `simulate` wrote with ``truth_layout="stardist"``. Colour images are converted to
        luminance.
    words : int
        The number of words to learn, up to 65536.
    samples : int
        Voxels chosen at random in each image, or patch, to learn from.
    iterations : int
        The largest number of rounds of k-means; it ends earlier if the words have converged.
    seed : int, optional
        >= 0. Default: random; the model contains it.
    bank : {"mr8", "lm", "schmid", "invariants"}
        Filters whose responses describe a voxel. "mr8" and "schmid" are independent of rotation,
        "lm" is not; these work on planes, "invariants" on planes or volumes.
    standardize : bool
        Divide by the standard deviation of each image, so that neither its brightness nor its
        contrast counts.
    contrast_normalize : bool
        Compress responses by Weber's law, voxel by voxel.
    planes : {"all", "middle"}
        The planes of a stack that are used.
    patch : tuple of int, optional
        Voxels (y, x) or (z, y, x) of the patches into which images are cut; each counts as an
        image. Without z they have all planes. The remainder at the far faces is not used.
    levels : int
        Of a spatial pyramid: 0 counts words in the whole image, each further level in parts half as
        large, up to 5.
    distance : {"chi-square", "euclidean", "intersection"}
        How two histograms of words are compared.
    channel : int, optional
        For files with several, from 0.
    frame : int, optional
        The same for time points.
    workers : int, optional
        Threads. Default: all cores. The result does not depend on it.
    memory : int or str, optional
        Bytes for everything that is held, such as "2G": a hard limit. Default: 70 % of the free
        memory.
    progress : callable, optional
        Called as ``progress(done, total, stage)`` in the calling thread, at most about twenty times
        a second. An exception that it raises stops the work.

    Returns
    -------
    Model

    Raises
    ------
    ValueError
        An option or an image cannot be used, or there are fewer than two classes; the message says
        why.
    MemoryError
        More `memory` is needed; the message says how much.
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
        Bytes for reading it: three times the file. Default: 70 % of the free memory.

    Returns
    -------
    Model

    Raises
    ------
    ValueError
        The file is not a model, or broken; the message says why.
    MemoryError
        More `memory` is needed; the message says how much.
    OSError
        It cannot be read.
    """
    return Model(_core.TextureModel.read(os.fspath(path), resources_of(None, memory, None)))


def seeded(seed: int | None) -> int:
    """Returns `seed`, or a random one if it is None."""
    if seed is None:
        return secrets.randbits(53)
    if not 0 <= seed < 2**63:
        raise ValueError(f"seed is {seed}; give 0 to 2**63 - 1")
    return seed


def as_patch(patch: Patch) -> list[int] | None:
    """Returns the size of a patch for the library."""
    return None if patch is None else [int(size) for size in patch]
