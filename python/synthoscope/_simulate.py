# SPDX-License-Identifier: MIT
"""Simulation of whole scenes: to arrays, or to a folder as the program writes it."""
from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from typing import Any, Literal, overload

import numpy as np

from . import _core
from ._parts import as_memory, as_workers
from ._scene import Scene
from ._tables import columns_of
from ._types import Array, Keys, Memory, Path, Progress, Triple

_FILES = {"overwrite": False, "truth_layout": "native", "format": "tiff", "tiff_flavor": "ome",
          "compression": "none"}


@dataclass(frozen=True, eq=False)
class Simulated:
    """Images with their truth.

    `axes` names the axes of image and photons: "TCZYX" for several frames of a scene with channels,
    without T for a single frame, and without C if there are no channels or one is chosen. All
    channels share labels and structures, which have no C.
    """

    image: Array  #: uint8 or uint16: what the camera recorded
    photons: Array  #: float32: expected photons per pixel before the camera
    labels: Array  #: uint16: the object in each voxel, 0 for none
    structures: Array | None  #: uint8: which part of a cell; None if the scene has no cells
    objects: dict[str, Array]  #: the columns of objects.csv: id, frame, centroid_z_um, ...
    spots: dict[str, Array] | None  #: the same of spots.csv; None if the scene has no spots
    axes: str
    channels: tuple[str, ...]  #: names along C; empty without
    spacing_um: Triple  #: of voxels (z, y, x) of labels and photons, in micrometres
    seed: int  #: the one that was used: the given one, the scene's, or a random one

    def __repr__(self) -> str:
        return (f"<simulated {self.axes}: image {self.image.dtype} {self.image.shape}, "
                f"{len(self.objects['id'])} objects, seed {self.seed}>")


@dataclass(frozen=True)
class DataSet:
    """A folder with a simulated data set."""

    folder: str
    files: list[str]  #: all in it
    seed: int
    frames: int
    objects: int  #: in all frames
    seconds: float
    stages: dict[str, float]  #: seconds of each stage, which follow each other


def as_scene(scene: Scene | Keys | Path) -> Scene:
    """A Scene from an argument that `from_dict` or `from_toml` accept."""
    if isinstance(scene, Scene):
        return scene
    if isinstance(scene, (str, bytes, os.PathLike)):
        return Scene.from_toml(scene)
    return Scene.from_dict(scene)


def seeded(scene: Scene, seed: int | None) -> Scene:
    """`scene` with a seed: the given one, its own, or a random one."""
    if seed is None:
        seed = scene.seed if scene.seed is not None else secrets.randbits(53)
    return scene.with_(seed=seed)


Layout = Literal["native", "ctc", "stardist", "cellpose", "coco", "yolo", "napari"]
Format = Literal["tiff", "hdf5", "zarr", "zarr3"]


@overload
def simulate(scene: Scene | Keys | Path, folder: None = None, *, seed: int | None = ...,
             channel: str | None = ..., frames: range | None = ..., workers: int | None = ...,
             memory: Memory = ..., progress: Progress = ..., gpus: str = ...) -> Simulated: ...
@overload
def simulate(scene: Scene | Keys | Path, folder: Path, *, seed: int | None = ...,
             channel: str | None = ..., frames: range | None = ..., workers: int | None = ...,
             memory: Memory = ..., progress: Progress = ..., gpus: str = ..., overwrite: bool = ...,
             truth_layout: Layout = ..., format: Format = ...,
             tiff_flavor: Literal["ome", "imagej", "plain"] = ...,
             compression: Literal["none", "deflate", "lzw", "zstd", "blosc"] = ...) -> DataSet: ...
