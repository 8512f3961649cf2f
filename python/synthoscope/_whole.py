# SPDX-License-Identifier: MIT
"""Convolves integers exactly, modulo 2**64 as in numpy."""
import numpy as np

# Sums of products below 2**53 are exact in double precision. Transforms err by some units in the
# last place of max|f| max|g| sqrt(sizes): this many bits less leave far less than a half, so that
# rounding finds the sum.
_SAFE_BITS = 46


def convolve_whole(in1, in2, convolve):
    """Returns the convolution of two arrays of integers or booleans, in their common type.

    convolve : called with two float64 arrays of integers, several times if the numbers are too
        large for one call; returns their convolution in float64.
    """
    dtype = np.result_type(in1, in2)
    bits1, bits2 = _bits(in1), _bits(in2)
    spread = np.log2(float(in1.size) * float(in2.size)) / 2
    if bits1 + bits2 + spread <= _SAFE_BITS:
        result = convolve(in1, in2)
        np.rint(result, out=result)
        return result.astype(bool) if dtype.kind == "b" else result.astype(np.int64).astype(dtype)
    bits = int(_SAFE_BITS - spread) // 2
    result = None
    for shift1, part1 in _digits(in1, bits, bits1):
        for shift2, part2 in _digits(in2, bits, bits2):
            if shift1 + shift2 >= 64:
                continue
            product = np.rint(convolve(part1, part2)).astype(np.int64).view(np.uint64)
            product <<= np.uint64(shift1 + shift2)
            result = product if result is None else np.add(result, product, out=result)
    return result.astype(dtype)


def _bits(array):
    """Returns the number of bits of the largest magnitude."""
    if array.dtype.kind == "b":
        return 1
    return max(abs(int(array.max())), abs(int(array.min()))).bit_length()


def _digits(array, bits, all_bits):
    """Yields (shift, part): `array` is the sum of the float64 arrays part * 2**shift."""
    negative = array < 0
    magnitude = array.astype(np.int64 if array.dtype.kind == "i" else np.uint64).view(np.uint64)
    magnitude = np.where(negative, ~magnitude + np.uint64(1), magnitude)
    for shift in range(0, max(all_bits, 1), bits):
        digit = ((magnitude >> np.uint64(shift)) & np.uint64(2**bits - 1)).astype(np.float64)
        yield shift, np.where(negative, -digit, digit)
