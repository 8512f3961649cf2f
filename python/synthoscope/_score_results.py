# SPDX-License-Identifier: MIT
"""Scores of tracks, spots and restored images."""
from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from typing import Any, Literal, Union

import numpy as np

from . import _core
from ._score_labels import Stratum, given
from ._texture_models import resources_of
from ._types import Array, Memory, Path, Progress, Triple

Numbers = list[Union[float, None]]  # along z, y, x; None where undefined
_AXES = 3


class _AsDict:
    def to_dict(self) -> dict[str, Any]:
        """Return all scores as plain numbers, lists and dicts."""
        return asdict(self)  # type: ignore[call-overload]


@dataclass(frozen=True)
class TrackScores(_AsDict):
    """Measures of the Cell Tracking Challenge; None where the truth has no link or division."""

    det: float  #: detection
    seg: float  #: segmentation
    tra: float  #: tracking
    lnk: float | None  #: linking
    aogm: dict[str, float]  #: total, vertices, edges, and the counts ns, fn, fp, ed, ea, ec
    ct: float  #: complete tracks
    tf: float  #: track fractions
    bc: Numbers  #: branching correctness with 0 to 3 frames of tolerance
    hota: float
    chota: float
    truth: dict[str, int]  #: tracks, objects, links and divisions
    results: dict[str, int]  #: the same
    by_frame: dict[str, list[int]]  #: the six counts of each frame


@dataclass(frozen=True)
class SpotScores(_AsDict):
    """Scores of localised spots; lists are along z, y, x, with None where undefined."""

    truth: int  #: true spots
    results: int  #: spots of the result
    matched: int  #: pairs within the radius, one to one
    radius_um: float
    precision: float  #: matched / results
    recall: float  #: matched / truth
    f1: float  #: 2 matched / (truth + results)
    jaccard: float  #: matched / (truth + results - matched)
    rmse_um: Numbers  #: root mean square of result - truth
    rmse_lateral_um: float | None  #: of the distance along y and x
    rmse_axial_um: float | None  #: of that along z
    bias_um: Numbers  #: mean of result - truth
    bias_error_um: Numbers  #: standard error of the bias
    bounded: int  #: matched spots whose Cramer-Rao bound was computed
    bound_um: Numbers  #: root mean square of the bounds
    bounded_rmse_um: Numbers  #: error of these spots from the middle of their light
    efficiency: Numbers  #: bound over error: 1 is the best
    rendering_um: Numbers  #: distance of true spots from the middle of their light
    strata: list[Stratum]


@dataclass(frozen=True)
class ImageScores(_AsDict):
    """Scores of a restored image."""

    nrmse: float | None  #: root of the sum of squared errors over that of squares of the truth
    psnr: float | None  #: 10 log10(range of the truth squared / mean squared error)
    ssim: float | None  #: structural similarity, mean over planes
    fsc_um: float | None  #: length at which the Fourier correlation falls below 1/7
    pearson: float | None
    fitted: dict[str, float | None]  #: nrmse, psnr, ssim after the best gain and offset
    gain: float | None  #: gain * result + offset is nearest to the truth
    offset: float | None
    details: dict[str, Any]  #: all that ``score --json`` prints of an image


def tracks(truth: Path, result: Path, *, workers: int | None = None, memory: Memory = None,
           progress: Progress = None) -> TrackScores:
    """Score the tracks of a movie.

    Parameters
    ----------
    truth, result : str or path-like
        Folder of a data set of a movie, or of the Cell Tracking Challenge: masks with
        ``res_track.txt`` or ``man_track.txt``.
    workers, memory, progress
        As in `labels`.

    Returns
    -------
    TrackScores

    Raises
    ------
    ValueError
        A folder has no tracks, or tracks and masks disagree.
    MemoryError, OSError
        As `labels`.

    Notes
    -----
    Matula et al., PLoS ONE 10 (2015) e0144959, doi:10.1371/journal.pone.0144959.
    """
    scores = json.loads(_core.score_tracks(os.fspath(truth), os.fspath(result),
                                           resources_of(workers, memory, progress)))
    return TrackScores(**scores)


