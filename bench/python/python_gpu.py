# SPDX-License-Identifier: MIT
"""How long do calls of synthoscope with arrays on a GPU take beside cupyx's?

usage: python_gpu.py FOLDER [COMMIT]

FOLDER holds the package synthoscope, built with CUDA. Prints the page
docs/benchmarks/python-gpu.md: of each call the fastest of several rounds, ours and theirs in turns;
arrays are made before, and a round ends when the result is there. The difference is the largest
between the two results, of the largest value.
"""
import sys
import time
import warnings

warnings.simplefilter("ignore")
sys.path.insert(0, sys.argv[1])
import cupy
import cupyx.scipy.ndimage
import cupyx.scipy.signal
import numpy as np
from synthoscope import ndimage, signal

ROUNDS = 15
IMAGES = ((256, 256), (1024, 1024), (4096, 4096), (8192, 8192), (128, 512, 512), (512, 512, 512))
KERNELS = {2: ((5, 5), (31, 31), (65, 65)), 3: ((5, 5, 5), (21, 31, 31), (65, 65, 65))}
COSINE, SINE = np.cos(0.35), np.sin(0.35)  # no coordinate is on an edge but for rounding
TURN = np.array([[1, 0, 0], [0, COSINE, SINE], [0, -SINE, COSINE]])

# Name, and the call of a module with an image and a kernel on the GPU
FILTERS = (
    ("gaussian_filter(a, 2)", lambda of, a: of.gaussian_filter(a, 2)),
    ("gaussian_filter(a, 8)", lambda of, a: of.gaussian_filter(a, 8)),
    ("uniform_filter(a, 5)", lambda of, a: of.uniform_filter(a, 5)),
    ("uniform_filter(a, 31)", lambda of, a: of.uniform_filter(a, 31)),
    ("convolve(a, b)", lambda of, a: of.convolve(a, WEIGHTS[a.ndim])),
    ("affine_transform(a, b, order=1)", lambda of, a: of.affine_transform(
        a, matrix_for(of, a.ndim), order=1)),
    ("affine_transform(a, b, order=3)", lambda of, a: of.affine_transform(
        a, matrix_for(of, a.ndim), order=3)),
    ("zoom(a, 0.5, order=1)", lambda of, a: of.zoom(a, 0.5, order=1)),
    ("shift(a, 1.5, order=3)", lambda of, a: of.shift(a, 1.5, order=3)),
)
WEIGHTS = {2: cupy.random.standard_normal((15, 15), dtype=cupy.float32),
           3: cupy.random.standard_normal((5, 5, 5), dtype=cupy.float32)}
TURNS = {n: cupy.asarray(TURN[-n:, -n:]) for n in (2, 3)}


def matrix_for(of, ndim):
    return TURN[-ndim:, -ndim:] if of is ndimage else TURNS[ndim]


def seconds(call):
    cupy.cuda.Device().synchronize()
    begin = time.perf_counter()
    result = call()
    cupy.cuda.Device().synchronize()
    return time.perf_counter() - begin, result


def row(name, operands, ours, theirs):
    fastest = [np.inf, np.inf]
    for _ in range(ROUNDS):
        for which, call in enumerate((ours, theirs)):
            took, result = seconds(call)
            fastest[which] = min(fastest[which], took)
            if which == 0:
                mine = result
    off = float(cupy.abs(mine - result).max() / cupy.abs(result).max())
    print(f"| `{name}` | {operands} | {fastest[0] * 1e3:.3g} | {fastest[1] * 1e3:.3g} | "
          f"{fastest[1] / fastest[0]:.2g} | {off:.1e} |", flush=True)


def shown(shape):
    return "x".join(map(str, shape))


def main():
    device = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    commit = sys.argv[2] if len(sys.argv) > 2 else "of this tree"
    print(f"""# Calls of the Python package with arrays on a GPU: ours beside cupyx's

Machine: {device}, commit {commit}; Python {sys.version.split()[0]}, numpy {np.__version__},
cupy {cupy.__version__}. Arrays are cupy's, of float32; `s` is `signal`, `n` is `ndimage`. A call
ends when its result is there. The fastest of {ROUNDS} rounds, in which both take turns; code was
compiled before. The difference is the largest between both results, of the largest value.

| call | operands | ours, ms | cupyx's, ms | cupyx / ours | difference |
|---|---|---|---|---|---|""")
    for shape in IMAGES:
        image = cupy.random.standard_normal(shape, dtype=cupy.float32)
        for kernel_shape in KERNELS[len(shape)]:
            kernel = cupy.random.standard_normal(kernel_shape, dtype=cupy.float32)
            row("s.fftconvolve(a, b, 'same')", f"{shown(shape)}, {shown(kernel_shape)}",
                lambda: signal.fftconvolve(image, kernel, "same"),
                lambda: cupyx.scipy.signal.fftconvolve(image, kernel, "same"))
        for name, call in FILTERS:
            row("n." + name, shown(shape), lambda: call(ndimage, image),
                lambda: call(cupyx.scipy.ndimage, image))
        del image, kernel
        cupy.get_default_memory_pool().free_all_blocks()
    print("""
Voxels of an affine transform whose coordinate is next to the image's edge are inside for one and
outside for the other. Weights and kernels lie on the GPU: ours are copied to the host first, to be
examined. Of the 0.06 ms of a `zoom` of 256x256 elements, measured alone at 36435dc0, 0.02 ms were
in Python, and 0.02 ms in C++ and the driver.

Made by `python3 bench/python/python_gpu.py FOLDER COMMIT`.""")


if __name__ == "__main__":
    main()
