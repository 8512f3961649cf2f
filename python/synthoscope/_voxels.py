# SPDX-License-Identifier: MIT
"""Element types: which are computed in which precision, and which are read as they are."""
import functools

import numpy as np

# What the library reads and stores by itself.
STORED = frozenset(
    np.dtype(name) for name in
    ("int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"))


@functools.lru_cache(maxsize=64)
def precision_of(dtype):
    """The type that a convolution with elements of `dtype` is computed in, alone: single or double
    precision, real or complex. Integers are taken in double precision. None for what is no number
    or has more precision than double, with which the library does not compute.
    """
    kind, size = dtype.kind, dtype.itemsize
    if kind in "biu" or (kind, size) == ("f", 8):
        return np.dtype(np.float64)
    if kind == "f" and size < 8:
        return np.dtype(np.float32)
    if kind == "c" and size <= 16:
        return np.dtype(np.complex64 if size == 8 else np.complex128)
    return None


@functools.lru_cache(maxsize=64)
def _read_type(dtype):
    native = dtype.newbyteorder("=")
    return native if native in STORED else precision_of(native)


def as_read(array):
    """`array` itself if the library reads its type and order, otherwise a copy that it reads."""
    if array.dtype.kind == "b":
        array = array.view(np.uint8)
    return np.ascontiguousarray(array, dtype=_read_type(array.dtype))
