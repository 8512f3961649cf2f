# SPDX-License-Identifier: MIT
"""How long do whole calls of fftconvolve with arrays on a GPU take, beside cupyx's?

usage: fftconvolve_gpu.py FOLDER

FOLDER holds the package synthoscope, built with CUDA. Prints a row of docs/benchmarks/gpu-planes.md
for each image and kernel: the median of ten calls after two, the one of cupyx's second call, and
the largest difference, of the largest value. To compare two packages, run it with each in turns.
"""
import statistics
import sys
import time

sys.path.insert(0, sys.argv[1])
import cupy
import cupyx.scipy.signal
from synthoscope import signal

CASES = (((224,) * 3, (33,) * 3), ((352,) * 3, (33,) * 3), ((448,) * 3, (65,) * 3),
         ((480,) * 3, (33,) * 3), ((704,) * 3, (65,) * 3), ((960,) * 3, (65,) * 3),
         ((192, 992, 992), (9,) * 3), ((512, 480, 480), (1, 33, 33)),
         ((256, 224, 224), (1, 33, 33)))


def milliseconds(call):
    cupy.cuda.Device().synchronize()
    begin = time.perf_counter()
    result = call()
    cupy.cuda.Device().synchronize()
    return 1e3 * (time.perf_counter() - begin), result


def main():
    random = cupy.random.default_rng(1)
    print("| image and kernel | ours, ms | cupyx, ms | difference |\n|---|---|---|---|")
    for shapes in CASES:
        operands = [random.random(shape, dtype=cupy.float32) for shape in shapes]
        ours = [milliseconds(lambda: signal.fftconvolve(*operands))[0] for _ in range(12)][2:]
        found = signal.fftconvolve(*operands)
        cupyx.scipy.signal.fftconvolve(*operands)
        theirs, expected = milliseconds(lambda: cupyx.scipy.signal.fftconvolve(*operands))
        difference = float(abs(found - expected).max() / abs(expected).max())
        names = ", ".join("x".join(map(str, shape)) for shape in shapes)
        print(f"| {names} | {statistics.median(ours):.2f} | {theirs:.2f} | {difference:.1e} |",
              flush=True)
        del operands, found, expected
        cupy.get_default_memory_pool().free_all_blocks()


if __name__ == "__main__":
    main()
