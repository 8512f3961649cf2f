# SPDX-License-Identifier: MIT
# bench/deconvolution/deconvolution_memory.py — the largest cube that programs deconvolve in a given
# memory.
"""Usage: deconvolution_memory.py PROGRAM FOLDER [--deconwolf DW] [--lionfish FOLDER] [--gib 8]
           [--threads N] [--edges N ...] [--beyond N ...] [--only NAME ...]

One iteration on cubes of 16-bit voxels that grow, with a PSF of 61 x 61 x 61 voxels, until the most
resident memory of the process passes GIB. PROGRAM is given the budget with --memory, and so holds
it; it also runs the edges of --beyond. Time is not compared. Peers are those of
deconvolution_peers.py.
"""
import argparse
import json
import os

import numpy
import tifffile
from scipy.signal.windows import gaussian

from deconvolution_peers import programs, timed
from simulated_light import call

EDGES = [256, 320, 384, 448, 512, 576, 640, 704, 768]


def make_image(edge, folder):
    """Planes are shifted copies of one plane: only their size matters."""
    plane = numpy.random.default_rng(3).poisson(50, (edge, edge)).astype("u2")
    shape = (edge, edge, edge)
    with tifffile.TiffWriter(f"{folder}/image.tif", bigtiff=edge > 800) as file:
        file.write((numpy.roll(plane, z, 1) for z in range(edge)), shape=shape, dtype="u2",
                   photometric="minisblack")


def in_files(words, folder):
    """Whether the plan of PROGRAM keeps its volumes in files."""
    return json.loads(call([*words, "--dry-run", "--json"], folder).stdout)["scratch_files"]


def search(name, words, edges, asked):
    for edge in edges:
        make_image(edge, asked.folder)
        used = timed(words(1), asked.folder)
        note = ""
        if name.startswith("ours") and used:
            note = ", volumes in files" if in_files(words(1), asked.folder) else ", in memory"
        print(f"  {name}, {edge}: " +
              (f"{used[1]:.2f} GiB, {used[0]:.0f} s{note}" if used else "fails"), flush=True)
        if not used or used[1] > asked.gib:
            return


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("folder")
    parser.add_argument("--deconwolf", type=os.path.abspath)
    parser.add_argument("--lionfish", type=os.path.abspath)
    parser.add_argument("--gib", type=int, default=8)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--edges", type=int, nargs="+", default=EDGES)
    parser.add_argument("--only", nargs="+", help="names of programs; default: all")
    parser.add_argument("--beyond", type=int, nargs="*", default=[])
    asked = parser.parse_args()
    os.makedirs(asked.folder, exist_ok=True)
    line = gaussian(61, 5)
    psf = line[:, None, None] * line[:, None] * line
    tifffile.imwrite(f"{asked.folder}/psf.tif", (psf / psf.sum()).astype("f4"),
                     photometric="minisblack")
    for name, words in programs(asked).items():
        if asked.only and name not in asked.only:
            continue
        if name.startswith("ours"):
            more, edges = ["--memory", f"{asked.gib}G"], [*asked.edges, *asked.beyond]
        else:  # the plans of FFTW take minutes, and no memory
            more, edges = ["--noplan"] if "deconwolf" in name else [], asked.edges
        search(name, lambda count, words=words, more=more: [*words(count), *more], edges, asked)


if __name__ == "__main__":
    main()
