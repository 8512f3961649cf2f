# SPDX-License-Identifier: MIT
"""Point spread functions and a convolution: ours beside psfmodels, pyotf and scipy, in one run.

usage: peers.py FOLDER_OF_THE_PACKAGE [--rounds N]

Prints the table of docs/understand/comparison.md. All take turns in rounds, so that what else the
machine does meets all of them; the fastest of each counts. The PSFs of scalar light are compared
with a quadrature of the integral; those of vectorial light with ours, because the packages weight
the pupil in different ways. scipy's result in double is the truth of the convolution.
"""
import argparse
import importlib.metadata
import os
import subprocess
import sys
import time

import numpy as np
import psfmodels
import pyotf.otf
import scipy.fft
import scipy.signal
import scipy.special

PLANES, SIDE = 65, 257
DZ_UM, DXY_UM, NA, INDEX, WAVELENGTH_UM = 0.2, 0.1, 1.4, 1.515, 0.52
THREADS = os.cpu_count()


def ours(model):
    from synthoscope import Scene
    scene = Scene.from_dict({
        "seed": 1, "grid": {"size": [PLANES, SIDE, SIDE],
                            "pitch_nm": [DZ_UM * 1000, DXY_UM * 1000, DXY_UM * 1000]},
        "optics": {"model": model, "na": NA, "immersion_index": INDEX, "sample_index": INDEX,
                   "wavelength_nm": WAVELENGTH_UM * 1000, "size": [PLANES, SIDE, SIDE],
                   "pixel_integration": False}})
    return scene.psf().array


def of_psfmodels(model):
    # Points as ours, where its default is to average over pixels
    return psfmodels.make_psf(PLANES, SIDE, dxy=DXY_UM, dz=DZ_UM, NA=NA, wvl=WAVELENGTH_UM,
                              ns=INDEX, ni=INDEX, ni0=INDEX, model=model, oversample_factor=1)


def of_pyotf():
    psf = pyotf.otf.HanserPSF(wl=WAVELENGTH_UM * 1000, na=NA, ni=INDEX, res=DXY_UM * 1000,
                              size=SIDE, zres=DZ_UM * 1000, zsize=PLANES,
                              vec_corr="total").PSFi
    # The brightest of an odd number of planes is one behind the middle there
    return np.roll(psf, PLANES // 2 - int(psf.max(axis=(1, 2)).argmax()), axis=0)


def quadrature():
    """Intensities of scalar light along the row from the middle, every plane: [z, r]."""
    nodes, weights = np.polynomial.legendre.leggauss(2000)
    rho, weights = (nodes + 1) / 2, weights / 2
    k = 2 * np.pi / WAVELENGTH_UM
    z = (np.arange(PLANES) - PLANES // 2) * DZ_UM
    r = np.arange(SIDE // 2 + 1) * DXY_UM
    radial = scipy.special.j0(k * NA * np.outer(r, rho)) * rho * weights
    axial = np.exp(1j * k * np.outer(z, np.sqrt(INDEX ** 2 - (NA * rho) ** 2)))
    return np.abs(axial @ radial.T) ** 2


def row_of(psf):
    return np.asarray(psf, np.float64)[:, SIDE // 2, SIDE // 2:]


def difference(found, wanted):
    """Largest difference over the peak, whatever the scale, of all planes but the outermost."""
    found, wanted = found[1:-1], wanted[1:-1]
    found = found * (np.vdot(found, wanted) / np.vdot(found, found))
    return np.abs(found - wanted).max() / wanted.max()


def fastest(calls, rounds):
    """Seconds of each call, and its result."""
    results = {name: call() for name, call in calls.items()}
    seconds = dict.fromkeys(calls, np.inf)
    for _ in range(rounds):
        for name, call in calls.items():
            begin = time.perf_counter()
            call()
            seconds[name] = min(seconds[name], time.perf_counter() - begin)
    return seconds, results


def print_rows(task, seconds, errors):
    for name, taken in seconds.items():
        ratio = "" if name == "ours" else f"{taken / seconds['ours']:.1f}"
        print(f"| {task} | {name} | {taken:.3f} | {ratio} | {errors[name]} |")


def scalar(rounds):
    truth = quadrature()
    seconds, psfs = fastest({"ours": lambda: ours("gibson-lanni"),
                             "psfmodels": lambda: of_psfmodels("scalar")}, rounds)
    print_rows(f"scalar PSF, {PLANES}x{SIDE}x{SIDE}", seconds,
               {name: f"{difference(row_of(psf), truth):.1e}" for name, psf in psfs.items()})


def vectorial(rounds):
    seconds, psfs = fastest({"ours": lambda: ours("richards-wolf"),
                             "psfmodels": lambda: of_psfmodels("vectorial"),
                             "pyotf": of_pyotf}, rounds)
    errors = {name: f"{difference(row_of(psf), row_of(psfs['ours'])):.1e} from ours"
              for name, psf in psfs.items()}
    print_rows(f"vectorial PSF, {PLANES}x{SIDE}x{SIDE}", seconds, {**errors, "ours": ""})


def convolution(rounds):
    from synthoscope.signal import fftconvolve
    random = np.random.default_rng(1)
    image = random.random((64, 256, 256), np.float32)
    kernel = random.random((31, 61, 61), np.float32)
    truth = scipy.signal.fftconvolve(image.astype(float), kernel.astype(float), "same")

    def of_scipy():
        with scipy.fft.set_workers(THREADS):
            return scipy.signal.fftconvolve(image, kernel, "same")
    seconds, results = fastest({"ours": lambda: fftconvolve(image, kernel, "same"),
                                "scipy": of_scipy}, rounds)
    errors = {name: f"{np.abs(found - truth).max() / truth.max():.1e}"
              for name, found in results.items()}
    print_rows("convolution, 64x256x256 with 31x61x61, float32", seconds, errors)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    sys.path.insert(0, arguments.folder)
    commit = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True,
                            text=True, check=False).stdout.strip() or "unknown"
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}"
                         for name in ("numpy", "psfmodels", "pyotf", "scipy"))
    print(f"commit {commit}; {THREADS} threads; {versions}\n")
    print("| task | by | s | of ours | largest difference |\n|---|---|---|---|---|")
    for task in (scalar, vectorial, convolution):
        task(arguments.rounds)


if __name__ == "__main__":
    main()
