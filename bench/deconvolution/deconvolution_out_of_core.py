# SPDX-License-Identifier: MIT
# bench/deconvolution/deconvolution_out_of_core.py — an iteration whose volumes lie in files, beside
# one whose volumes lie in memory.
"""Usage: deconvolution_out_of_core.py PROGRAM FOLDER [--size Z,Y,X] [--threads N ...]
           [--parts N ...] [--methods rl shb] [--iterations FEW MANY] [--repeats N]

Deconvolves one image with a PSF of 61 x 61 x 61 voxels in as much memory as it takes, and in a
half, a quarter, ... (--parts) of what that run needed at its peak. The volumes then lie in files of
FOLDER, which the system keeps in its cache where it has room. The time of an iteration is the
difference of a run with MANY and one with FEW iterations, the least of REPEATS each. Prints it, its
share, and the largest difference of the results by the brightest voxel.
"""
import argparse
import json
import os
import re

import numpy
import tifffile

import simulated_light
from deconvolution_peers import make_image

UNITS = {"MiB": 2 ** 20, "GiB": 2 ** 30}


def call(asked, method, threads, count, budget):
    """Seconds of the iterations with their start, and the most bytes counted."""
    words = [*simulated_light.words_for(asked.program, method, count), "--gpus", "none",
             "--threads", str(threads), "--json", "--verbose"]
    if budget:
        words += ["--memory", str(budget)]
    result = simulated_light.call(words, asked.folder)
    most, unit = re.search(r"counted at the peak +([0-9.]+) (\w+)", result.stderr).groups()
    return json.loads(result.stdout)["seconds"], int(float(most) * UNITS[unit])


def iteration(asked, method, threads, budget):
    """Seconds of an iteration, the most bytes counted, and the result."""
    few, many = (min(call(asked, method, threads, count, budget) for _ in range(asked.repeats))
                 for count in asked.iterations)
    seconds = (many[0] - few[0]) / (asked.iterations[1] - asked.iterations[0])
    return seconds, many[1], tifffile.imread(f"{asked.folder}/found.tif")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("folder")
    parser.add_argument("--size", default="101,768,768")
    parser.add_argument("--threads", type=int, nargs="+",
                        default=[len(os.sched_getaffinity(0)), 2])
    parser.add_argument("--parts", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--methods", nargs="+", default=["rl", "shb"])
    parser.add_argument("--iterations", type=int, nargs=2, default=[2, 10])
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    os.makedirs(asked.folder, exist_ok=True)
    field = tuple(int(n) for n in asked.size.split(","))
    make_image(field, (61, 61, 61), asked.program, asked.folder)
    for threads in asked.threads:
        for method in asked.methods:
            within, most, result = iteration(asked, method, threads, None)
            print(f"{asked.size}, {method}, {threads} threads: {within:.3f} s an iteration in "
                  f"{most / 2 ** 20:.0f} MiB", flush=True)
            for part in asked.parts:
                beyond, used, other = iteration(asked, method, threads, most // part)
                gap = float(numpy.abs(other - result).max() / result.max())
                print(f"  in {used / 2 ** 20:.0f} MiB: {beyond:.3f} s, {100 * within / beyond:.0f} "
                      f"% of the speed, differs by {gap:.1e}", flush=True)


if __name__ == "__main__":
    main()
