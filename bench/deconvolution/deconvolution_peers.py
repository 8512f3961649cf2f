# SPDX-License-Identifier: MIT
# bench/deconvolution/deconvolution_peers.py — Richardson and Lucy's iteration beside other
# programs: time of an iteration, memory, and error against the true light.
"""Usage: deconvolution_peers.py PROGRAM FOLDER [--deconwolf DW] [--lionfish FOLDER] [--threads N]
           [--sizes Z,Y,X ...]

Makes smooth light that goes on beyond the field, blurs it with a wide-field PSF that PROGRAM
computes, and draws Poisson numbers. Each program runs as a process of its own, twice, with 5 and 15
iterations: the difference is the time of 10. Peers that are not found are left out: scikit-image,
deconwolf (its binary) and RedLionfish (the folder that holds RedLionfishDeconv; its CPU code).
Errors are root mean squares of the difference from the light after 15 iterations, by the root mean
square of the light, in the middle and within a quarter of the PSF of the faces.
"""
import argparse
import os
import resource
import subprocess
import sys
import time

import numpy
import tifffile
from scipy.ndimage import gaussian_filter
from scipy.signal import fftconvolve

from simulated_light import call, differences, edges_and_middle, words_for, write

OPTICS = """[grid]
size = [{z}, {y}, {x}]
pitch_nm = [200, 100, 100]
[optics]
model = "born-wolf"
na = 1.2
immersion_index = 1.33
wavelength_nm = 520
size = [{kz}, {ky}, {kx}]
"""
SKIMAGE = """
import sys, numpy, tifffile
from skimage.restoration import richardson_lucy
image, psf = (tifffile.imread(name).astype("f4") for name in sys.argv[1:3])
top = image.max()  # it takes images from 0 to 1, and starts from 0.5
found = richardson_lucy(image / top, psf / psf.sum(), num_iter=int(sys.argv[4]), clip=False)
tifffile.imwrite(sys.argv[3], (found * top).astype("f4"))
"""
LIONFISH = """
import sys, types, numpy, tifffile
sys.path.insert(0, sys.argv[5])
package = types.ModuleType("RedLionfishDeconv")  # its own imports OpenCL
package.__path__ = [sys.argv[5] + "/RedLionfishDeconv"]
sys.modules["RedLionfishDeconv"] = package
from RedLionfishDeconv import RLDeconv3DScipy
image, psf = (tifffile.imread(name).astype("f4") for name in sys.argv[1:3])
found = RLDeconv3DScipy.doRLDeconvolution(image, psf / psf.sum(), niter=int(sys.argv[4]))
tifffile.imwrite(sys.argv[3], numpy.asarray(found).astype("f4"))
"""
FEW, MANY = 5, 15


def make_image(field, kernel, program, folder):
    """Writes image.tif and psf.tif. Returns the true light of the field."""
    draw = numpy.random.default_rng(5)
    write(folder, "optics.toml",
          OPTICS.format(**dict(zip(("z", "y", "x", "kz", "ky", "kx"), field + kernel))))
    call([program, "psf", "optics.toml", "-o", "psf.tif", "--overwrite", "--quiet"], folder)
    psf = tifffile.imread(f"{folder}/psf.tif").astype("f4")
    psf /= psf.sum()
    tifffile.imwrite(f"{folder}/psf.tif", psf, photometric="minisblack")
    extent = [n + k - 1 for n, k in zip(field, psf.shape)]
    light = gaussian_filter(draw.random(extent, dtype="f4"), (2, 4, 4))
    light = numpy.clip((light - light.mean()) / light.std(), 0, None) * 300 + 5
    image = draw.poisson(numpy.clip(fftconvolve(light, psf, mode="valid"), 0, None))
    tifffile.imwrite(f"{folder}/image.tif", image.astype("u2"), photometric="minisblack")
    return light[tuple(slice(k // 2, k // 2 + n) for n, k in zip(field, psf.shape))], psf.shape


def programs(asked, methods=("rl", "shb")):
    """Name and a function of the number of iterations that gives the words of the command."""
    files = ["image.tif", "psf.tif"]

    def ours(method):
        more = ["--gpus", "none", "--threads", str(asked.threads)]
        return lambda count: [
            *words_for(asked.program, method, None if method == "wiener" else count), *more]

    def script(text, *more):
        return lambda count: [sys.executable, "-c", text, *files, "found.tif", str(count), *more]

    found = {f"ours, {method}": ours(method) for method in methods}
    found["scikit-image"] = script(SKIMAGE)
    if asked.deconwolf:
        for method in ("rl", "shb"):
            found[f"deconwolf, {method}"] = lambda count, method=method: [
                asked.deconwolf, "--iter", str(count), "--method", method, "--threads",
                str(asked.threads), "--float", "--overwrite", "--bg", "0.01", "--out", "found.tif",
                *files]
    if asked.lionfish:
        found["RedLionfish"] = script(LIONFISH, asked.lionfish)
    return found


def timed(words, folder):
    """Seconds, and the most memory of a process in GiB. None where it failed."""
    before = time.perf_counter()
    # A process between, so that its children's memory is that of this run alone
    watcher = ("import resource, subprocess, sys\n"
               "code = subprocess.run(sys.argv[1:], capture_output=True).returncode\n"
               "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
               "sys.exit(code)")
    result = subprocess.run([sys.executable, "-c", watcher, *words], cwd=folder, check=False,
                            capture_output=True, text=True)
    if result.returncode != 0:
        return None
    return time.perf_counter() - before, int(result.stdout) / 2 ** 20


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("folder")
    parser.add_argument("--deconwolf", type=os.path.abspath)
    parser.add_argument("--lionfish", type=os.path.abspath)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--sizes", nargs="+", default=["32,192,192", "64,384,384"])
    asked = parser.parse_args()
    os.makedirs(asked.folder, exist_ok=True)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for size in asked.sizes:
        field = tuple(int(n) for n in size.split(","))
        kernel = tuple(n | 1 for n in (min(61, field[0]), min(61, field[1]), min(61, field[2])))
        light, kernel = make_image(field, kernel, asked.program, asked.folder)
        print(f"{size} by {kernel}: seconds an iteration, GiB, error in the middle and at faces")
        for name, words in programs(asked).items():
            timed(words(1), asked.folder)  # plans of transforms are kept
            few, many = (timed(words(count), asked.folder) for count in (FEW, MANY))
            if few is None or many is None:
                print(f"  {name}: does not run here")
                continue
            found = tifffile.imread(f"{asked.folder}/found.tif")
            _, *parts = edges_and_middle(light.shape, [max(1, k // 4) for k in kernel])
            faces, middle = differences(found.reshape(light.shape), light, parts)
            print(f"  {name}: {(many[0] - few[0]) / (MANY - FEW):.3f} s, {many[1]:.2f} GiB, "
                  f"{middle:.3f} {faces:.3f}", flush=True)


if __name__ == "__main__":
    main()
