# SPDX-License-Identifier: MIT
# bench/deconvolution.py — how close deconvolved light is to the truth, over iterations; and whether
# `--iterations auto` finds their best number.
"""Usage: deconvolution.py PROGRAM FOLDER [--scenes N] [--first N]

Simulates scenes of smooth objects: nuclei of random size, number, texture and brightness in random
microscopes, with backgrounds and a camera. Each is deconvolved with the PSF that blurred it, by
numbers of iterations from 1 to 60 with momentum, to 300 without, and by `auto`. The error is the
root mean square of the difference from the true light, by the root mean square of the light, after
both were blurred by Gaussians of the microscope's resolution: a standard deviation of 0.21
wavelength / NA along y and x and of 0.42 index wavelength / NA^2 along z. Prints a table, and
writes FOLDER/found.json.
"""
import argparse
import json
import os
import subprocess

import numpy
import tifffile
from scipy.ndimage import gaussian_filter

NUMBERS = {"shb": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 20, 24, 29, 35, 42, 50, 60],
           "rl": [2, 4, 7, 10, 14, 20, 28, 40, 55, 75, 100, 150, 200, 300]}
PITCH_UM = (0.25, 0.1, 0.1)
RIM = (2, 12, 12)  # voxels that count as edges


def scene(number):
    """The text of a scene, and the standard deviations of its resolution in voxels."""
    draw = numpy.random.default_rng(1000 + number)
    model = draw.choice(["born-wolf", "confocal", "gibson-lanni"])
    aperture = draw.choice([0.8, 1.2] if model != "gibson-lanni" else [1.2, 1.3])
    index = 1.0 if aperture < 1 else 1.515 if model == "gibson-lanni" else 1.33
    wavelength = draw.uniform(450, 650)
    text = f"""seed = {number + 1}
[grid]
size = [16, 128, 128]
pitch_nm = [250, 100, 100]
[nuclei]
kind = "hl60"
count = {draw.integers(2, 8)}
radius_um = {draw.uniform(1.4, 2.6):.3f}
border = "cut"
photons_per_um3 = {10 ** draw.uniform(1.5, 4):.1f}
[background]
photons_per_pixel = {10 ** draw.uniform(-0.5, 1.3):.2f}
[optics]
model = "{model}"
na = {aperture}
immersion_index = {index}
wavelength_nm = {wavelength:.1f}
size = [31, 61, 61]
{"excitation_nm = 488" if model == "confocal" else ""}
{"sample_index = 1.4" if model == "gibson-lanni" else ""}
[camera]
kind = "scmos"
[output]
light = true
"""
    across = 0.21 * wavelength / 1000 / aperture
    along = 0.42 * index * wavelength / 1000 / aperture ** 2
    return text, tuple(s / p for s, p in zip((along, across, across), PITCH_UM))


def errors(found, truth, widths):
    """Of all voxels, of those at the edges, and of the others."""
    found, truth = (gaussian_filter(volume.astype("f8"), widths) for volume in (found, truth))
    middle = numpy.zeros(truth.shape, bool)
    middle[tuple(slice(rim, -rim) for rim in RIM)] = True
    unit = numpy.sqrt((truth ** 2).mean())
    return [float(numpy.sqrt(((found - truth)[part] ** 2).mean()) / unit)
            for part in (numpy.ones_like(middle), ~middle, middle)]


def run(number, program, folder):
    text, widths = scene(number)
    place = os.path.join(folder, f"{number:03d}")
    os.makedirs(place, exist_ok=True)
    with open(os.path.join(place, "scene.toml"), "w", encoding="utf-8") as file:
        file.write(text)

    def call(*words):
        result = subprocess.run([program, *words], cwd=place, capture_output=True, text=True,
                                check=False)
        if result.returncode != 0:
            raise SystemExit(f"scene {number}: {result.stderr}")
        return result.stdout

    call("simulate", "scene.toml", "-o", "set", "--overwrite")
    truth = tifffile.imread(os.path.join(place, "set/light.ome.tif"))
    table = {}
    for method, numbers in NUMBERS.items():
        for count in [*numbers, "auto"]:
            report = json.loads(call(
                "deconvolve", "set/image.ome.tif", "set/psf.ome.tif", "-o", "found.tif",
                "--overwrite", "--camera", "set/scene.toml", "--normalize-kernel", "none",
                "--method", method, "--iterations", str(count), "--json"))
            found = tifffile.imread(os.path.join(place, "found.tif"))
            table[f"{method} {count}"] = errors(found, truth, widths) + [report["iterations"]]
    photons = tifffile.imread(os.path.join(place, "set/photons.ome.tif"))
    return {"scene": number, "peak_photons": float(numpy.percentile(photons, 99.9)),
            "errors": table}


def row(found):
    table = found["errors"]
    cells = [f"{found['scene']:3d}", f"{found['peak_photons']:8.0f}"]
    for method, numbers in NUMBERS.items():
        counts = {count: table[f"{method} {count}"][0] for count in numbers}
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
    asked = parser.parse_args()
    print("scene | photons | shb: best, auto and by how much worse, edges and middle | rl: same")
    all_found = []
    for number in range(asked.first, asked.first + asked.scenes):
        all_found.append(run(number, asked.program, asked.folder))
        print(row(all_found[-1]), flush=True)
    with open(os.path.join(asked.folder, "found.json"), "w", encoding="utf-8") as file:
        json.dump(all_found, file)
    for method, numbers in NUMBERS.items():
        ratios = [f["errors"][f"{method} auto"][0] /
                  min(f["errors"][f"{method} {n}"][0] for n in numbers) for f in all_found]
        print(f"{method}: auto within 5 % of the best in {sum(r <= 1.05 for r in ratios)} of "
              f"{len(ratios)}, at most {max(ratios):.3f}")


if __name__ == "__main__":
    main()
