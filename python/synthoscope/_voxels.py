# SPDX-License-Identifier: MIT
"""Element types: which are computed in which precision, and which are read as they are."""
import numpy as np

_READ_AS_THEY_ARE = {np.dtype(name) for name in
                     ("int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64")}


def precision_of(array):
    """The type that a convolution with `array` is computed in, alone: single or double precision,
    real or complex. Integers are taken in double precision.

    Raises ValueError for what is no number or has more precision than double.
    """
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind in "biu" or (kind, size) == ("f", 8):
        return np.dtype(np.float64)
    if kind == "f" and size < 8:
        return np.dtype(np.float32)
    if kind == "c" and size <= 16:
        return np.dtype(np.complex64 if size == 8 else np.complex128)
    raise ValueError(f"the elements are {array.dtype}; use integers, or real or complex numbers of "
                     "single or double precision")


def as_read(array):
    """`array` itself where the library reads its type and order, else a copy that it reads."""
    if array.dtype.kind == "b":
        array = array.view(np.uint8)
    native = array.dtype.newbyteorder("=")
    if native not in _READ_AS_THEY_ARE:
        native = precision_of(array)
    return np.ascontiguousarray(array, dtype=native)

