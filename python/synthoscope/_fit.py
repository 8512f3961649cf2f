# SPDX-License-Identifier: MIT
"""Twins: scenes made from a user's own images, with proof."""
from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import _core, _toml
from ._compare import Measure
from ._images import Images, listed
from ._scene import Scene
from ._texture_models import resources_of
from ._types import Memory, Path, Progress, Triple

_STAGES = ("camera", "shapes", "light", "blur", "texture")


@dataclass(frozen=True)
class Estimate:
    """A value that was found in images."""

    key: str  #: full name of a key, such as ``"nuclei.radius_um"``, or words for a figure
    axis: int | None  #: of a key with three numbers: 0 for z, 1 for y, 2 for x
    value: float
    low: float  #: of the interval of 95 %
    high: float
    unit: str
    origin: str  #: "measured", "given", or "assumed" since images do not tell it
    how: str  #: from what it was found, or why it was not


@dataclass(frozen=True)
class ComparedPlace:
    """Patches of held out real images beside those of the twin."""

    where: str  #: "inside" objects, at their "edge", or "all"
    verdict: str  #: told apart, not told apart, or undecided, and why
    logistic: Measure  #: AUC of logistic regression: 0.5 by chance, 1 if always told apart
    forest: Measure  #: AUC of a random forest
    energy: Measure  #: normalised energy distance, 0 to 1
    statistics: list[dict[str, Any]] = field(repr=False)  #: what gives the twin away, first


@dataclass(frozen=True)
class Evidence:
    """What a fit found, what it could not tell, and how close the twin is."""

    estimates: list[Estimate]
    untold: dict[str, list[str]]  #: of each stage, what images do not tell
    refusals: dict[str, str]  #: of each stage that found nothing, why
    places: list[ComparedPlace]  #: empty if nothing was held out
    scene_toml: str = field(repr=False)  #: the scene with intervals as comments
    camera_toml: str = field(repr=False)  #: the camera, as ``detect --camera`` takes it
    page: str = field(repr=False)  #: HTML with pictures and plots, as the command writes it

    def __getitem__(self, key: str) -> Estimate:
        """The estimate of a key."""
        for estimate in self.estimates:
            if estimate.key == key:
                return estimate
        raise KeyError(key)


def fit(images: Images, *, labels: Images | None = None, spacing_um: Triple | None = None,
        scene: Scene | None = None, known: Mapping[str, Any] | None = None,
        camera: Path | None = None, psf: Path | None = None,
        stages: Sequence[str] = _STAGES, seconds: float = 600, evidence: int = 20,
        channel: int | None = None, frame: int | None = None, workers: int | None = None,
        memory: Memory = None, progress: Progress = None) -> tuple[Scene, Evidence]:
    """Make a twin of real images: a scene whose simulated images are like them.

    Camera, shapes, light, optics and texture are found one after another: the scene is simulated
    and measured as the real images are, and its keys are moved until both agree. The result is that
    of the command ``synthoscope fit``.

    Parameters
    ----------
    images : path, array, or sequence of them
        Real images of one kind, files or arrays (y, x) or (z, y, x).
    labels : path, array, or sequence of them, optional
        Labels of their objects, one image for each image.
    spacing_um : tuple of float, optional
        Distance of voxels along z, y, x: of arrays, and of files instead of what they say.
    scene : Scene, optional
        To begin with: its kinds of objects, optics and keys that no stage fits. Default: nuclei in
        a wide-field microscope.
    known : dict, optional
        Keys that are known, such as ``{"optics.na": 1.2}``; they are kept.
    camera, psf : path, optional
        A camera file and an image of a measured PSF; they are kept.
    stages : sequence of str
        What is fitted.
    seconds : float
        Time after which no simulation begins.
    evidence : int
        Simulated images that are compared with held out ones: the last of several images, or half
        of a single one; 20 or more for a verdict. 0: nothing is held out, as with the camera
        alone.
    channel, frame : int, optional
        Of files with several.
    workers : int, optional
        Number of threads. Default: all cores.
    memory : int or str, optional
        Limit of the memory.
    progress : callable, optional
        Called with the name of the stage, the units done and their number.

    Returns
    -------
    scene : Scene
    evidence : Evidence

    Raises
    ------
    ValueError
        An image, its labels or a key cannot be used; the message says why.
    MemoryError, OSError, KeyboardInterrupt
        The memory is too small, a file cannot be read, or the call was interrupted.
    """
    spacing = None if spacing_um is None else tuple(float(length) for length in spacing_um)
    start = Scene.from_dict({}) if scene is None else scene
    assignments = [".".join(path) + " = " + _toml.text_of(value)
                   for path, value in _toml.flat(dict(known or {}))]
    if not seconds > 0:
        raise ValueError(f"fit: seconds is {seconds}; give a number above 0")
    if evidence < 0:
        raise ValueError(f"fit: evidence is {evidence}; give 0 or more")
    spec, text, scene_toml, camera_toml, page = _core.fit_twin(
        listed(images, "fit images"), listed(labels, "fit labels"),
        _core.AboutImages(channel, frame, spacing), start._spec, assignments,
        None if camera is None else os.fspath(camera), None if psf is None else os.fspath(psf),
        list(stages), float(seconds), evidence, resources_of(workers, memory, progress))
    found = json.loads(text)
    return Scene(spec), Evidence(
        estimates=[Estimate(**one) for stage in found["stages"] for one in stage["estimates"]],
        untold={stage["stage"]: stage["untold"] for stage in found["stages"]},
        refusals={stage["stage"]: stage["refusal"] for stage in found["stages"]
                  if stage["refusal"]},
        places=[_place_of(place) for place in found["evidence"]],
        scene_toml=scene_toml, camera_toml=camera_toml, page=page)


def _place_of(place: dict[str, Any]) -> ComparedPlace:
    return ComparedPlace(
        where=place["where"], verdict=place["verdict"],
        logistic=Measure(**place["auc_logistic_regression"]),
        forest=Measure(**place["auc_random_forest"]), energy=Measure(**place["energy_distance"]),
        statistics=place["statistics"])
