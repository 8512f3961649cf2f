# SPDX-License-Identifier: MIT
# bench/deconvolution_depth.py — a PSF that varies with depth, beside one PSF for all planes.
"""Usage: deconvolution_depth.py PROGRAM FOLDER [--iterations N]

Simulates nuclei in water, from the cover glass to 10 um, seen through an oil lens: the deeper a
nucleus, the more aberrated its image. Deconvolves the image with the PSFs of all depths
(`--optics`), and with one PSF, of three depths, each brought into focus, with planes as far apart
as the objective moves. Prints errors as bench/deconvolution.py measures them, of all planes and of
quarters of them from the glass on.
"""
import argparse
import json
import os
import subprocess
import time

import numpy
import tifffile
from scipy.ndimage import gaussian_filter

SCENE = """seed = 7
[grid]
size = [40, 128, 128]
pitch_nm = [250, 100, 100]
[nuclei]
kind = "hl60"
count = 14
radius_um = 1.6
border = "cut"
photons_per_um3 = 30000
[background]
photons_per_pixel = 2
[optics]
model = "gibson-lanni"
na = 1.4
immersion_index = 1.515
sample_index = 1.33
wavelength_nm = 520
depth_um = 0
depth_varying = true
cover_glass = "below"
reference_error = 0.03
size = [61, 81, 81]
[camera]
kind = "scmos"
[output]
light = true
"""
WIDTHS = (1.1, 0.78, 0.78)  # of the microscope's resolution, voxels
MOVED = 1.515 / 1.33  # um of the objective for a um of depth, near the axis


def errors(found, truth):
    """Of all planes, and of each quarter of them."""
    found, truth = (gaussian_filter(volume.astype("f8"), WIDTHS) for volume in (found, truth))
    unit = numpy.sqrt((truth ** 2).mean())
    parts = [slice(None)] + [slice(10 * i, 10 * i + 10) for i in range(4)]
    return [float(numpy.sqrt(((found - truth)[part] ** 2).mean()) / unit) for part in parts]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("folder")
    parser.add_argument("--iterations", default="20")
    asked = parser.parse_args()
    os.makedirs(asked.folder, exist_ok=True)

    def call(*words):
        result = subprocess.run([asked.program, *words], cwd=asked.folder, capture_output=True,
                                text=True, check=False)
        if result.returncode != 0:
            raise SystemExit(result.stderr)
        return result.stdout

    def write(name, text):
        with open(os.path.join(asked.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    write("scene.toml", SCENE)
    call("simulate", "scene.toml", "-o", "set", "--overwrite")
    truth = tifffile.imread(os.path.join(asked.folder, "set/light.ome.tif"))

    def print_errors(name, *psf):
        begin = time.perf_counter()
        report = json.loads(call(
            "deconvolve", "set/image.ome.tif", *psf, "-o", "found.tif", "--overwrite", "--camera",
            "scene.toml", "--normalize-kernel", "none", "--iterations", asked.iterations,
            "--gpus", "none", "--json"))
        seconds = time.perf_counter() - begin
        found = tifffile.imread(os.path.join(asked.folder, "found.tif"))
        print(f"{name} | {report['psf']['depths']} | " +
              " | ".join(f"{error:.3f}" for error in errors(found, truth)) +
              f" | {seconds:.1f} s", flush=True)

    print("PSF | number | all planes | quarters from the glass on | time")
    print_errors("of every depth", "--optics", "scene.toml")
    for depth in (0, 2.5, 5, 7.5):
        write("one.toml", SCENE.replace("depth_varying = true", 'axial_origin = "focus"')
              .replace("depth_um = 0", f"depth_um = {depth}").replace("reference_error = 0.03", ""))
        call("psf", "one.toml", "-o", "one.tif", "--overwrite", "--voxel-um",
             f"{0.25 * MOVED:.4f},0.1,0.1")
        print_errors(f"of {depth} um", "one.tif")


if __name__ == "__main__":
    main()
