# SPDX-License-Identifier: MIT
"""What do the ways to local variance cost, and what are they wrong by? And how long does an image
of 80 megapixels take beside scipy.ndimage and OpenCV?

usage: variance.py PATH_TO_KERNELS_BENCH

Prints two tables. Errors are the largest |variance - expected| / expected over all pixels, where
the expected is that of double precision after a mean was taken off.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import cv2
import numpy as np
from scipy import ndimage

THREADS = 2
SLIDES = (8262, 9688)  # Gouin, Ancourt and Guettier, Threewise, CSE 2016: 80 megapixels


def ours(bench, image, window, size, way):
    """Seconds of the fastest run, and the variance."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        image.tofile(folder / "image.raw")
        job = dict(operation="variance", extent=[1, *image.shape], type=image.dtype.name,
                   window=window, sizes=[size], way=way, threads=THREADS, patience=0.5,
                   boundary="reflect")
        (folder / "job.json").write_text(json.dumps(job))
        done = subprocess.run([bench, folder], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return None
        seconds = min(json.loads(done.stdout)["seconds"])
        return seconds, np.fromfile(folder / "result.raw", "f4").reshape(image.shape)


def smooth(image, window, size):
    if window == "box":
        return ndimage.uniform_filter(image, size)
    weights = np.convolve(np.ones(size), np.ones(size)) / size ** 2
    for axis in range(2):
        image = ndimage.correlate1d(image, weights, axis)
    return image


def koenig(image, window, size):
    mean = smooth(image, window, size)
    return smooth(image * image, window, size) - mean * mean


def error(found, image, window, size):
    real = image.astype("f8")
    expected = koenig(real - real.mean(), window, size)
    return (abs(found - expected) / expected).max()


def opencv_box(image, size):
    side, border = (size, size), cv2.BORDER_REFLECT
    mean = cv2.boxFilter(image, cv2.CV_32F, side, borderType=border)
    square = cv2.sqrBoxFilter(image, cv2.CV_32F, side, borderType=border)
    return cv2.subtract(square, cv2.multiply(mean, mean))


def timed(work, runs):
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        found = work()
        seconds.append(time.perf_counter() - start)
    return min(seconds), found


def row(*cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def ways(bench):
    random = np.random.default_rng(3)
    shape = (512, 512)
    eight_bit = random.integers(0, 256, shape).astype("u1")
    far = (10000 + random.standard_normal(shape)).astype("f4")
    row("way", "window", "ns a pixel", "error, 8 bits", "error, mean / sigma 1e4")
    row("---", "---", "--:", "--:", "--:")
    for window, size in (("box", 15), ("triangle", 8)):
        for way in ("threewise", "two-pass", "online", "pairwise", "koenig", "integral"):
            cells = []
            for image in (eight_bit, far):
                found = ours(bench, image, window, size, way)
                cells.append("" if found is None else
                             f"{error(found[1], image, window, size):.1e}")
                if found and image is eight_bit:
                    pixel = 1e9 * found[0] / image.size
            if any(cells):
                row(way, f"{window}:{size}", f"{pixel:.1f}", *cells)


def slides(bench):
    random = np.random.default_rng(4)
    row("image", "ours", "scipy", "OpenCV", "scipy / ours", "OpenCV / ours")
    row("---", "--:", "--:", "--:", "--:", "--:")
    image = random.integers(0, 256, SLIDES, dtype="u1")
    for kind in ("u1", "f4"):
        image = image.astype(kind)
        mine, _ = ours(bench, image, "box", 31, "threewise")
        peer, _ = timed(lambda: opencv_box(image, 31), 3)
        scipys, _ = timed(lambda: koenig(image.astype("f8"), "box", 31), 1)
        row(f"{SLIDES[1]} x {SLIDES[0]} {image.dtype.name}, box:31", f"{mine:.2f} s",
            f"{scipys:.2f} s", f"{peer:.2f} s", f"{scipys / mine:.1f}", f"{peer / mine:.2f}")


if __name__ == "__main__":
    cv2.setNumThreads(THREADS)
    ways(sys.argv[1])
    print()
    slides(sys.argv[1])
