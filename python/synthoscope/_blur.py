# SPDX-License-Identifier: MIT
"""Images blurred by a microscope, which keep what they add up to."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._scene import Scene
from ._types import Array
from .signal import fftconvolve


def microscope_blur(image: Array, optics: dict[str, Any], pitch_nm: Sequence[float],
                    is_volume: bool) -> Array:
    """`image` blurred by the point spread function of a scene's `optics`, made to add up to 1, at
    voxels of `pitch_nm` (z, y, x): as a volume, or each plane by what a plane in focus becomes."""
    size = image.shape[-3:] if is_volume and image.ndim > 2 else (1, *image.shape[-2:])
    grid = {"size": [int(n) for n in size], "pitch_nm": [float(step) for step in pitch_nm]}
    psf = Scene.from_dict({"grid": grid, "optics": optics}).psf()
    used = slice(-3, None) if image.ndim > 2 else slice(-2, None)
    array = psf.array.reshape(psf.array.shape[used])
    return convolved(image, array / array.sum(dtype=np.float64), psf.center[used])


def convolved(image: Array, kernel: Array, center: Sequence[int]) -> Array:
    """`image` convolved along its last axes, in its precision. `center` is the place in `kernel`
    that keeps light where it is. Beyond its faces the image goes on mirrored."""
    axes = range(image.ndim - kernel.ndim, image.ndim)
    around = [(0, 0)] * (image.ndim - kernel.ndim)
    around += [(m - 1 - c, c) for m, c in zip(kernel.shape, center)]
    kernel = kernel.reshape((1,) * (image.ndim - kernel.ndim) + kernel.shape).astype(image.dtype)
    return fftconvolve(np.pad(image, around, mode="symmetric"), kernel, "valid", axes=axes)
