# SPDX-License-Identifier: MIT
"""Cameras that record arrays of photons."""
from __future__ import annotations

import operator
import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import _core, _messages, _toml
from ._parts import as_memory, as_workers
from ._types import Array, Keys, Memory, Path
from ._voxels import as_read

_MOST = {"seed": 2**63, "exposure": 2**32}

# Of the brightest: what a blur by transforms of single precision leaves below 0
_ROUNDING = 1e-4


class Camera:
    """A camera as in a scene: ``[camera]`` in docs/reference/scene.md lists its keys.

    Make one with `from_toml`, `from_dict` or `Scene.camera`. It can be pickled and copied.

    Parameters
    ----------
    spec : _core.CameraSpec
        Made by the functions below; do not create it yourself.
    """

    def __init__(self, spec: _core.CameraSpec):
        self._spec = spec
        self._last: tuple[Any, Any] = None, None  # what a recorder is for, and it

    @classmethod
    def from_toml(cls, source: Path, channel: str | None = None) -> Camera:
        """Reads a camera from a TOML file or from text: a camera file, or the camera of a scene.

        Parameters
        ----------
        source : str or path-like
            As for `Scene.from_toml`.
        channel : str, optional
            For a scene with channels: the channel whose camera to read. Default: the first.

        Returns
        -------
        Camera

        Raises
        ------
        ValueError
            A key or a value is wrong.
        OSError
            The file cannot be read.
        """
        if _toml.is_text(source):
            return cls(_toml.parsed(_core.CameraSpec.parse, source, channel))
        return cls(_core.CameraSpec.read(os.fsdecode(source), channel))

    @classmethod
    def from_dict(cls, keys: Keys) -> Camera:
        """Makes a camera from keys; other keys have their defaults.

        Parameters
        ----------
        keys : dict
            Such as ``{"kind": "emccd", "em_gain": 200}``.

        Returns
        -------
        Camera

        Raises
        ------
        ValueError
            A key or a value is wrong.
        """
        return cls(_core.CameraSpec.parse(_toml.document_of({"camera": keys}), "the dictionary",
                                          False, None))

    def record(self, photons: ArrayLike, seed: int, exposure: int = 0, *,
               workers: int | None = None, memory: Memory = None) -> Array:
        """Records expected photons as counts, with the noise of an exposure.

        The counts depend only on camera, seed, exposure and photons, and are the same as those of
        the command `detect`. A warning reports clipped counts. Photons below 0 count as 0, with a
        warning unless they are rounding errors, 1e-4 of the brightest or less.

        Parameters
        ----------
        photons : array_like
            (y, x) or (z, y, x), finite: expected photons per pixel and exposure.
        seed : int
            >= 0. Determines all random numbers, including the fixed pattern of the camera.
        exposure : int
            The number of the recording, from 0: noise differs between exposures, the fixed pattern
            does not. It is not the exposure time.
        workers : int, optional
            Threads, as for `simulate`.
        memory : int or str, optional
            A hard limit, as for `simulate`.

        Returns
        -------
        ndarray
            uint8 or uint16, of the shape of `photons`, or smaller along y and x if the camera bins.

        Raises
        ------
        ValueError
            `photons` is not such an array, or the binning or the maps of the camera do not fit it.
        MemoryError
            More `memory` is needed.
        OSError
            A map cannot be read.
        """
        light = as_read(np.asarray(photons))
        if light.ndim not in (2, 3) or light.size == 0:
            raise ValueError(f"record: photons have the shape {light.shape}; give (y, x) or "
                             "(z, y, x)")
        for name, value in (("seed", seed), ("exposure", exposure)):
            if not 0 <= operator.index(value) < _MOST[name]:
                raise ValueError(f"record: {name} is {value}; give 0 to {_MOST[name] - 1}")
        volume = light.reshape((1,) * (3 - light.ndim) + light.shape)
        recorder = self._recorder(volume.shape, seed, as_workers(workers), as_memory(memory))
        counts: Array = np.empty(recorder.shape, recorder.dtype)
        negative, lowest = recorder.record(volume, exposure, counts)
        if lowest < -_ROUNDING * float(volume.max()):
            _messages.warn(f"record: {negative} of {volume.size} photons are below 0, as far as "
                           f"{lowest:.3g}, and were taken as 0; give expected photons")
        return counts.reshape(counts.shape[-light.ndim:])

    def _recorder(self, *wanted: Any) -> _core.Recorder:
        """The recorder with the fixed pattern of a seed, which consecutive exposures share."""
        known, recorder = self._last
        if known != wanted:
            shape, seed, workers, memory = wanted
            recorder = _core.Recorder(self._spec, *shape, seed, workers, memory)
            self._last = wanted, recorder
        return recorder

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_last": (None, None)}

    def __repr__(self) -> str:
        keys, channel = self._spec.given_keys(), self._spec.channel
        if channel:  # whose noise is its own
            return f"<Camera of channel {channel!r}: {keys}>"
        return f"Camera.from_dict({keys})"
