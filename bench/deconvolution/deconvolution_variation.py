# SPDX-License-Identifier: MIT
# bench/deconvolution/deconvolution_variation.py — how much nearer to the truth a penalty for total
# variation brings deconvolved light.
"""Usage: deconvolution_variation.py PROGRAM FOLDER [--scenes N]

Simulates scenes of deconvolution.py, and deconvolves each with the PSF that blurred it,
with momentum, by some numbers of iterations and some L of `--regularize tv:L`. Prints the errors
as that bench measures them, and the weight that was best for the larger number of iterations.
"""
import argparse
import os

from simulated_light import deconvolve, errors, peak_photons, random_scene, simulate

WEIGHTS = ["none", "tv:0.002", "tv:0.005", "tv:0.01", "tv:0.02", "tv:0.05", "tv:0.1"]
NUMBERS = [20, 60]


def run(number, program, folder):
    """The photons of a bright voxel, and the error of each number and weight."""
    text, widths = random_scene(number)
    place = os.path.join(folder, f"{number:03d}")
    truth = simulate(program, place, text)
    found = {}
    for count in NUMBERS:
        for weight in WEIGHTS:
            light, _ = deconvolve(program, place, "--iterations", str(count), "--regularize",
                                  weight)
            found[count, weight] = errors(light, truth, widths)[0]
    return peak_photons(place), found


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("folder")
    parser.add_argument("--scenes", type=int, default=12)
    asked = parser.parse_args()
    print("photons | iterations | " + " | ".join(WEIGHTS) + " | best")
    for number in range(asked.scenes):
        photons, found = run(number, asked.program, asked.folder)
        for count in NUMBERS:
            of_count = {weight: found[count, weight] for weight in WEIGHTS}
            print(f"{photons:7.0f} | {count} | " +
                  " | ".join(f"{error:.3f}" for error in of_count.values()) +
                  f" | {min(of_count, key=of_count.get)}", flush=True)


if __name__ == "__main__":
    main()
