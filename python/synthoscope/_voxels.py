# SPDX-License-Identifier: MIT
"""Types of elements: the precision they are computed in, and those read without conversion."""
import functools

import numpy as np

# Types that the library reads and stores.
STORED = frozenset(
    np.dtype(name) for name in
    ("int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"))


@functools.lru_cache(maxsize=64)
def precision_of(dtype):
    """Returns the type that a convolution of elements of `dtype` is computed in: single or double
    precision, real or complex; double for integers. None for types that are not numbers or have
    more than double precision, which the library does not support.
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
    """Returns `array` if the library reads its type and order, otherwise a converted copy."""
    if array.dtype.kind == "b":
        array = array.view(np.uint8)
    return np.ascontiguousarray(array, dtype=_read_type(array.dtype))
