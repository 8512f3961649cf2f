# SPDX-License-Identifier: MIT
"""How long does an iteration of Richardson and Lucy take in cupy?

usage: gpu_deconvolution_peers.py

The volumes of gpu_deconvolution_bench. Prints the fastest of several iterations, and the bytes of
the GPU's memory that cupy holds then.
"""
import time

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


for field, kernel in CASES:
    try:
        seconds = min(iterations(field, kernel, 8))
    except cupy.cuda.memory.OutOfMemoryError as failure:
        print(f"{field} by {kernel}: {failure}")
        continue
    held = cupy.get_default_memory_pool().total_bytes() / 2**30
    print(f"{field} by {kernel}: {1e3 * seconds:.2f} ms an iteration, {held:.1f} GiB")
    cupy.get_default_memory_pool().free_all_blocks()
    cupy.fft.config.get_plan_cache().clear()
