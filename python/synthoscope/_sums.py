# SPDX-License-Identifier: MIT
"""Convolution by its definition, with numpy only: for types that the library does not support."""
import numpy as np


def summed(in1, in2, mode, joint):
    """Returns in1 and in2 convolved along the axes `joint` and broadcast along the others: adds a
    shifted copy of in1 for every element of in2. Works for any type with products and sums."""
    shape = [n + m - 1 if axis in joint else max(n, m)
             for axis, (n, m) in enumerate(zip(in1.shape, in2.shape))]
    full = np.zeros(shape, np.result_type(in1, in2))
    for index in np.ndindex(*(in2.shape[axis] for axis in joint)):
        there, element = [slice(None)] * in1.ndim, [slice(None)] * in1.ndim
        for axis, at in zip(joint, index):
            there[axis] = slice(at, at + in1.shape[axis])
            element[axis] = slice(at, at + 1)
        full[tuple(there)] += in1 * in2[tuple(element)]
    if mode == "full":
        return full
    wanted = in1.shape if mode == "same" else [
        n - m + 1 if axis in joint else max(n, m)
        for axis, (n, m) in enumerate(zip(in1.shape, in2.shape))]
    begins = [(have - want) // 2 for have, want in zip(shape, wanted)]
    return full[tuple(slice(b, b + want) for b, want in zip(begins, wanted))]
