# SPDX-License-Identifier: MIT
"""Frames of a scene one by one, as many as training needs."""
from __future__ import annotations

import itertools
import operator
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from . import _core
from ._parts import as_memory, as_workers
from ._scene import Scene
from ._simulate import Arrays, as_scene, seeded
from ._tables import columns_of
from ._types import Array, Keys, Memory, Path

_MOST = 2**32  # exposures of a seed


@dataclass(frozen=True, eq=False)
class Frame:
    """An image with its truth.

    Arrays are (z, y, x). For a scene with channels, image and photons are (channel, z, y, x) unless
    one channel is chosen.
    """

    index: int
    image: Array  #: uint8 or uint16: what the camera recorded
    labels: Array  #: uint16: the object in each voxel, 0 for none
    photons: Array | None  #: float32: expected photons; None unless they are asked for
    structures: Array | None  #: uint8: which part of a cell; None if the scene has no cells
    objects_csv: str

    @property
    def objects(self) -> dict[str, Array]:
        """A row per object: a dictionary of arrays, the columns of objects.csv."""
        return columns_of(self.objects_csv)

    def __repr__(self) -> str:
        return (f"<frame {self.index}: image {self.image.dtype} {self.image.shape}, "
                f"{len(self.objects['id'])} objects>")


class Frames:
    """The frames of a scene: ``frames[i]`` in any order, or one after another in a loop.

    A frame depends only on scene, seed and its index, in any process and any order; to the last bit
    if `memory` is the same, because it determines how blurs are divided. So workers can share
    frames by index, and nothing must be stored. Frame i has the same image as frame i of `simulate`
    with the same number of frames. Labels begin at 1 in each frame, except in a movie, where they
    are those of the tracks. Each process computes PSFs and cameras once, with its first frame.
    Frames can be pickled. One frame is made at a time; threads wait for each other.

    Made by the function `frames`; parameters are those of `frames`.
    """

    def __init__(self, scene: Scene, count: int | None, options: dict[str, Any]):
        self._scene, self._count, self._options = scene, count, options
        self._maker: tuple[int | None, Any] = None, None  # behind the process that it belongs to
        self._locks: dict[int, threading.Lock] = {}  # of each process: a fork may copy a held one

    @property
    def scene(self) -> Scene:
        """The scene, with its seed."""
        return self._scene

    @property
    def seed(self) -> int:
        """The seed that determines all of them."""
        assert self._scene.seed is not None
        return self._scene.seed

    def __len__(self) -> int:
        if self._count is None:
            raise TypeError("these frames have no end; give frames() a count")
        return self._count

    def __getitem__(self, index: int) -> Frame:
        index = operator.index(index)
        end = _MOST if self._count is None else self._count
        if index < 0 and self._count is not None:
            index += end
        if not 0 <= index < end:
            raise IndexError(f"there is no frame {index}; there are frames from 0 to {end - 1}")
        arrays = Arrays(self._of_this_process(), self._scene, 1, self._options["photons"])
        objects, _ = arrays.make(index, 0)
        of_image = slice(None) if self._scene.channels and not self._options["channel"] else 0
        photons, structures = arrays.photons, arrays.structures
        return Frame(index, arrays.image[0][of_image], arrays.labels[0],
                     None if photons is None else photons[0][of_image],
                     None if structures is None else structures[0], objects)

    def __iter__(self) -> Iterator[Frame]:
        return map(self.__getitem__,
                   itertools.count() if self._count is None else range(self._count))

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_maker": (None, None), "_locks": {}}

    def __repr__(self) -> str:
        count = "no end" if self._count is None else f"{self._count}"
        return f"<{count} frames of seed {self.seed}, {self._scene.shape} voxels each>"

    def _of_this_process(self) -> _core.FrameMaker:
        """Returns the maker of this process: a forked process needs another, because it does not
        inherit threads."""
        with self._locks.setdefault(os.getpid(), threading.Lock()):
            process, maker = self._maker
            if process != os.getpid():
                maker = _core.FrameMaker(self._scene._spec, each_alone=True, gpus="none",
                                         progress=None, **self._options)
                self._maker = os.getpid(), maker
            return maker


def frames(scene: Scene | Keys | Path, count: int | None = None, *, seed: int | None = None,
           channel: str | None = None, photons: bool = False, workers: int | None = None,
           memory: Memory = None) -> Frames:
    """Frames of a scene with their truth, each simulated on demand.

    Parameters
    ----------
    scene : Scene, dict, str or path-like
        A scene, or what `Scene.from_dict` or `Scene.from_toml` take.
    count : int, optional
        The number of frames, at least 1. Default: for a movie, all its frames; otherwise endless,
        whatever `frames` of the scene is, so give a count to end a loop.
    seed : int, optional
        >= 0, overrides that of the scene. Without either, a random one is used: see `Frames.seed`.
    channel : str, optional
        For a scene with channels: make only the images of this one.
    photons : bool
        Whether a frame includes the noise-free photons.
    workers : int, optional
        Threads for each frame. Default: all cores. Use 1 if several processes make frames. Frames
        do not depend on it.
    memory : int or str, optional
        A hard limit in addition to the arrays of a frame, in each process; bytes or such as "2G".
        Default: 70 % of the free memory. Give it if frames of several processes or machines must be
        identical to the last bit.

    Returns
    -------
    Frames

    Raises
    ------
    ValueError
        The scene is not valid, or a movie has fewer frames than `count`.

    See Also
    --------
    simulate : all frames of a scene at once, or in a folder.
    """
    scene = seeded(as_scene(scene), seed)
    if count is not None and not 1 <= operator.index(count) <= _MOST:
        raise ValueError(f"frames: count is {count}; give 1 to {_MOST}")
    if scene.is_movie:
        count = scene.frames if count is None else count
        if count > scene.frames:
            raise ValueError(f"frames: count is {count}, and the movie has {scene.frames} frames; "
                             "change the scene's frames")
    else:
        scene = scene.with_(frames=1)
    return Frames(scene, count, dict(channel=channel, photons=bool(photons),
                                     workers=as_workers(workers), memory=as_memory(memory)))
