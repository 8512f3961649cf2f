# SPDX-License-Identifier: MIT
# bench/deconvolution/deconvolution_depth.py — a PSF that varies with depth, beside one PSF for all
# planes.
"""Usage: deconvolution_depth.py PROGRAM FOLDER [--iterations N]

Simulates nuclei in water, from the cover glass to 10 um, seen through an oil lens: the deeper a
nucleus, the more aberrated its image. Deconvolves the image with the PSFs of all depths
(`--optics`), and with one PSF, of three depths, each brought into focus, with planes as far apart
as the objective moves. Prints errors as deconvolution.py measures them, of all planes and of
quarters of them from the glass on.
"""
import argparse
import os
import time

from simulated_light import call, deconvolve, errors, simulate, write

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
# All planes, and each quarter of them
PARTS = [slice(None), *(slice(10 * i, 10 * i + 10) for i in range(4))]
MOVED = 1.515 / 1.33  # um of the objective for a um of depth, near the axis


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("folder")
    parser.add_argument("--iterations", default="20")
    asked = parser.parse_args()
    truth = simulate(asked.program, asked.folder, SCENE)

    def print_errors(name, *psf):
        begin = time.perf_counter()
        found, report = deconvolve(asked.program, asked.folder, "--iterations", asked.iterations,
                                   "--gpus", "none", psf=psf)
        seconds = time.perf_counter() - begin
        print(f"{name} | {report['psf']['depths']} | " +
              " | ".join(f"{error:.3f}" for error in errors(found, truth, WIDTHS, PARTS)) +
              f" | {seconds:.1f} s", flush=True)

    print("PSF | number | all planes | quarters from the glass on | time")
    print_errors("of every depth", "--optics", "scene.toml")
    for depth in (0, 2.5, 5, 7.5):
        one = (SCENE.replace("depth_varying = true", 'axial_origin = "focus"')
               .replace("depth_um = 0", f"depth_um = {depth}")
               .replace("reference_error = 0.03", ""))
        write(asked.folder, "one.toml", one)
        call([asked.program, "psf", "one.toml", "-o", "one.tif", "--overwrite", "--voxel-um",
              f"{0.25 * MOVED:.4f},0.1,0.1"], asked.folder)
        print_errors(f"of {depth} um", "one.tif")


if __name__ == "__main__":
    main()
