# SPDX-License-Identifier: MIT
"""How long does an iteration of Richardson and Lucy take in cupy, and in cubic?

usage: gpu_deconvolution_peers.py [--cubic FOLDER]

The volumes of gpu_deconvolution_bench. Prints the fastest of several iterations, and the bytes of
the GPU's memory that cupy holds then. FOLDER is one that holds the package cubic; its
richardson_lucy_xp is run with circulant edges, which is its default, and with noncirc=True, which
pads by the PSF as ours does. Of cucim it only needs a conversion that leaves float32 as it is: if
cucim is missing, a function does that.
"""
import argparse
import sys
import time
import types

import cupy
import cupyx.scipy.fft

CASES = (((128, 512, 512), (61, 81, 81)), ((101, 2048, 2048), (61, 81, 81)),
         ((512, 512, 512), (61, 81, 81)))


def iterations(field, kernel, count):
    """Yields the seconds of each iteration on the field extended by the kernel."""
    extent = [cupyx.scipy.fft.next_fast_len(f + k - 1, "R2C") for f, k in zip(field, kernel)]
    axes = tuple(range(len(field)))
    inside = tuple(slice(0, n) for n in field)
    psf = cupy.zeros(extent, cupy.float32)
    psf[tuple(slice(0, n) for n in kernel)] = cupy.random.random(kernel, dtype=cupy.float32)
    psf /= psf.sum()
    image = cupy.random.random(field, dtype=cupy.float32)
    transfer = cupy.fft.rfftn(cupy.roll(psf, [1 - k for k in kernel], axes), axes=axes)
    mask = cupy.zeros(extent, cupy.float32)
    mask[inside] = 1
    seen = cupy.maximum(correlate(mask, transfer, extent, axes), 1e-3)
    light = cupy.full(extent, image.mean(), cupy.float32)
    for _ in range(count):
        cupy.cuda.Device().synchronize()
        begin = time.perf_counter()
        blurred = cupy.fft.irfftn(cupy.fft.rfftn(light, axes=axes) * transfer, extent, axes=axes)
        ratio = cupy.zeros(extent, cupy.float32)
        ratio[inside] = image / cupy.maximum(blurred[inside], 1e-6)
        light *= correlate(ratio, transfer, extent, axes) / seen
        cupy.cuda.Device().synchronize()
        yield time.perf_counter() - begin


def correlate(volume, transfer, extent, axes):
    return cupy.fft.irfftn(cupy.fft.rfftn(volume, axes=axes) * transfer.conj(), extent, axes=axes)


def cubic_iterations(field, kernel, count, **options):
    """Yields the seconds of each iteration of cubic, the first with its start."""
    from cubic.preprocessing.richardson_lucy_xp import richardson_lucy_xp  # its folder was given

    image = cupy.random.random(field, dtype=cupy.float32)
    psf = cupy.random.random(kernel, dtype=cupy.float32)
    psf /= psf.sum()
    ends = [time.perf_counter()]

    def note_end(_estimate, _number):
        cupy.cuda.Device().synchronize()
        ends.append(time.perf_counter())

    richardson_lucy_xp(image, psf, n_iter=count, observer_fn=note_end, **options)
    yield from (after - before for before, after in zip(ends, ends[1:]))


def provide_cucim():
    """Puts a stand-in for cucim's img_as_float where there is no cucim."""
    try:
        import cucim.skimage.util
    except ImportError as failure:
        print(f"without cucim: {failure}")
        for name in ("cucim", "cucim.skimage", "cucim.skimage.util"):
            sys.modules[name] = types.ModuleType(name)
        sys.modules["cucim.skimage.util"].img_as_float = lambda image: image


def show(name, times):
    try:
        seconds = min(times)
    except cupy.cuda.memory.OutOfMemoryError as failure:
        print(f"{name}: {failure}", flush=True)
    else:
        held = cupy.get_default_memory_pool().total_bytes() / 2**30
        print(f"{name}: {1e3 * seconds:.2f} ms an iteration, {held:.1f} GiB", flush=True)
    cupy.fft.config.get_plan_cache().clear()
    cupy.get_default_memory_pool().free_all_blocks()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cubic")
    asked = parser.parse_args()
    if asked.cubic:
        sys.path.insert(0, asked.cubic)
        provide_cucim()
    for field, kernel in CASES:
        name = f"{field} by {kernel}"
        show(f"{name}, six lines", iterations(field, kernel, 8))
        if asked.cubic:
            show(f"{name}, cubic, circulant", cubic_iterations(field, kernel, 8))
            show(f"{name}, cubic, padded", cubic_iterations(field, kernel, 8, noncirc=True))


if __name__ == "__main__":
    main()
