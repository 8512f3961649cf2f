# SPDX-License-Identifier: MIT
"""Filters and resampling with the signatures and results of `scipy.ndimage`, and additional
arguments.

Every function accepts `workers`, a number of threads, and `memory`, bytes for buffers in addition
to the arrays. Arrays in C order of int8 to uint32, float32 or float64 are read in place; other
arrays are copied first. The interpreter's lock is released while the library works, and Ctrl-C
stops it. `local_mean_variance` has no counterpart in scipy.
"""
from ._ndgaussians import gaussian_filter, gaussian_filter1d
from ._ndinterpolation import affine_transform, map_coordinates, rotate, shift, zoom
from ._ndkernels import convolve, correlate
from ._ndlines import convolve1d, correlate1d
from ._ndmeans import uniform_filter, uniform_filter1d
from ._ndsplines import spline_filter, spline_filter1d
from ._ndstatistics import local_mean_variance

__all__ = ["affine_transform", "convolve", "convolve1d", "correlate", "correlate1d",
           "gaussian_filter", "gaussian_filter1d", "local_mean_variance", "map_coordinates",
           "rotate", "shift", "spline_filter", "spline_filter1d", "uniform_filter",
           "uniform_filter1d", "zoom"]
