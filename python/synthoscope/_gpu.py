# SPDX-License-Identifier: MIT
"""Arrays on a GPU, of cupy, torch, jax or any library that supports DLPack."""
import importlib
import math
import sys

import numpy as np

from . import _core
from ._axes import convolved_axes, cut, wanted_axes
from ._voxels import as_read

_CUDA = 2  # DLPack's kDLCUDA


def is_on_gpu(array):
    """Returns whether `array` is in the memory of a CUDA GPU."""
    if type(array) is np.ndarray or not hasattr(array, "__dlpack_device__"):
        return False
    return int(array.__dlpack_device__()[0]) == _CUDA


def to_host(array):
    """Returns a copy as a numpy array."""
    return _core.fetch(_volume(array, (1, 1, -1))).reshape(tuple(array.shape))


class OnGpu:
    """An array of any library on a GPU, with numpy's names for its properties.

    Attributes
    ----------
    shape, ndim, size, dtype : as numpy has them.
    """

    def __init__(self, array):
        self._array = array
        self.shape = tuple(array.shape)
        self.ndim, self.size = len(self.shape), math.prod(self.shape)
        dtype = array.dtype
        self.dtype = (dtype if isinstance(dtype, np.dtype)
                      else np.dtype(str(dtype).removeprefix("torch.")))

    def volume(self, shape):
        """Returns the elements in C order in another shape; a view if they are in C order."""
        return _volume(self._array, shape)

    def like(self, made, shape):
        """Returns a result as an array of the library that this array is from."""
        array = _library_of(self._array).from_dlpack(made)
        return array if tuple(array.shape) == shape else array.reshape(shape)

    def stacked(self, made, shape):
        """Returns several results joined along a new first axis."""
        library = _library_of(self._array)
        stack = getattr(library, "stack", None) or importlib.import_module("jax.numpy").stack
        return stack([self.like(one, shape) for one in made])


def taken(array):
    """Returns an OnGpu for an array on a GPU, otherwise a numpy array."""
    if isinstance(array, OnGpu):
        return array
    return OnGpu(array) if is_on_gpu(array) else np.asarray(array)


def _volume(array, shape):
    return array.reshape(-1).reshape(shape)  # via one axis, so that the result is in C order


def convolve_there(in1, in2, mode, axes, method, memory):
    """Returns the convolution of `in1` and `in2`, at least one of them on a GPU, in single
    precision, as an array of the same library on the same GPU. If the smaller one is on the GPU, it
    is copied to the host, because it is inspected and transferred again in another form.

    Raises ValueError if the larger one is on the host, and for work that only the host can do.
    """
    in1, in2 = (array if is_on_gpu(array) else np.asarray(array) for array in (in1, in2))
    shape1, shape2 = tuple(in1.shape), tuple(in2.shape)
    if len(shape1) != len(shape2):
        raise ValueError(f"the arrays have {len(shape1)} and {len(shape2)} axes; give both the "
                         "same number")
    if 0 in shape1 + shape2 or not shape1:
        raise ValueError("the arrays have no element, or no axis; copy them to the host")
    if mode not in ("full", "same", "valid"):
        raise ValueError(f"mode is {mode!r}; use 'full', 'same' or 'valid'")
    joint = convolved_axes(shape1, shape2, wanted_axes(axes, len(shape1)))
    if mode != "same" and np.prod(shape1) < np.prod(shape2):
        in1, in2, shape1, shape2 = in2, in1, shape2, shape1
    if mode == "valid" and any(shape1[axis] < shape2[axis] for axis in joint):
        raise ValueError(f"mode 'valid' of shapes {shape1} and {shape2}: each is longer than the "
                         "other along some axis; use 'full' or 'same'")
    if not is_on_gpu(in1):
        raise ValueError("the array that is convolved lies on the host and the kernel on a GPU; "
                         "bring both to the GPU, or both to the host")
    if len(joint) > 3 or (layout := cut(shape1, shape2, mode, joint)).looped:
        raise ValueError(f"shapes {shape1} and {shape2} take more than one convolution of 3 axes; "
                         "call it for parts of them, or copy the arrays to the host")
    kernel = as_read(to_host(in2) if is_on_gpu(in2) else in2)
    made = _core.convolve_on_gpu(_volume(in1, layout.volumes[0]), kernel.reshape(layout.volumes[1]),
                                 mode, method, memory)
    return _library_of(in1).from_dlpack(made).reshape(layout.result)


def refuse_integers(in1, in2):
    """Raises ValueError if both hold integers, which only the host convolves exactly."""
    if all("int" in str(array.dtype) for array in (in1, in2)):
        raise ValueError("integers are convolved exactly, which only the host can do; convert "
                         "one to float32, use fftconvolve, or bring both to the host")


def _library_of(array):
    """Returns the module whose from_dlpack makes arrays of the type of `array`."""
    name = type(array).__module__.partition(".")[0]
    if name in ("jax", "jaxlib"):
        return importlib.import_module("jax.dlpack")
    return sys.modules[name]
