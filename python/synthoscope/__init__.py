# SPDX-License-Identifier: MIT
"""Simulates microscopy images with exact ground truth, and convolves arrays of any size, with the
library behind the program synthoscope.

`simulate` makes the images of a `Scene` with their truth, `frames` makes as many frames as training
needs, and `convolve_file` convolves files that do not fit in memory. `deconvolve` and
`deconvolve_file` find the light that most likely made an image. `synthoscope.signal` has functions
of `scipy.signal`, `synthoscope.ndimage` functions of `scipy.ndimage`, and `synthoscope.words`
compares and classifies textures. `synthoscope.score` scores results beside the truth, `compare`
says how alike real and simulated images are, and `fit` makes the scene of a user's own images.
"""
from . import ndimage, score, signal, words
from ._camera import Camera
from ._compare import Likeness, compare
from ._core import version as __version__
from ._deconvolve import Deconvolved, deconvolve, deconvolve_file
from ._files import Convolved, convolve_file
from ._fit import Evidence, fit
from ._frames import Frame, Frames, frames
from ._parts import Phantom, Psf
from ._scene import Scene
from ._simulate import DataSet, Simulated, simulate

__all__ = ["Camera", "Convolved", "DataSet", "Deconvolved", "Evidence", "Frame", "Frames",
           "Likeness", "Phantom", "Psf", "Scene", "Simulated", "compare", "convolve_file",
           "deconvolve", "deconvolve_file", "fit", "frames", "ndimage", "score", "signal",
           "simulate", "words", "__version__"]
