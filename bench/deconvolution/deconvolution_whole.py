# SPDX-License-Identifier: MIT
# bench/deconvolution/deconvolution_whole.py — the whole command beside deconwolf's, from files to a
# file.
"""Usage: deconvolution_whole.py PROGRAM FOLDER [--deconwolf DW] [--threads N] [--size Z,Y,X]
           [--iterations N] [--repeats N] [--gpu] [--only NAME ...]

Deconvolves one image of Poisson numbers (deconvolution_peers.py makes it) with a PSF of
61 x 61 x 61 voxels, with momentum, on the host, and leaves all other options to each program.
PROGRAM also looks for the number of iterations itself (`--iterations auto`) and, with --gpu, uses a
GPU. Each command without a search runs once before it is timed, so that files are in the system's
cache and plans of transforms are kept. Prints the wall times of REPEATS runs, in turns, and the
least of each.
"""
import argparse
import json
import os
import time

from deconvolution_peers import make_image
from simulated_light import call, write

CAMERA = """kind = "scmos"
gain_dn_per_electron = 1
offset_dn = 0
quantum_efficiency = 1
read_noise_electrons = 0
dark_current_electrons_per_second = 0
"""


def commands(asked):
    """Name and words of every command."""
    common = [asked.program, "deconvolve", "image.tif", "psf.tif", "-o", "found.tif", "--overwrite",
              "--threads", str(asked.threads), "--json"]
    number = ["--iterations", str(asked.iterations)]
    automatic = ["--iterations", "auto", "--camera", "camera.toml"]
    found = {"ours": [*common, *number, "--gpus", "none"],
             "ours, auto": [*common, *automatic, "--gpus", "none"]}
    if asked.gpu:
        found["ours, GPU"] = [*common, *number, "--gpus", "0"]
        found["ours, auto, GPU"] = [*common, *automatic, "--gpus", "0"]
    if asked.deconwolf:
        found["deconwolf"] = [asked.deconwolf, "--iter", str(asked.iterations), "--method", "shb",
                              "--threads", str(asked.threads), "--overwrite", "--out", "found.tif",
                              "image.tif", "psf.tif"]
    return {name: words for name, words in found.items() if not asked.only or name in asked.only}


def seconds(words, folder):
    before = time.perf_counter()
    said = call(words, folder)
    elapsed = time.perf_counter() - before
    return elapsed, json.loads(said.stdout)["iterations"] if "--json" in words else None


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("folder")
    parser.add_argument("--deconwolf", type=os.path.abspath)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--size", default="64,384,384")
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="+", help="names of commands; default: all")
    parser.add_argument("--gpu", action="store_true")
    asked = parser.parse_args()
    os.makedirs(asked.folder, exist_ok=True)
    field = tuple(int(n) for n in asked.size.split(","))
    make_image(field, (61, 61, 61), asked.program, asked.folder)
    write(asked.folder, "camera.toml", CAMERA)
    all_words = commands(asked)
    times = {name: [] for name in all_words}
    for name, words in all_words.items():
        if "auto" not in name:
            seconds(words, asked.folder)
    for _ in range(asked.repeats):
        for name, words in all_words.items():
            took, number = seconds(words, asked.folder)
            times[name].append(took)
            said = f", {number} iterations" if number else ""
            print(f"{name}: {took:.2f} s{said}", flush=True)
    print("; ".join(f"{name} {min(of_name):.2f} s" for name, of_name in times.items()))


if __name__ == "__main__":
    main()
