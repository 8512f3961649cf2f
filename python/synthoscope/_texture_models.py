# SPDX-License-Identifier: MIT
"""Models of textures that tell what images are most like."""
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
    """Words, and the textures that are known by them. It does not change.

    Make one with `train` or `load`.

    Parameters
    ----------
    model : _core.TextureModel
        What the functions that make a model give.
    """

    def __init__(self, model: _core.TextureModel):
        self._model = model
        self._record: dict[str, Any] = model.record()

    def __repr__(self) -> str:
        words, features = self.words.centroids.shape
        return (f"<Model of {len(self.images)} images of {len(self.classes)} classes by {words} "
                f"words of {features} features>")

    def save(self, path: Path, *, overwrite: bool = False) -> None:
        """Write the model into a file, as the program does. It appears when it is whole.

        Parameters
        ----------
        path : str or path-like
            An HDF5 file, for `load` and for ``synthoscope words``.
        overwrite : bool
            Whether a file that exists may be replaced.

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
        """Say which class images are most like: that of the nearest texture of the model.

        Parameters
        ----------
        images : str, path-like, array or sequence of these
            Files, folders of them, and arrays of shape (y, x) or (z, y, x), in any order. One array
            is one image: give a list of many.
        classes : str or path-like, optional
            Instead of `images`: a folder with a folder of images for each class, as `train` takes.
        spacing_um : tuple of float, optional
            Of voxels of arrays, (z, y, x) in micrometres. Files say it themselves.
        channel : int, optional
            Of files with several, from 0.
        frame : int, optional
            The same of time points.
        workers : int, optional
            Threads, all cores unless given. The result does not depend on it.
        memory : int or str, optional
            Bytes for all that is held beside the model and arrays, such as "2G": a promise. 70 % of
            what is free unless given.
        progress : callable, optional
            Called as ``progress(done, total, stage)``, some twenty times a second at most, by the
            thread that called. What it raises ends the work.

        Returns
        -------
        list of Verdict
            One for each image, in their order; those of a folder are ordered by name.

        Raises
        ------
        ValueError
            An image does not serve, or has more or fewer axes than those of the model.
        MemoryError
            More `memory` is needed: says how much.
        OSError
            A file cannot be read.
        KeyboardInterrupt
            Ctrl-C.

        Warns
        -----
        UserWarning
            Voxels of an image have another size than those of the model.
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
            As `classify` has them.

        Returns
        -------
        ndarray
            uint8 for up to 256 words, else uint16. Of the shape of an array; of files (z, y, x), or
            (y, x) where there is one plane. (y, x), too, where the model looks at middle planes.

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
            As `classify` has them.

        Returns
        -------
        ndarray
            float32 (words,), or as many values as a pyramid has; they add up to 1. A row of them
            for each patch, where the model looks at patches.

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
        """Say how well the model knows its own images, each asked for as if it were not there.

        Parameters
        ----------
        workers : int, optional
            Threads, all cores unless given.

        Returns
        -------
        float or None
            Share of its textures that are told right by other images, from 0 to 1. Images that are
            alone in their class are not asked for; None where all are.
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
        """How often each word occurs in each texture it knows: float32 (textures, values)."""
        return self._model.known_histograms

    @property
    def histogram_images(self) -> Array:
        """Of which image each of them is: int64 (textures,), from 0."""
        return np.array(self._model.images_of_textures, np.int64)

    @property
    def bank(self) -> str:
        """The filters whose responses tell a voxel."""
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
        """Which planes of a stack it looks at: "all" or "middle"."""
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
        """Of voxels (z, y, x), in micrometres; None where its images do not say or agree."""
        z, y, x = self._record["spacing_um"]
        return z, y, x

    @property
    def seed(self) -> int:
        """Of the draws that it was learned by."""
        return int(self._record["seed"])

    @property
    def samples(self) -> int:
        """How many voxels its words were learned from."""
        return int(self._record["samples"])


def resources_of(workers: int | None, memory: Memory, progress: Progress) -> _core.Resources:
    """What a call may take, and who listens."""
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
