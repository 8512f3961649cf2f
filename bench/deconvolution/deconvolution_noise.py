# SPDX-License-Identifier: MIT
# bench/deconvolution/deconvolution_noise.py — one simulated object at several signal-to-noise
# levels, and how close several programs come to its light.
"""Usage: deconvolution_noise.py PROGRAM FOLDER [--deconwolf DW] [--lionfish FOLDER] [--threads N]
           [--peaks N ...] [--only NAME ...]

Simulates nuclei that the edges cut, in a wide-field microscope, without background. Poisson numbers
are drawn from the noise-free image at five levels of light, and every program deconvolves each
image with numbers of iterations that grow by some 40 %, until three of them made it worse. For the
number whose error is least, prints
- the error: the root mean square of the difference from the light, by that of the light, after both
  were blurred by Gaussians of the microscope's resolution: a standard deviation of 0.21 wavelength
  / NA along y and x, of 0.42 index wavelength / NA^2 along z; of all voxels, at edges, in the
  middle,
- the length at which the Fourier shell correlation with the light, not blurred, falls below 1/2,
  by PROGRAM score.
Peers are those of deconvolution_peers.py.
"""
import argparse
import json
import os

import numpy
import tifffile

import simulated_light
from deconvolution_peers import programs, timed
from simulated_light import PITCH_UM, call, errors, resolution

SCENE = """seed = 3
[grid]
size = [32, 128, 128]
pitch_nm = [250, 100, 100]
[nuclei]
kind = "hl60"
count = 6
radius_um = 2.2
border = "cut"
photons_per_um3 = 1000
[background]
photons_per_pixel = 0
[optics]
model = "born-wolf"
na = 1.2
immersion_index = 1.33
wavelength_nm = 520
size = [41, 61, 61]
[output]
light = true
"""
PEAKS = [10, 30, 100, 300, 1000]  # photons in the brightest 0.1 % of the voxels
NUMBERS = [1, 2, 3, 4, 5, 7, 10, 14, 20, 28, 40, 57, 80, 113, 160, 226, 320, 450, 640, 900]
MOST = {"ours, shb": 160, "deconwolf, shb": 160, "ours, wb": 57, "ours, wiener": 1,
        "scikit-image": 80}
WIDTHS = resolution(0.52, 1.2, 1.33)
PITCHES = {"axes": "ZYX", **{f"PhysicalSize{axis}": pitch for axis, pitch in zip("ZYX", PITCH_UM)}}


def simulate(program, folder):
    """Writes psf.tif. Returns the light and its noise-free image."""
    light = simulated_light.simulate(program, folder, SCENE).astype("f8")
    psf = tifffile.imread(f"{folder}/set/psf.ome.tif").astype("f8")
    tifffile.imwrite(f"{folder}/psf.tif", (psf / psf.sum()).astype("f4"), photometric="minisblack")
    image = tifffile.imread(f"{folder}/set/photons.ome.tif").astype("f8")
    return light * psf.sum(), image


def shells(program, found, folder):
    """The length in um at which the shell correlation with the light falls below 1/2."""
    tifffile.imwrite(f"{folder}/best.ome.tif", found.astype("f4"), metadata=PITCHES)
    words = [program, "score", "light.ome.tif", "best.ome.tif", "--kind", "image", "--json"]
    return json.loads(call(words, folder).stdout)["image"]["fsc"]["half_um"]


def best_of(name, words, light, folder):
    """The number of iterations whose error is least, its errors and its result."""
    best, worse = None, 0
    for count in NUMBERS:
        if count > MOST.get(name, NUMBERS[-1]) or worse == 3:
            break
        if timed(words(count), folder) is None:
            raise SystemExit(f"{name} fails: {words(count)}")
        found = tifffile.imread(f"{folder}/found.tif").reshape(light.shape)
        of_count = errors(found, light, WIDTHS)
        if best is None or of_count[0] < best[1][0]:
            best, worse = (count, of_count, found), 0
        else:
            worse += 1
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("folder")
    parser.add_argument("--deconwolf", type=os.path.abspath)
    parser.add_argument("--lionfish", type=os.path.abspath)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--peaks", type=int, nargs="+", default=PEAKS)
    parser.add_argument("--only", nargs="+", help="names of programs; default: all")
    asked = parser.parse_args()
    os.makedirs(asked.folder, exist_ok=True)
    light, image = simulate(asked.program, asked.folder)
    for peak in asked.peaks:
        scale = peak / numpy.percentile(image, 99.9)
        noisy = numpy.random.default_rng(peak).poisson(image * scale).astype("u2")
        tifffile.imwrite(f"{asked.folder}/image.tif", noisy, photometric="minisblack")
        tifffile.imwrite(f"{asked.folder}/light.ome.tif", (light * scale).astype("f4"),
                         metadata=PITCHES)
        print(f"{peak} photons; the image itself: {errors(noisy, light * scale, WIDTHS)[0]:.3f}, "
              f"{1000 * shells(asked.program, noisy, asked.folder):.0f} nm")
        for name, words in programs(asked, ("rl", "shb", "wb", "wiener")).items():
            if asked.only and name not in asked.only:
                continue
            if "deconwolf" in name:  # its offset is for cameras, and hurts where light is dim
                words = lambda count, words=words: [*words(count), "--offset", "0"]
            count, found_errors, found = best_of(name, words, light * scale, asked.folder)
            length = shells(asked.program, found, asked.folder)
            print(f"  {name}: best number {count}, error {found_errors[0]:.3f}, edges "
                  f"{found_errors[1]:.3f}, middle {found_errors[2]:.3f}; shells "
                  f"{1000 * length:.0f} nm", flush=True)


if __name__ == "__main__":
    main()
