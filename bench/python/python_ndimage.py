# SPDX-License-Identifier: MIT
"""How long do calls of synthoscope.ndimage take beside those of scipy.ndimage?

usage: python_ndimage.py FOLDER [FIRST [LAST]]

FOLDER holds the package synthoscope; FIRST and LAST choose rows by number. Prints the table of
docs/do/python-ndimage.md: milliseconds of the fastest of several calls, and how many times longer
scipy's takes, in turns in one run; last the largest difference of both, as a share of the largest
value, and the share of integers that are not the same.
"""
import sys
import time

import numpy as np
from scipy import ndimage as theirs

SHAPES = ((2048, 2048), (64, 256, 256), (64, 64))
TYPES = ("float32", "uint8")
PATIENCE = 0.25  # seconds of calls, at least three of them

random = np.random.default_rng(1)
KERNELS = {(size, axes): random.normal(0, 1, (size,) * axes) for size in (3, 5) for axes in (2, 3)}
WEIGHTS = random.normal(0, 1, 9)
TURNS = {2: [[0.97, 0.1], [-0.1, 0.97]], 3: [[1, 0, 0.02], [0, 0.97, 0.1], [-0.02, -0.1, 0.97]]}
FACTORS = {2: 1.5, 3: (1, 1.5, 1.5)}
COORDINATES = {shape: np.indices(shape) + 0.3 for shape in SHAPES}

ROWS = (
    ("gaussian_filter", "sigma 2", lambda of, x: of(x, 2)),
    ("gaussian_filter1d", "sigma 2", lambda of, x: of(x, 2)),
    ("uniform_filter", "5", lambda of, x: of(x, 5)),
    ("uniform_filter1d", "5", lambda of, x: of(x, 5)),
    ("uniform_filter", "31", lambda of, x: of(x, 31)),
    ("convolve", "5 along each axis", lambda of, x: of(x, KERNELS[5, x.ndim])),
    ("correlate", "3 along each axis", lambda of, x: of(x, KERNELS[3, x.ndim])),
    ("convolve1d", "9", lambda of, x: of(x, WEIGHTS)),
    ("correlate1d", "9", lambda of, x: of(x, WEIGHTS)),
    ("affine_transform", "order 1", lambda of, x: of(x, TURNS[x.ndim], 5, order=1)),
    ("affine_transform", "order 3", lambda of, x: of(x, TURNS[x.ndim], 5)),
    ("zoom", "1.5, order 1", lambda of, x: of(x, FACTORS[x.ndim], order=1)),
    ("zoom", "0.5, order 3", lambda of, x: of(x, 0.5)),
    ("rotate", "20 degrees, order 1", lambda of, x: of(x, 20, axes=(-1, -2), order=1)),
    ("rotate", "20 degrees, order 3", lambda of, x: of(x, 20, axes=(-1, -2))),
    ("shift", "1.5, order 1", lambda of, x: of(x, 1.5, order=1)),
    ("shift", "1.5, order 3", lambda of, x: of(x, 1.5)),
    ("map_coordinates", "order 1", lambda of, x: of(x, COORDINATES[x.shape], order=1)),
    ("spline_filter", "order 3", lambda of, x: of(x)),
    ("spline_filter1d", "order 3", lambda of, x: of(x)),
)


def timed(call):
    begin = time.perf_counter()
    result = call()
    return time.perf_counter() - begin, result


def both(call, ours, image):
    """Seconds of the fastest call of ours and of theirs, and the results of both."""
    fastest, began, rounds = [np.inf, np.inf], time.perf_counter(), 0
    while rounds < 3 or time.perf_counter() - began < PATIENCE:
        results = []
        for i, function in enumerate((ours, getattr(theirs, ours.__name__))):
            seconds, result = timed(lambda function=function: call(function, image))
            fastest[i] = min(fastest[i], seconds)
            results.append(result)
        rounds += 1
        if time.perf_counter() - began > 10 * PATIENCE:
            break
    return *fastest, *results


def error(ours, scipys):
    if ours.dtype.kind in "iu":
        return np.count_nonzero(ours != scipys) / ours.size
    return abs(ours - scipys).max() / abs(scipys).max()


def main():
    sys.path.insert(0, sys.argv[1])
    from synthoscope import ndimage
    first, last = (int(word) for word in (sys.argv[2:] + ["0", str(len(ROWS))][len(sys.argv) - 2:]))
    images = [random.normal(100, 20, shape).clip(0, 255).astype(dtype)
              for shape in SHAPES for dtype in TYPES]
    for name, what, call in ROWS[first:last]:
        cells, worst = [], [0.0, 0.0]
        for image in images:
            ours, scipys, result, expected = both(call, getattr(ndimage, name), image)
            kind = int(result.dtype.kind in "iu")
            worst[kind] = max(worst[kind], error(result, expected))
            cells.append(f"{1e3 * ours:.2g}, {scipys / ours:.2g}x" if ours < 0.1 else
                         f"{1e3 * ours:.0f}, {scipys / ours:.2g}x")
        print(f"| `{name}` {what} | {' | '.join(cells)} | {worst[0]:.0e}, {worst[1]:.0e} |",
              flush=True)


if __name__ == "__main__":
    main()
