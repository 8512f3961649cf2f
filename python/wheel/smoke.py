# SPDX-License-Identifier: MIT
# python/wheel/smoke.py — whether an installed wheel works here: a line for each thing it does.
"""Needs the package and numpy, nothing else. Ends with 1 where a result is wrong."""
import os
import platform
import sys
import tempfile
import time

import numpy as np
import synthoscope
from synthoscope import ndimage, signal


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


def smooth(dtype):
    """The largest error of a Gaussian at a point, of its peak."""
    image = np.zeros((33, 35, 37), dtype)
    image[16, 17, 18] = 1
    lines = [np.exp(-0.5 * ((np.arange(n) - n // 2) / 2) ** 2) for n in image.shape]
    z, y, x = ((line * (np.abs(np.arange(line.size) - line.size // 2) <= 8)) for line in lines)
    expected = np.einsum("i,j,k", z / z.sum(), y / y.sum(), x / x.sum())
    return np.abs(ndimage.gaussian_filter(image, 2) - expected).max() / expected.max()


def look_up():
    """The largest error of a cubic spline at the voxels that it goes through."""
    image = np.random.default_rng(1).random((40, 50))
    at = np.indices(image.shape)
    return np.abs(ndimage.map_coordinates(image, at, order=3, mode="mirror") - image).max()


SCENE = {"seed": 1, "grid": {"size": [12, 64, 64], "pitch_nm": [500, 115, 115]},
         "nuclei": {"count": 2, "radius_um": 1.5}, "optics": {"na": 0.8, "coverslip_um": 0}}


def simulation():
    """0 where an image shows the nuclei that its labels and its table tell of, else 1."""
    made = synthoscope.simulate(SCENE)
    inside = made.labels > 0
    told = sorted(made.objects["id"]) == [1, 2] == sorted(set(made.labels[inside].tolist()))
    return 0 if told and made.image[inside].mean() > 1.2 * made.image[~inside].mean() else 1


def deconvolution():
    """How much of the light of a blurred point is not found where the point was."""
    z, y, x = np.ogrid[-3:4, -6:7, -6:7]
    psf = np.exp(-(z**2 + (y**2 + x**2) / 5))
    image = np.zeros((14, 30, 32))
    image[4:11, 10:23, 5:18] = psf * 1000 / psf.sum()
    light = synthoscope.deconvolve(image, psf, background=None)
    return 1 - light[6:9, 15:18, 10:13].sum() / 1000


def folder():
    """0 where a data set of compressed TIFF and one of HDF5 are written, else 1."""
    with tempfile.TemporaryDirectory() as into:
        for form, compression in (("tiff", "zstd"), ("hdf5", "deflate")):
            made = synthoscope.simulate(SCENE, os.path.join(into, form), format=form,
                                        compression=compression)
            if not all(os.path.getsize(name) for name in made.files):
                return 1
    return 0


# What is done, and the error that it may have
DONE = (
    ("small sum", lambda: blur((20, 30), (3, 3), np.float64), 1e-14),
    ("double transform", lambda: blur((24, 60, 70), (9, 11, 13), np.float64), 1e-14),
    ("single transform", lambda: blur((24, 60, 70), (9, 11, 13), np.float32), 1e-5),
    ("Gaussian, single", lambda: smooth(np.float32), 1e-6),
    ("Gaussian, double", lambda: smooth(np.float64), 1e-14),
    ("cubic spline", look_up, 1e-12),
    ("deconvolution", deconvolution, 0.02),
    ("simulation to arrays", simulation, 0),
    ("simulation to folders", folder, 0),
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
