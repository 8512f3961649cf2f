# SPDX-License-Identifier: MIT
"""Convolution of arrays of any size, by the library behind the program synthoscope.

`synthoscope.signal` has the functions of `scipy.signal` that it computes itself.
"""
from . import signal
from ._core import version as __version__

__all__ = ["signal", "__version__"]
