# SPDX-License-Identifier: MIT
# bench/deconvolution/deconvolution_rounding.py — how far estimates of different strategies drift
# apart.
"""Usage: deconvolution_rounding.py PROGRAM FOLDER [--only NAME ...] [--methods rl shb]

Deconvolves one image (light that goes on beyond the field, wide-field PSF, Poisson numbers) in
core, and by every other strategy: rings, tiles, frequency parts, volumes in files, and in the
memory of a GPU. All compute in single precision, so that they differ by rounding alone. For each
number of iterations, prints the largest difference from the estimate in core, by the brightest
voxel: of all voxels of the field, and of those that are half a PSF or more from its faces, where
the image determines the estimate from all sides.
"""
import argparse
import json
import os

import numpy
import tifffile

import simulated_light
from deconvolution_peers import make_image

FIELD, KERNEL = (64, 96, 100), (25, 41, 41)
MIDDLE = tuple(slice(k // 2, -(k // 2)) for k in KERNEL)
NUMBERS = [1, 5, 10, 20, 30, 50, 100]
STRATEGIES = {"ring": ["--strategy", "ring"], "tiles": ["--strategy", "tiles"],
              "parts": ["--strategy", "parts"], "files": ["--memory"],
              "GPU": ["--gpus", "all"]}


def call(asked, method, count, options, check=True):
    if "--gpus" not in options:
        options = [*options, "--gpus", "none"]
    words = simulated_light.words_for(asked.program, method, count)
    return simulated_light.call([*words, "--json", *options], asked.folder, check)


def deconvolve(asked, method, count, options):
    call(asked, method, count, options)
    return tifffile.imread(f"{asked.folder}/found.tif").astype("f8")


def least_memory(asked):
    """The least budget with which a run succeeds: its volumes lie in files."""
    for budget in range(12, 100, 2):
        result = call(asked, "shb", 1, ["--memory", f"{budget}M"], check=False)
        if result.returncode == 0 and json.loads(result.stdout)["scratch_files"]:
            return f"{budget}M"
    raise SystemExit("no budget brings the volumes into files")


def largest(other, within, part=...):
    return float(numpy.abs(other - within)[part].max() / within.max())


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("folder")
    parser.add_argument("--only", nargs="+", default=list(STRATEGIES), choices=list(STRATEGIES))
    parser.add_argument("--methods", nargs="+", default=["rl", "shb"])
    asked = parser.parse_args()
    os.makedirs(asked.folder, exist_ok=True)
    make_image(FIELD, KERNEL, asked.program, asked.folder)
    options = {name: list(STRATEGIES[name]) for name in asked.only}
    if "files" in options:
        options["files"].append(least_memory(asked))
    for method in asked.methods:
        print(f"{method}, from in core: iterations | " +
              " | ".join(f"{name}, middle" for name in options))
        for count in NUMBERS:
            within = deconvolve(asked, method, count, ["--strategy", "in-core"])
            cells = []
            for words in options.values():
                other = deconvolve(asked, method, count, words)
                cells.append(f"{largest(other, within):.1e} "
                             f"{largest(other, within, MIDDLE):.1e}")
            print(f"{count:4d} | " + " | ".join(cells), flush=True)


if __name__ == "__main__":
    main()
