# SPDX-License-Identifier: MIT
"""Microscopy images whose truth is known, and convolution of arrays of any size, by the library
behind the program synthoscope.

`simulate` makes images and their truth of a `Scene`, `frames` as many as training takes;
`convolve_file` convolves what does not fit memory.
`synthoscope.signal` has the functions of `scipy.signal` that it computes itself, and
`synthoscope.ndimage` those of `scipy.ndimage`; `synthoscope.words` tells textures apart.
"""
from . import ndimage, signal, words
from ._camera import Camera
from ._core import version as __version__
from ._files import Convolved, convolve_file
from ._frames import Frame, Frames, frames
from ._parts import Phantom, Psf
from ._scene import Scene
from ._simulate import DataSet, Simulated, simulate

__all__ = ["Camera", "Convolved", "DataSet", "Frame", "Frames", "Phantom", "Psf", "Scene",
           "Simulated", "convolve_file", "frames", "ndimage", "signal", "simulate", "words",
           "__version__"]
