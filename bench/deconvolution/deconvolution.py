# SPDX-License-Identifier: MIT
# bench/deconvolution/deconvolution.py — how close deconvolved light is to the truth, over
# iterations; and whether `--iterations auto` finds their best number.
"""Usage: deconvolution.py PROGRAM FOLDER [--scenes N] [--first N] [--methods shb rl] [--at-once N]

Simulates scenes of smooth objects: nuclei of random size, number, texture and brightness in random
microscopes, with backgrounds and a camera. Each is deconvolved with the PSF that blurred it, by
numbers of iterations from 1 to 60 with momentum, to 300 without, and by `auto`. The error is the
root mean square of the difference from the true light, by the root mean square of the light, after
both were blurred by Gaussians of the microscope's resolution: a standard deviation of 0.21
wavelength / NA along y and x and of 0.42 index wavelength / NA^2 along z. Prints a table, and
writes FOLDER/found.json. With --at-once, so many calls run at the same time, of one thread each.
"""
import argparse
import json
import os
from concurrent.futures import ThreadPoolExecutor

from simulated_light import deconvolve, errors, peak_photons, random_scene, simulate

NUMBERS = {"shb": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 20, 24, 29, 35, 42, 50, 60],
           "rl": [2, 4, 7, 10, 14, 20, 28, 40, 55, 75, 100, 150, 200, 300]}
GROUP = 20  # scenes whose rows are printed together


class Scene:
    """A simulated scene and the errors of its light."""

    def __init__(self, number, program, folder):
        self.number, self.program = number, program
        self.folder = os.path.join(folder, f"{number:03d}")
        text, self.widths = random_scene(number)
        self.truth = simulate(program, self.folder, text)
        self.errors = {}

    def measure(self, method, count, options):
        """Keeps errors of all voxels, at edges and in the middle, and the number of iterations."""
        light, report = deconvolve(self.program, self.folder, "--method", method, "--iterations",
                                   str(count), *options, output=f"{method}-{count}.tif")
        self.errors[f"{method} {count}"] = [*errors(light, self.truth, self.widths),
                                            report["iterations"]]

    def found(self):
        return {"scene": self.number, "peak_photons": peak_photons(self.folder),
                "errors": self.errors}


def run(numbers, methods, asked):
    """Returns what is found about every scene. Scenes and numbers of iterations run at once."""
    options = [] if asked.at_once == 1 else ["--threads", "1", "--gpus", "none"]
    with ThreadPoolExecutor(asked.at_once) as pool:
        scenes = list(pool.map(lambda n: Scene(n, asked.program, asked.folder), numbers))
        # What takes longest comes first
        calls = [(scene, method, count) for method in methods
                 for count in ["auto", *reversed(NUMBERS[method])] for scene in scenes]
        list(pool.map(lambda one: one[0].measure(*one[1:], options), calls))
    return [scene.found() for scene in scenes]


def row(found, methods):
    table = found["errors"]
    cells = [f"{found['scene']:3d}", f"{found['peak_photons']:8.0f}"]
    for method in methods:
        counts = {count: table[f"{method} {count}"][0] for count in NUMBERS[method]}
        best = min(counts, key=counts.get)
        chosen = table[f"{method} auto"]
        cells += [f"{best:4d} {counts[best]:.4f}",
                  f"{chosen[3]:4d} {chosen[0]:.4f} {chosen[0] / counts[best]:.3f}",
                  f"{chosen[1]:.4f} {chosen[2]:.4f}"]
    return " | ".join(cells)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("folder")
    parser.add_argument("--scenes", type=int, default=40)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--methods", nargs="+", default=list(NUMBERS), choices=list(NUMBERS))
    parser.add_argument("--at-once", type=int, default=1)
    asked = parser.parse_args()
    print("scene | photons | best, auto and by how much worse, edges and middle; of " +
          ", ".join(asked.methods))
    numbers = range(asked.first, asked.first + asked.scenes)
    all_found = []
    for begin in range(0, asked.scenes, GROUP):
        group = run(numbers[begin:begin + GROUP], asked.methods, asked)
        print("\n".join(row(found, asked.methods) for found in group), flush=True)
        all_found += group
    with open(os.path.join(asked.folder, "found.json"), "w", encoding="utf-8") as file:
        json.dump(all_found, file)
    for method in asked.methods:
        ratios = [f["errors"][f"{method} auto"][0] /
                  min(f["errors"][f"{method} {n}"][0] for n in NUMBERS[method]) for f in all_found]
        print(f"{method}: auto within 5 % of the best in {sum(r <= 1.05 for r in ratios)} of "
              f"{len(ratios)}, at most {max(ratios):.3f}")


if __name__ == "__main__":
    main()
