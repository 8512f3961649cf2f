# SPDX-License-Identifier: MIT
"""Scores of segmentations."""
from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from typing import Any, Union

import numpy as np

from . import _core
from ._texture_models import resources_of
from ._types import Array, Memory, Path, Progress, Triple

_MOST_AXES = 3
Labels = Union[Path, Array]


@dataclass(frozen=True)
class Stratum:
    """True objects with a property in a range, and how many of them were found."""

    by: str  #: "volume" ("area" in planes), "depth", "nearest", "snr" or "border"
    unit: str  #: of low and high; empty if they have none
    low: float  #: from here
    high: float  #: to below here; the last stratum holds it as well
    truth: int  #: true objects
    recall: float  #: share of them with a result at an IoU of 0.5 or more
    recall_low: float  #: Wilson's interval of 95 % around it
    recall_high: float
    false_positives: int | None  #: results without a true object; None for the snr
    ap: float | None  #: TP / (TP + FP + FN)
    mean_iou: float | None  #: of those that were found


@dataclass(frozen=True)
class Surfaces:
    """Distances between the surfaces of true objects and their results: means over pairs."""

    pairs: int
    unit: str  #: "um" or "voxels"
    tolerance: float  #: of boundary_f
    hausdorff: float | None  #: largest distance of a surface voxel to the other surface
    hausdorff_95: float | None  #: 95th percentile of these distances
    mean_distance: float | None  #: mean over each surface, then of both
    boundary_f: float | None  #: F1 of the shares of both surfaces within the tolerance
    largest_hausdorff: float | None  #: of all pairs


@dataclass(frozen=True)
class LabelScores:
    """Scores of a segmentation. Lists have a value for each of `thresholds`."""

    truth: int  #: true objects
    results: int  #: objects of the result
    images: int
    thresholds: list[float]  #: smallest intersection over union (IoU) of a pair: 0.1, 0.15 ... 0.95
    tp: list[int]  #: pairs of a true object and a result, one to one
    fp: list[int]  #: results without a true object
    fn: list[int]  #: true objects without a result
    precision: list[float]  #: tp / (tp + fp)
    recall: list[float]  #: tp / (tp + fn)
    f1: list[float]  #: 2 tp / (2 tp + fp + fn)
    ap: list[float]  #: tp / (tp + fp + fn)
    mean_ap: float  #: mean of ap from 0.5 to 0.95
    mean_iou: float | None  #: mean IoU of pairs at 0.5; None without a pair
    pq: float  #: panoptic quality, sq * rq, at an IoU above 0.5
    sq: float | None  #: mean IoU of these pairs
    rq: float  #: f1 of these pairs
    seg: float  #: SEG of the Cell Tracking Challenge
    splits: int  #: true objects that hold over half of two or more results each
    merges: int  #: results that hold over half of two or more true objects each
    dice: float  #: of the foreground
    vi_split: float  #: variation of information in bits; the background is a label like others
    vi_merge: float
    vi_split_foreground: float  #: the same inside true objects
    vi_merge_foreground: float
    adapted_rand_error: float  #: inside true objects
    adapted_rand_error_all: float  #: of all voxels
    strata: list[Stratum]
    surfaces: Surfaces | None = None  #: if they were asked for

    def to_dict(self) -> dict[str, Any]:
        """Return all scores as plain numbers, lists and dicts."""
        return asdict(self)

    def __repr__(self) -> str:
        half = self.thresholds.index(0.5)
        return (f"<LabelScores: {self.tp[half]} of {self.truth} objects found at IoU 0.5, "
                f"{self.fp[half]} false, mean AP {self.mean_ap:.3f}>")


def labels(truth: Labels, result: Labels, *, spacing_um: Triple | None = None,
           ignore_border: bool = False, min_volume: float = 0, surfaces: bool = False,
           tolerance_um: float | None = None, channel: int | None = None,
           frame: int | None = None, workers: int | None = None, memory: Memory = None,
           progress: Progress = None) -> LabelScores:
    """Score a segmentation beside the truth.

    Parameters
    ----------
    truth : str, path-like or array
        Folder of a data set of `simulate`, file or folder of label images, or labels of shape
        (z, y, x) or (y, x): whole numbers, 0 outside of objects.
    result : str, path-like or array
        Labels of the same shape; or a file, or a folder with a file for each frame.
    spacing_um : tuple of float, optional
        Distance of voxels along z, y, x. Default: that of the files; without it, lengths and
        volumes are in voxels.
    ignore_border : bool
        Leave out objects that touch the border of the image.
    min_volume : float
        Leave out smaller objects: in cubic micrometres, square micrometres of planes, or voxels.
    surfaces : bool
        Measure distances between surfaces.
    tolerance_um : float, optional
        Distance up to which surfaces agree. Default: one pixel.
    channel, frame : int, optional
        To take from files with several. Default: all frames.
    workers : int, optional
        Threads, at least 1. Default: all cores. The result does not depend on it.
    memory : int or str, optional
        Bytes for buffers, in addition to the arrays: 2**30 or "1G". Default: 70 % of the free
        memory.
    progress : callable, optional
        Called with (done, total, stage).

    Returns
    -------
    LabelScores

    Raises
    ------
    ValueError
        Truth and result differ in size or number of frames, or a voxel is no whole number.
    MemoryError
        `memory` is too small.
    OSError
        A file cannot be read.

    Notes
    -----
    Objects are matched as by StarDist's `matching`; `pq` is that of Kirillov et al., CVPR 2019,
    arXiv:1801.00868.
    """
    about = _core.AboutImages(channel, frame, spacing_um)
    scores = json.loads(_core.score_labels(
        [given(truth, "truth"), given(result, "result")], about, bool(ignore_border),
        float(min_volume), bool(surfaces), tolerance_um,
        resources_of(workers, memory, progress)))
    measured = scores.get("surfaces")
    return LabelScores(truth=scores["truth"], results=scores["results"], **scores["labels"],
                       strata=[Stratum(**stratum) for stratum in scores["strata"]],
                       surfaces=Surfaces(**measured) if measured else None)


def given(image: Labels, name: str):
    """A file's name, or an array of three axes and a type that the library reads."""
    if isinstance(image, (str, os.PathLike)):
        return os.fspath(image)
    array = np.asarray(image)
    if array.ndim not in (2, 3) or array.size == 0:
        raise ValueError(f"score {name}: its shape is {array.shape}; give (z, y, x) or (y, x)")
    if array.dtype == bool:
        array = array.astype(np.uint8)
    if array.dtype in (np.int64, np.uint64):
        array = _narrow(array, name)
    array = np.ascontiguousarray(array)
    return array.reshape((1,) * (_MOST_AXES - array.ndim) + array.shape)


def _narrow(array: Array, name: str) -> Array:
    low, high = array.min(), array.max()
    for dtype in (np.uint32, np.int32):
        if np.iinfo(dtype).min <= low and high <= np.iinfo(dtype).max:
            return array.astype(dtype)
    raise ValueError(f"score {name}: its labels are from {low} to {high}; give labels that fit "
                     "into 32 bits")
