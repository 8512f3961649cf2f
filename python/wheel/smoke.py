# SPDX-License-Identifier: MIT
# python/wheel/smoke.py — whether an installed wheel works here: a line for each thing it does.
"""Needs the package and numpy, nothing else. Ends with 1 where a result is wrong."""
import os
import platform
import sys
import time

import numpy as np
import synthoscope
from synthoscope import signal


def vector_instructions():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        flags = next((line.split() for line in file if line.startswith("flags")), [])
    return next((name for name in ("avx512f", "avx2", "sse2") if name in flags), "none of x86")


def summed(f, g):
    """The full convolution of two arrays, by its definition."""
    result = np.zeros(np.add(f.shape, g.shape) - 1, np.float64)
    for at in np.ndindex(*g.shape):
        result[tuple(slice(a, a + n) for a, n in zip(at, f.shape))] += f * g[at]
    return result


def blur(shape, kernel, dtype):
    """The largest error of a convolution, of the largest result."""
    random = np.random.default_rng(1)
    f, g = random.random(shape).astype(dtype), random.random(kernel).astype(dtype)
    expected = summed(f, g)
    return np.abs(signal.fftconvolve(f, g) - expected).max() / expected.max()


# What is done, and the error that it may have
DONE = (
    ("small sum", lambda: blur((20, 30), (3, 3), np.float64), 1e-14),
    ("double transform", lambda: blur((24, 60, 70), (9, 11, 13), np.float64), 1e-14),
    ("single transform", lambda: blur((24, 60, 70), (9, 11, 13), np.float32), 1e-5),
)


def main():
    print(f"synthoscope {synthoscope.__version__}, Python {platform.python_version()}, numpy "
          f"{np.__version__}, {' '.join(platform.libc_ver())}, {os.cpu_count()} cores, "
          f"{vector_instructions()}")
    wrong = 0
    for name, work, allowed in DONE:
        begin = time.perf_counter()
        error = work()
        wrong += not error <= allowed
        print(f"{name:24} error {error:.1e} of {allowed:.0e}  {time.perf_counter() - begin:.2f} s"
              f"{'' if error <= allowed else '  WRONG'}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
