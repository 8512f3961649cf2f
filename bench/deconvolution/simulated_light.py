# SPDX-License-Identifier: MIT
"""Benchmarks of deconvolution share this: calls of the program, scenes, and errors of light."""
import json
import os
import subprocess

import numpy
import tifffile
from scipy.ndimage import gaussian_filter

PITCH_UM = (0.25, 0.1, 0.1)
RIM = (2, 12, 12)  # voxels that count as edges


def call(words, folder, check=True):
    """Runs a command in a folder, and ends with its message if it fails and `check` is set."""
    result = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    if check and result.returncode != 0:
        raise SystemExit(f"{folder}: {' '.join(words)}: {result.stderr}")
    return result


def words_for(program, method, count=None):
    """Words that deconvolve image.tif with psf.tif, without background, into found.tif."""
    words = [program, "deconvolve", "image.tif", "psf.tif", "-o", "found.tif", "--overwrite",
             "--method", method, "--background", "none"]
    return words if count is None else [*words, "--iterations", str(count)]


def write(folder, name, text):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def simulate(program, folder, scene):
    """Simulates the text of a scene into folder/set. Returns the true light."""
    write(folder, "scene.toml", scene)
    call([program, "simulate", "scene.toml", "-o", "set", "--overwrite"], folder)
    return tifffile.imread(os.path.join(folder, "set/light.ome.tif"))


def peak_photons(folder):
    """The photons of a bright voxel of the image that `simulate` made."""
    photons = tifffile.imread(os.path.join(folder, "set/photons.ome.tif"))
    return float(numpy.percentile(photons, 99.9))


def deconvolve(program, folder, *options, psf=("set/psf.ome.tif",), output="found.tif"):
    """Deconvolves the image that `simulate` made, in photons. Returns the light and a report."""
    words = [program, "deconvolve", "set/image.ome.tif", *psf, "-o", output, "--overwrite",
             "--camera", "set/scene.toml", "--normalize-kernel", "none", "--json", *options]
    report = json.loads(call(words, folder).stdout)
    return tifffile.imread(os.path.join(folder, output)), report


def resolution(wavelength_um, aperture, index):
    """Standard deviations in voxels of Gaussians with the resolution of a microscope."""
    across = 0.21 * wavelength_um / aperture
    along = 0.42 * index * wavelength_um / aperture ** 2
    return tuple(s / p for s, p in zip((along, across, across), PITCH_UM))


def edges_and_middle(shape, rim=RIM):
    """All voxels, those at the edges, and the others."""
    middle = numpy.zeros(shape, bool)
    middle[tuple(slice(n, -n) for n in rim)] = True
    return numpy.ones_like(middle), ~middle, middle


def differences(found, truth, parts):
    """Root mean squares of the difference in parts of the volume, by that of the whole light."""
    unit = numpy.sqrt((truth.astype("f8") ** 2).mean())
    return [float(numpy.sqrt(((found - truth)[part].astype("f8") ** 2).mean()) / unit)
            for part in parts]


def errors(found, truth, widths, parts=None):
    """The same after both were blurred by Gaussians; of all voxels, at edges and in the middle."""
    found, truth = (gaussian_filter(volume.astype("f8"), widths) for volume in (found, truth))
    return differences(found, truth, edges_and_middle(truth.shape) if parts is None else parts)


def random_scene(number):
    """The text of a scene of nuclei, and its resolution as `resolution` returns it."""
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
    return text, resolution(wavelength / 1000, aperture, index)
