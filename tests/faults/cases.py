# SPDX-License-Identifier: MIT
# tests/faults/cases.py — runs whose calls fail, what they read, and how calls fail.
import os

import numpy
import tifffile
from program import TINY_SCENE

# Kinds of calls, how they fail, and the exit codes that say so: 0 where the program has to go on
FAULTS = [("allocate", "", {0, 3, 4, 5}),
          ("read", "EIO", {0, 3, 4}), ("read", "short", {0}), ("read", "EINTR", {0, 3, 4}),
          ("write", "ENOSPC", {0, 4}), ("write", "EIO", {0, 4}), ("write", "short", {0}),
          ("write", "EINTR", {0, 4})]
# Of a GPU: one without memory may have some again, one that is lost stays so
GPU_FAULTS = [("gpu-allocate", "memory", {0, 6}), ("gpu-allocate", "lost", {0, 6}),
              ("gpu-copy", "lost", {0, 6}), ("gpu-launch", "lost", {0, 6}),
              ("gpu-wait", "lost", {0, 6})]


def convolution(output, *options):
    return output, ["convolve", "image.tif", "kernel.tif", "-o", output, "--threads", "2",
                    "--memory", "40M", "--journal-every", "0", *options]


def simulation(*options):
    return "set", ["simulate", "scene.toml", "-o", "set", "--threads", "2", *options]


def kernel_work(command, *options):
    return "out.tif", [command, "image.tif", "-o", "out.tif", "--threads", "2", *options]


FORMATS = {"TIFF": "out.tif", "HDF5": "out.h5", "OME-Zarr": "out.ome.zarr"}
# name: what is written, and how
CASES = {f"convolve {strategy}, {name}": convolution(output, "--strategy", strategy)
         for strategy in ("in-core", "ring", "tiles", "parts") for name, output in FORMATS.items()}
CASES |= {
    "convolve tiles, TIFF deflate": convolution(
        "out.tif", "--strategy", "tiles", "--compression", "deflate"),
    "convolve ring, HDF5 deflate": convolution(
        "out.h5", "--strategy", "ring", "--compression", "deflate", "--chunks", "4,32,32"),
    "convolve parts, OME-Zarr zstd": convolution(
        "out.ome.zarr", "--strategy", "parts", "--compression", "zstd", "--chunks", "4,32,32"),
    "convolve ring, BDV": convolution(
        "out.h5", "--strategy", "ring", "--format", "bdv", "--chunks", "4,32,32"),
    "simulate, TIFF": simulation(),
    "simulate, HDF5": simulation("--format", "hdf5"),
    "simulate, OME-Zarr": simulation("--format", "zarr", "--compression", "zstd"),
}
# What has work for a GPU of its own
GPU_CASES = {name: case for name, case in CASES.items()
             if name in ("simulate, TIFF", "convolve ring, HDF5")
             or name.startswith("convolve") and name.endswith("TIFF")}
GPU_CASES |= {
    "filter": kernel_work("filter", "--gaussian", "2"),
    "variance": kernel_work("variance", "--window", "box:7"),
    "resample": kernel_work("resample", "--scale", "1,2,2", "--order", "3"),
}


def gaussian(shape):
    squares = sum(axis ** 2 for axis in numpy.ogrid[tuple(slice(-(n // 2), n // 2 + 1)
                                                          for n in shape)])
    return numpy.exp(-squares / 4.0).astype("f4")


def write_inputs(folder):
    draw = numpy.random.default_rng(1)
    grey = {"photometric": "minisblack"}
    tifffile.imwrite(os.path.join(folder, "image.tif"),
                     draw.integers(0, 200, (24, 60, 70)).astype("u2"), **grey)
    tifffile.imwrite(os.path.join(folder, "kernel.tif"),
                     gaussian((5, 9, 9)), **grey)
    with open(os.path.join(folder, "scene.toml"), "w", encoding="utf-8") as file:
        file.write(TINY_SCENE)