def spots(truth: Path, result: Path | Array, *, frames: Array | None = None,
          radius_um: float = 0.5, bounds: int = 100, channel: int = 0,
          workers: int | None = None, memory: Memory = None,
          progress: Progress = None) -> SpotScores:
    """Score localised spots.

    Parameters
    ----------
    truth : str or path-like
        Folder of a data set with spots or beads.
    result : str, path-like or array
        A table of spots; or positions of shape (spots, 3) along z, y, x, or (spots, 2) along y, x,
        in micrometres from the corner of the first voxel.
    frames : array, optional
        Frame of each position, from 0. Default: all in frame 0.
    radius_um : float
        Distance up to which a result may stand for a true spot.
    bounds : int
        Spots whose Cramer-Rao bound is computed.
    channel : int
        Whose light the bounds are of.
    workers, memory, progress
        As in `labels`.

    Returns
    -------
    SpotScores

    Raises
    ------
    ValueError
        The data set has no spots, or the table cannot be used; the message says why.
    MemoryError, OSError
        As `labels`.

    Notes
    -----
    Mortensen et al., Nature Methods 7 (2010) 377, doi:10.1038/nmeth.1447.
    """
    if isinstance(result, (str, os.PathLike)):
        table, has_z = os.fspath(result), True
    else:
        table, has_z = _rows(result, frames)
    scores = json.loads(_core.score_spots(
        os.fspath(truth), table, has_z, int(channel), float(radius_um), int(bounds),
        resources_of(workers, memory, progress)))
    return SpotScores(**scores["spots"],
                      strata=[Stratum(**stratum) for stratum in scores["strata"]])


def image(truth: Path | Array, result: Path | Array, *, spacing_um: Triple | None = None,
          beside: Literal["photons", "light"] = "photons", shells: bool = True,
          channel: int | None = None, frame: int | None = None, workers: int | None = None,
          memory: Memory = None, progress: Progress = None) -> ImageScores:
    """Score a restored or denoised image beside noise-free light.

    Parameters
    ----------
    truth : str, path-like or array
        Folder of a data set, a file, or an array of shape (z, y, x) or (y, x).
    result : str, path-like or array
        An image of the same shape.
    spacing_um : tuple of float, optional
        Distance of voxels along z, y, x. Needed for arrays.
    beside : {'photons', 'light'}
        Light of a data set after the lens, or before it (``output.light = true``).
    shells : bool
        Whether the whole volume is transformed, which takes 16 bytes a voxel.
    channel, frame : int, optional
        To take from a data set or file with several.
    workers, memory, progress
        As in `labels`.

    Returns
    -------
    ImageScores

    Raises
    ------
    ValueError
        The images differ in size, or a voxel is not finite.
    MemoryError, OSError
        As `labels`.

    Notes
    -----
    Wang et al., IEEE Trans. Image Process. 13 (2004) 600 (SSIM); van Heel and Schatz, J. Struct.
    Biol. 151 (2005) 250, doi:10.1016/j.jsb.2005.05.009 (Fourier correlation).
    """
    scores = json.loads(_core.score_image(
        [given(truth, "truth"), given(result, "result")],
        _core.AboutImages(channel, frame, spacing_um), beside, bool(shells),
        resources_of(workers, memory, progress)))
    named = ("nrmse", "psnr", "ssim", "fsc_um", "pearson", "fitted", "gain", "offset")
    return ImageScores(**{name: scores[name] for name in named}, details=scores)


def _rows(positions, frames):
    """Rows (frame, z, y, x), and whether they have z."""
    array = np.asarray(positions, np.float64)
    if array.ndim != 2 or array.shape[1] not in (_AXES - 1, _AXES):
        raise ValueError(f"score spots: positions have the shape {array.shape}; give (spots, 3) "
                         "along z, y, x or (spots, 2) along y, x")
    has_z = array.shape[1] == _AXES
    rows = np.zeros((len(array), _AXES + 1))
    rows[:, 0] = 0 if frames is None else np.asarray(frames)
    rows[:, _AXES + 1 - array.shape[1]:] = array
    if not np.isfinite(rows).all():
        raise ValueError("score spots: a position is NaN or infinite; leave such spots out")
    return np.ascontiguousarray(rows), has_z
