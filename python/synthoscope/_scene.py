# SPDX-License-Identifier: MIT
"""Scenes: everything that determines a simulated data set."""
from __future__ import annotations

import os
import pprint
import warnings
from typing import Any

import numpy as np

from . import _core, _toml
from ._camera import Camera
from ._parts import Phantom, Psf, as_memory, as_workers
from ._types import Keys, Memory, Path, Triple

_DICTIONARY = "the dictionary"  # in messages, in place of a file's name


class Scene:
    """A sample, the optics and the camera. It is immutable.

    Make one with `from_toml` or `from_dict`. ``scene["optics.na"]`` is the value of a key and
    ``scene["optics"]`` a table of them; docs/reference/scene.md lists all keys. Scenes are equal if
    all their keys are equal, and can be pickled.

    Parameters
    ----------
    spec : _core.Scene
        Made by the functions below; do not create it yourself.
    """

    def __init__(self, spec: _core.Scene):
        self._spec = spec

    @classmethod
    def from_toml(cls, source: Path) -> Scene:
        """Reads a scene from a file or from text, as the program does.

        Parameters
        ----------
        source : str or path-like
            The name of a TOML file, or TOML: a str with ``=`` or a line break; a pathlib.Path is
            always a name. Paths in a file are relative to its folder, paths in text to the current
            one. A table ``[sweep]`` is ignored, with a warning.

        Returns
        -------
        Scene

        Raises
        ------
        ValueError
            The source is not TOML, or a key or a value is wrong; the message says where, and what
            is accepted.
        OSError
            The file cannot be read.
        """
        if _toml.is_text(source):
            return cls(_toml.parsed(_core.Scene.parse, source))
        path = os.fsdecode(source)
        scene = cls(_core.Scene.read(path))
        if _core.Scene.is_sweep(path):
            warnings.warn(f"{path}: its [sweep] is ignored, because a Scene makes one data set; "
                          "the program makes all of them", stacklevel=2)
        return scene

    @classmethod
    def from_dict(cls, keys: Keys) -> Scene:
        """Makes a scene from keys; other keys have their defaults.

        Parameters
        ----------
        keys : dict
            Tables as dictionaries, such as ``{"seed": 1, "optics": {"na": 1.2}}``, and channels as
            a list of dictionaries under ``"channel"``. None means that a key is not given.

        Returns
        -------
        Scene

        Raises
        ------
        ValueError
            A key or a value is wrong; the message says which, and what is accepted.
        """
        return cls(_core.Scene.parse(_toml.document_of(keys), _DICTIONARY, False))

    def with_(self, keys: Keys | None = None, /, **tables: Any) -> Scene:
        """A copy with other values of some keys.

        Parameters
        ----------
        keys : dict, optional
            By full names, ``{"optics.na": 1.2, "channel.gfp.camera.binning": 2}``, or in tables.
            None, which unsets a key in `from_dict`, is an error.
        **tables
            The same, such as ``seed=3`` or ``camera={"binning": 2}``.

        Returns
        -------
        Scene

        Raises
        ------
        ValueError
            A key or a value is wrong or None, or the values are not compatible.
        """
        spec = self._spec
        for path, value in _toml.flat({**(keys or {}), **tables}):
            name = ".".join(path)
            if value is None:
                raise ValueError(f"change the scene: {name} is None; give a value, or make a scene "
                                 "without the key with from_dict")
            spec = spec.with_key(name + " = " + _toml.text_of(value))
        spec.check()
        return Scene(spec)

    def to_dict(self) -> dict[str, Any]:
        """Every key, in dictionaries of tables; None if a key is not set.

        Returns
        -------
        dict
        """
        return self._spec.keys()

    def to_toml(self) -> str:
        """Every key, as TOML that the program and `from_toml` read.

        Returns
        -------
        str
        """
        return self._spec.to_toml()

    @property
    def seed(self) -> int | None:
        """The seed of all random numbers; None if every simulation uses a random one."""
        return self._spec.seed

    @property
    def frames(self) -> int:
        """The number of frames of a data set."""
        return self._spec.frames

    @property
    def channels(self) -> tuple[str, ...]:
        """Names of its channels; an empty tuple if it has none and makes one image."""
        return self._spec.channels

    @property
    def shape(self) -> tuple[int, int, int]:
        """Voxels (z, y, x) of labels and photons, and of images if the camera does not bin."""
        return self._spec.size

    @property
    def spacing_um(self) -> Triple:
        """Distances (z, y, x) of these voxels, in micrometres."""
        return self._spec.spacing_um

    @property
    def is_movie(self) -> bool:
        """Whether its frames show the same moving objects, instead of independent ones."""
        return self._spec.is_movie

    def phantom(self, frame: int = 0, *, channel: str | None = None,
                workers: int | None = None, memory: Memory = None) -> Phantom:
        """Renders the phantom, before any optics.

        Parameters
        ----------
        frame : int
            The frame of the scene, from 0.
        channel : str, optional
            The channel whose light to render. Default: the first.
        workers : int, optional
            Threads, as for `simulate`.
        memory : int or str, optional
            A hard limit, as for `simulate`.

        Returns
        -------
        Phantom

        Raises
        ------
        ValueError
            There is no such frame or channel, objects cannot be placed, or the scene has no seed.
        MemoryError
            More `memory` is needed; the message says how much.
        """
        self._require_seed("phantom")
        light = np.empty(self._spec.sample_size, np.float32)
        labels = np.empty(self.shape, np.uint16)
        _core.render_phantom(self._spec, channel, frame, light, labels,
                             as_workers(workers), as_memory(memory))
        return Phantom(light, labels, self.spacing_um)

    def psf(self, channel: str | None = None, *, workers: int | None = None,
            memory: Memory = None) -> Psf:
        """Computes the point spread function, with the voxel size of the blur.

        Parameters
        ----------
        channel : str, optional
            Default: the first.
        workers : int, optional
            Threads, as for `simulate`.
        memory : int or str, optional
            A hard limit, as for `simulate`.

        Returns
        -------
        Psf

        Raises
        ------
        ValueError
            There is no such channel, or a measured PSF cannot be used.
        MemoryError
            More `memory` is needed.
        OSError
            The file of a measured PSF cannot be read.
        """
        return Psf(**_core.make_psf(self._spec, channel, as_workers(workers),
                                     as_memory(memory)))

    def camera(self, channel: str | None = None) -> Camera:
        """The camera of the scene, or of one of its channels.

        Parameters
        ----------
        channel : str, optional
            Default: the first.

        Returns
        -------
        Camera
        """
        return Camera(_core.CameraSpec.of_scene(self._spec, channel))

    def _require_seed(self, what: str) -> None:
        if self.seed is None:
            raise ValueError(f"{what}: the scene has no seed; give one, as scene.with_(seed=1)")

    def __getitem__(self, name: str) -> Any:
        place: Any = self.to_dict()
        for part in name.split("."):
            if not isinstance(place, dict) or part not in place:
                raise KeyError(name)
            place = place[part]
        return place

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scene) and self.to_toml() == other.to_toml()

    def __hash__(self) -> int:
        return hash(self.to_toml())

    def __reduce__(self) -> tuple[Any, ...]:
        return Scene.from_toml, (self.to_toml(),)

    def __repr__(self) -> str:
        keys = pprint.pformat(self._spec.given_keys(), width=76, compact=True, sort_dicts=False)
        return "Scene.from_dict(" + keys.replace("\n", "\n" + " " * len("Scene.from_dict(")) + ")"