def simulate(scene: Scene | Keys | Path, folder: Path | None = None, *, seed: int | None = None,
             channel: str | None = None, frames: range | None = None, workers: int | None = None,
             memory: Memory = None, progress: Progress = None, gpus: str = "none",
             overwrite: bool = False,
             truth_layout: Layout = "native", format: Format = "tiff",
             tiff_flavor: Literal["ome", "imagej", "plain"] = "ome",
             compression: Literal["none", "deflate", "lzw", "zstd", "blosc"] = "none",
             ) -> Simulated | DataSet:
    """Simulates a scene: the sample, the light after the lens, and the camera image.

    Parameters
    ----------
    scene : Scene, dict, str or path-like
        A scene, or what `Scene.from_dict` or `Scene.from_toml` take.
    folder : str or path-like, optional
        Folder to make, with the same files as those of the program, byte for byte. It appears when
        it is complete. Without a folder, the result is arrays.
    seed : int, optional
        >= 0, overrides that of the scene. Without either, a random one is used, and is part of the
        result.
    channel : str, optional
        For a scene with channels: make only the images of this one.
    frames : range, optional
        Frames to make, a contiguous range, counted from 0. Default: all.
    workers : int, optional
        Threads. Default: all cores. The result does not depend on it.
    memory : int or str, optional
        A hard limit in addition to the arrays of the result, in bytes or such as "2G". Default:
        70 % of the free memory. The last bits depend on it, because it determines how blurs are
        divided.
    progress : callable, optional
        Called as ``progress(done, total, stage)`` in the calling thread, at most about twenty times
        a second. An exception that it raises stops the simulation.
    gpus : str
        "none": use no GPU. "auto": use them if there are some and the plan is faster on them.
        "all", or positions or uuids separated by commas: use these GPUs; the call fails if they
        cannot do the work. Frames are shared among several. The last bits of photons may differ
        from those of the host.
    overwrite : bool
        Whether an existing data set in `folder` may be replaced. `overwrite`, `truth_layout`,
        `format`, `tiff_flavor` and `compression` need a `folder`.
    truth_layout : {"native", "ctc", "stardist", "cellpose", "coco", "yolo", "napari"}
        The names and folders of images and masks, and the tables of objects beside them.
    format : {"tiff", "hdf5", "zarr", "zarr3"}
        The format of the stacks; OME-Zarr 0.4 and 0.5 are folders, with the labels in the images.
    tiff_flavor : {"ome", "imagej", "plain"}
        The metadata of TIFF in the native layout.
    compression : {"none", "deflate", "lzw", "zstd", "blosc"}
        The compression of the stacks.

    Returns
    -------
    Simulated or DataSet
        Arrays and tables; for a folder, the files that were made.

    Raises
    ------
    ValueError
        The scene is not valid, objects cannot be placed, or `folder` exists.
    MemoryError
        More `memory` is needed; the message says how much.
    OSError
        A file that the scene names cannot be read, or the folder cannot be written.
    KeyboardInterrupt
        Ctrl-C was pressed. Nothing remains in the folder.
    """
    scene = seeded(as_scene(scene), seed)
    made = _first_and_last(frames, scene.frames)
    files: dict[str, Any] = dict(overwrite=overwrite, truth_layout=truth_layout, format=format,
                                 tiff_flavor=tiff_flavor, compression=compression)
    if folder is None:
        if others := [name for name, value in files.items() if value != _FILES[name]]:
            raise ValueError(f"simulate: {others[0]} is for files, and the result is arrays; "
                             "leave it out, or give a folder")
        return _to_arrays(scene, made, channel, gpus, workers, memory, progress)
    report = _core.simulate_to_folder(
        scene._spec, os.fspath(folder), channel=channel, frames=None if frames is None else made,
        gpus=gpus, workers=as_workers(workers), memory=as_memory(memory), progress=progress,
        **files)
    return DataSet(os.fspath(folder), **report)


def _first_and_last(frames: range | None, count: int) -> tuple[int, int]:
    if frames is None:
        return 0, count - 1
    if not isinstance(frames, range) or frames.step != 1 or not frames:
        raise ValueError(f"simulate: frames is {frames!r}; give a range, such as range(0, 3)")
    if frames[0] < 0 or frames[-1] >= count:
        raise ValueError(f"simulate: frames is {frames!r}, and the scene has frames from 0 to "
                         f"{count - 1}")
    return frames[0], frames[-1]


class Arrays:
    """Arrays for the frames of a maker."""

    def __init__(self, maker: _core.FrameMaker, scene: Scene, count: int, photons: bool = True):
        (_, shape, dtype), *others = maker.images
        if other := [name for name, *more in others if tuple(more) != (shape, dtype)]:
            raise ValueError(f"the images of channel {other[0]} differ in size or type from the "
                             "images of the first; choose one with channel=")
        channels = len(others) + 1
        self.image = np.empty((count, channels, *shape), dtype)
        self.photons = np.empty((count, channels, *scene.shape), np.float32) if photons else None
        self.labels = np.empty((count, *scene.shape), np.uint16)
        has_structures = maker.has_structures
        self.structures = np.empty((count, *scene.shape), np.uint8) if has_structures else None
        self._maker = maker

    def make(self, frame: int, place: int) -> tuple[str, str]:
        """Frame `frame` at `place`. Returns the CSV of its objects and that of its spots."""
        return self._maker.make(
            frame, self.labels[place], None if self.structures is None else self.structures[place],
            list(self.image[place]), [] if self.photons is None else list(self.photons[place]))


def _to_arrays(scene: Scene, made: tuple[int, int], channel: str | None, gpus: str,
               workers: int | None, memory: Memory, progress: Progress) -> Simulated:
    maker = _core.FrameMaker(scene._spec, channel=channel, photons=True, each_alone=False,
                             gpus=gpus, workers=as_workers(workers), memory=as_memory(memory),
                             progress=progress)
    first, last = made
    arrays = Arrays(maker, scene, last + 1 - first)
    objects, spots = zip(*(arrays.make(frame, frame - first) for frame in range(first, last + 1)))
    maker.warn_of_saturation()
    channels = scene.channels if channel is None else ()
    # An axis of length 1 that the scene does not ask for goes
    of_frame = slice(None) if scene.frames > 1 else 0
    of_image = (of_frame, slice(None) if channels else 0)
    return Simulated(
        arrays.image[of_image], arrays.photons[of_image], arrays.labels[of_frame],
        None if arrays.structures is None else arrays.structures[of_frame],
        columns_of(_joined(objects)), columns_of(_joined(spots)) if spots[0] else None,
        ("T" if scene.frames > 1 else "") + ("C" if channels else "") + "ZYX",
        channels, scene.spacing_um, scene.seed)


def _joined(tables: tuple[str, ...]) -> str:
    """CSV texts with the same header, concatenated."""
    return tables[0] + "".join(table.split("\n", 1)[1] for table in tables[1:])
