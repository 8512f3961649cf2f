# SPDX-License-Identifier: MIT
"""Models of textures, which classify images."""
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Literal, Union

import numpy as np

from . import _core
from ._parts import as_memory, as_workers
from ._texture_verdicts import Nearest, Verdict
from ._types import Array, Memory, Path, Progress, Triple
from ._voxels import as_read
from ._words import Words

Image = Union[Path, Array]
Patch = Union[tuple[int, int], tuple[int, int, int], None]
Planes = Literal["all", "middle"]

_MOST_AXES = 3


class Model:
    """Words, and the known textures described by them. It is immutable.

    Make one with `train` or `load`.

    Parameters
    ----------
    model : _core.TextureModel
        Made by the functions below; do not create it yourself.
    """

    def __init__(self, model: _core.TextureModel):
        self._model = model
        self._record: dict[str, Any] = model.record()

    def __repr__(self) -> str:
        words, features = self.words.centroids.shape
        return (f"<Model of {len(self.images)} images of {len(self.classes)} classes by {words} "
                f"words of {features} features>")

    def save(self, path: Path, *, overwrite: bool = False) -> None:
        """Write the model to a file, as the program does. It appears when it is complete.

        Parameters
        ----------
        path : str or path-like
            An HDF5 file, for `load` and for ``synthoscope words``.
        overwrite : bool
            Whether an existing file may be replaced.

        Raises
        ------
        ValueError
            The file exists.
        OSError
            It cannot be written.
        """
        self._model.write(os.fspath(path), bool(overwrite))

    def classify(self, images: Image | Sequence[Image] | None = None, *,
                 classes: Path | None = None, spacing_um: Triple | None = None,
                 channel: int | None = None, frame: int | None = None,
                 workers: int | None = None, memory: Memory = None,
                 progress: Progress = None) -> list[Verdict]:
        """Classify images: each gets the class of the nearest texture of the model.

        Parameters
        ----------
        images : str, path-like, array or sequence of these
            Files, folders of them, and arrays of shape (y, x) or (z, y, x), in any order. One array
            is one image: give a list of many.
        classes : str or path-like, optional
            Instead of `images`: a folder with a folder of images for each class, as for `train`.
        spacing_um : tuple of float, optional
            The voxel size of arrays, (z, y, x) in micrometres. Files contain their own.
        channel : int, optional
            For files with several, from 0.
        frame : int, optional
            The same for time points.
        workers : int, optional
            Threads. Default: all cores. The result does not depend on it.
        memory : int or str, optional
            Bytes in addition to the model and arrays, such as "2G": a hard limit. Default: 70 % of
            the free memory.
        progress : callable, optional
            Called as ``progress(done, total, stage)`` in the calling thread, at most about twenty
            times a second. An exception that it raises stops the work.

        Returns
        -------
        list of Verdict
            One for each image, in their order; those of a folder are ordered by name.

        Raises
        ------
        ValueError
            An image cannot be used, or has more or fewer axes than those of the model.
        MemoryError
            More `memory` is needed; the message says how much.
        OSError
            A file cannot be read.
        KeyboardInterrupt
            Ctrl-C.

        Warns
        -----
        UserWarning
            The voxel size of an image differs from that of the model.
        """
        if (images is None) == (classes is None):
            raise ValueError("classify: give images or classes, one of the two")
        about = _core.AboutImages(channel, frame, spacing_um)
        resources = resources_of(workers, memory, progress)
        if classes is not None:
            told = self._model.classify_classes(os.fspath(classes), about, resources)
        else:
            told = self._model.classify(_images_of(images), about, resources)
        return [Verdict(name, known, [Nearest(*one) for one in ranking], margin, votes, patches)
                for name, known, ranking, margin, votes, patches in told]

    def word_map(self, image: Image, *, spacing_um: Triple | None = None,
                 channel: int | None = None, frame: int | None = None,
                 workers: int | None = None, memory: Memory = None,
                 progress: Progress = None) -> Array:
        """Find the nearest word of every voxel of an image.

        Parameters
        ----------
        image : str, path-like or array
            A file, or an array of shape (y, x) or (z, y, x).
        spacing_um, channel, frame, workers, memory, progress
            As in `classify`.

        Returns
        -------
        ndarray
            uint8 for up to 256 words, else uint16. The shape of an array; for files (z, y, x), or
            (y, x) for a single plane. Also (y, x) if the model uses middle planes.

        Raises
        ------
        ValueError, MemoryError, OSError, KeyboardInterrupt
            As `classify`.
        """
        is_stack = not isinstance(image, (str, os.PathLike)) and np.ndim(image) == _MOST_AXES
        words: Array = self._model.word_map(
            [_image_of(image)], _core.AboutImages(channel, frame, spacing_um),
            resources_of(workers, memory, progress))
        if len(words) == 1 and (not is_stack or self.planes == "middle"):
            words = words[0]
        return words

    def histogram(self, image: Image, *, spacing_um: Triple | None = None,
                  channel: int | None = None, frame: int | None = None,
                  workers: int | None = None, memory: Memory = None,
                  progress: Progress = None) -> Array:
        """Count how often each word occurs in an image.

        Parameters
        ----------
        image : str, path-like or array
            A file, or an array of shape (y, x) or (z, y, x).
        spacing_um, channel, frame, workers, memory, progress
            As in `classify`.

        Returns
        -------
        ndarray
            float32 (words,), or the values of a pyramid; their sum is 1. One row for each patch, if
            the model uses patches.

        Raises
        ------
        ValueError, MemoryError, OSError, KeyboardInterrupt
            As `classify`.
        """
        found = self._model.histograms(
            [_image_of(image)], _core.AboutImages(channel, frame, spacing_um),
            resources_of(workers, memory, progress))
        return found[0] if self.patch is None else found

    def left_out_accuracy(self, *, workers: int | None = None) -> float | None:
        """Return how well the model classifies its own images, each left out in turn.

        Parameters
        ----------
        workers : int, optional
            Threads. Default: all cores.

        Returns
        -------
        float or None
            Share of its textures that are classified correctly by the other images, from 0 to 1.
            Images that are alone in their class are not counted; None if all are.
        """
        right, asked, _ = self._model.leave_one_out(resources_of(workers, None, None))
        return right / asked if asked else None

    @property
    def classes(self) -> list[str]:
        """Names, in order."""
        return list(self._record["classes"])

    @property
    def images(self) -> list[str]:
        """Names of the images that it was trained with."""
        return list(self._record["images"])

    @property
    def image_classes(self) -> list[str]:
        """The class of each of them."""
        return [self._record["classes"][i] for i in self._model.classes_of_images]

    @property
    def words(self) -> Words:
        """The words, as `learn` gives them."""
        record = self._record
        return Words(self._model.centroids, self._model.sizes, record["inertia"],
                     record["iterations"], record["converged"])

    @property
    def histograms(self) -> Array:
        """How often each word occurs in each known texture: float32 (textures, values)."""
        return self._model.known_histograms

    @property
    def histogram_images(self) -> Array:
        """The image of each texture: int64 (textures,), from 0."""
        return np.array(self._model.images_of_textures, np.int64)

    @property
    def bank(self) -> str:
        """The filters whose responses describe a voxel."""
        return str(self._record["bank"])

    @property
    def standardize(self) -> bool:
        """Whether responses are divided by the standard deviation of the image."""
        return bool(self._record["standardize"])

    @property
    def contrast_normalize(self) -> bool:
        """Whether responses are compressed by Weber's law."""
        return bool(self._record["contrast_normalize"])

    @property
    def planes(self) -> str:
        """The planes of a stack that it uses: "all" or "middle"."""
        return str(self._record["planes"])

    @property
    def patch(self) -> Patch:
        """Voxels (z, y, x), or (y, x) of all planes, that images are cut into; None for none."""
        patch: Patch = self._record["patch"]
        return patch

    @property
    def levels(self) -> int:
        """Of the spatial pyramid; 0 for none."""
        return int(self._record["levels"])

    @property
    def distance(self) -> str:
        """How histograms are compared."""
        return str(self._record["distance"])

    @property
    def spacing_um(self) -> tuple[float | None, float | None, float | None]:
        """The voxel size (z, y, x) of its images, in micrometres; None if unknown or different."""
        z, y, x = self._record["spacing_um"]
        return z, y, x

    @property
    def seed(self) -> int:
        """The seed of the random numbers of its training."""
        return int(self._record["seed"])

    @property
    def samples(self) -> int:
        """How many voxels its words were learned from."""
        return int(self._record["samples"])


