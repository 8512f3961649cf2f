# SPDX-License-Identifier: MIT
"""filter_bank_peers.py PROGRAM [SIZE] — MR8 by `synthoscope filter` beside OpenCV and scipy.

All give the 8 responses of a plane of float32 on one thread. Times are of the processor, the
program's with its start and its files. Errors are beside sums in double precision, of some voxels.
Needs cv2 and scipy. Prints a table."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import cv2
import numpy
import tifffile
from scipy import ndimage, signal

RADIUS, REPEATS, CHECKED = 24, 3, 40
SCIPY_SIZE = 192  # of the part that ndimage convolves: it takes a tenth of a millisecond a voxel


def mr8():
    """Groups of filters, and whether magnitudes count: Varma and Zisserman (2005)."""
    y, x = numpy.mgrid[RADIUS:-RADIUS - 1:-1, -RADIUS:RADIUS + 1].astype(float)

    def filter_of(values):
        values = values - values.mean()
        return values / abs(values).sum()

    def oriented(sigma, order, angle):
        along = (numpy.cos(angle) * x - numpy.sin(angle) * y) / (3 * sigma)
        across = (numpy.sin(angle) * x + numpy.cos(angle) * y) / sigma
        bell = numpy.exp(-(along**2 + across**2) / 2)
        return filter_of((-across if order == 1 else across**2 - 1) * bell)

    groups = [([oriented(sigma, order, numpy.pi * i / 6) for i in range(6)], order == 1)
              for order in (1, 2) for sigma in (1, 2, 4)]
    square = (x**2 + y**2) / 100
    return groups + [([filter_of(numpy.exp(-square / 2))], False),
                     ([filter_of((square - 2) * numpy.exp(-square / 2))], False)]


def responses(image, groups, convolve):
    """The strongest of each group, `convolve` being how an image is convolved."""
    def strongest(filters, takes_magnitudes):
        all_of_them = [convolve(image, weights) for weights in filters]
        return numpy.max([abs(one) for one in all_of_them] if takes_magnitudes else all_of_them, 0)
    return numpy.array([strongest(*group) for group in groups])


def by_opencv(image, weights):
    kernel = numpy.ascontiguousarray(weights[::-1, ::-1], dtype=numpy.float32)
    return cv2.filter2D(image, cv2.CV_32F, kernel, borderType=cv2.BORDER_REFLECT)


def by_ndimage(image, weights):
    return ndimage.convolve(image, weights)


def by_transforms(image, weights):
    padded = numpy.pad(image, RADIUS, mode="symmetric")
    return signal.oaconvolve(padded, weights.astype(numpy.float32), mode="valid")


def exact(image, groups, places):
    padded = numpy.pad(image.astype(float), RADIUS, mode="symmetric")
    found = []
    for y, x in places:
        window = padded[y:y + 2 * RADIUS + 1, x:x + 2 * RADIUS + 1][::-1, ::-1]
        found.append(responses(window, groups, lambda part, weights: (part * weights).sum()))
    return numpy.array(found).T


def processor_seconds():
    """Of this process and of those that it waited for."""
    return sum(os.times()[:4])


def least_seconds(work, repeats=REPEATS):
    seconds, result = [], None
    for _ in range(repeats):
        begin = processor_seconds()
        result = work()
        seconds.append(processor_seconds() - begin)
    return min(seconds), result


def by_program(program, image):
    with tempfile.TemporaryDirectory() as folder:
        source, target = (pathlib.Path(folder) / name for name in ("in.tif", "out.tif"))
        tifffile.imwrite(source, image)
        command = [program, "filter", source, "-o", target, "--bank", "mr8", "--threads", "1",
                   "--gpus", "none", "--overwrite", "--quiet", "--json"]
        seconds, run = least_seconds(
            lambda: subprocess.run(command, check=True, capture_output=True, text=True))
        json.loads(run.stdout)
        return seconds, tifffile.imread(target)


def main():
    program, size = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1024
    cv2.setNumThreads(1)
    random = numpy.random.default_rng(1)
    image = random.random((size, size), numpy.float32)
    groups, part = mr8(), numpy.ascontiguousarray(image[:SCIPY_SIZE, :SCIPY_SIZE])
    rows = [("`synthoscope filter --bank mr8`", image, by_program(program, image))]
    for name, of, convolve, repeats in (
            (f"OpenCV {cv2.__version__}, `filter2D`", image, by_opencv, REPEATS),
            ("scipy, `signal.oaconvolve`", image, by_transforms, 1),
            ("scipy, `ndimage.convolve`", part, by_ndimage, 1)):
        rows.append((name, of, least_seconds(
            lambda of=of, convolve=convolve: responses(of, groups, convolve), repeats)))
    print("| one thread, float32 | pixels | ns a pixel | times as long | largest error |\n|---|---|"
          "---|---|---|")
    ours = rows[0][2][0] / image.size
    for name, of, (seconds, found) in rows:
        places = random.integers(0, of.shape[0], (CHECKED, 2))
        error = abs(found[:, places[:, 0], places[:, 1]] - exact(of, groups, places)).max()
        each = seconds / of.size
        print(f"| {name} | {of.shape[0]} x {of.shape[1]} | {each * 1e9:.0f} | {each / ours:.1f} | "
              f"{error:.1e} |")
    print(f"\n{os.uname().machine}, {os.cpu_count()} cores; errors of {CHECKED} pixels, of voxels "
          "from 0 to 1.")


if __name__ == "__main__":
    main()