def resources_of(workers: int | None, memory: Memory, progress: Progress) -> _core.Resources:
    """Threads, memory and progress callback of a call."""
    return _core.Resources(as_workers(workers), as_memory(memory), progress)


def _images_of(images: Image | Sequence[Image] | None) -> list[Any]:
    """Names of files, folders looked into, and arrays (z, y, x)."""
    is_one = isinstance(images, (str, os.PathLike)) or hasattr(images, "__array__")
    given: Any = [images] if is_one else images
    found: list[Any] = []
    for image in given:
        if isinstance(image, (str, os.PathLike)):
            found += _core.images_in(os.fspath(image))
        else:
            found.append(_image_of(image))
    return found


def _image_of(image: Image) -> Any:
    """The name of a file, or an array (z, y, x)."""
    if isinstance(image, (str, os.PathLike)):
        return os.fspath(image)
    array = np.asarray(image)
    if array.dtype.kind not in "biuf" or array.ndim not in (2, 3) or array.size == 0:
        raise ValueError(f"an image is of type {array.dtype} and shape {array.shape}; give reals "
                         "of shape (y, x) or (z, y, x)")
    if array.ndim == _MOST_AXES and array.shape[-1] in (3, 4):
        raise ValueError(f"an image has the shape {array.shape}, which looks like colours; give "
                         "one value a voxel, as image[..., :3] @ [0.2126, 0.7152, 0.0722]")
    return as_read(array.reshape((1,) * (_MOST_AXES - array.ndim) + array.shape))
