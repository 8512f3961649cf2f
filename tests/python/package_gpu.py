# SPDX-License-Identifier: MIT
# tests/python/package_gpu.py — arrays that lie on a GPU are convolved there, as the host does it.
"""Usage: package_gpu.py FOLDER, which holds the package synthoscope, built with CUDA. Takes cupy
and torch, whichever is there; without a GPU it is skipped."""
import itertools
import sys
import unittest

from package import or_skipped, skip

with or_skipped():
    import numpy as np
    from synthoscope import signal


class Cupy:
    def __init__(self):
        import cupy
        self.on_gpu, self.to_host, self.kind = cupy.asarray, cupy.asnumpy, cupy.ndarray
        self.sine = cupy.sin


class Torch:
    def __init__(self):
        import torch
        if not torch.cuda.is_available():
            raise RuntimeError("torch sees no GPU")
        self.on_gpu = lambda array: torch.from_numpy(np.ascontiguousarray(array)).cuda()
        self.to_host, self.kind = lambda array: array.cpu().numpy(), torch.Tensor
        self.sine = torch.sin


def libraries():
    found = []
    for library in (Cupy, Torch):
        try:
            one = library()
            one.on_gpu(np.zeros(1, np.float32))
            found.append(one)
        except Exception as missing:  # there are many ways of having no GPU
            print(f"without {library.__name__.lower()}: {missing}")
    return found


LIBRARIES = libraries()
if not LIBRARIES:
    skip("no library has arrays on a GPU here")

CASES = (  # shapes of both, mode
    ((32, 100, 120), (5, 11, 13), "same"), ((32, 100, 120), (5, 11, 13), "full"),
    ((32, 100, 120), (5, 11, 13), "valid"), ((300, 400), (3, 3), "same"),
    ((300, 400), (41, 37), "full"), ((9, 200, 300), (1, 21, 21), "same"), ((2000,), (31,), "same"),
)


def noise(shape, dtype, seed):
    random = np.random.default_rng(seed)
    if np.dtype(dtype).kind in "iu":
        return random.integers(0, 200, shape).astype(dtype)
    return random.standard_normal(shape).astype(dtype)


def every(*cases):
    return itertools.product(LIBRARIES, cases)


class OnAGpu(unittest.TestCase):
    def test_is_what_the_host_makes_in_double(self):
        for library, (shape1, shape2, mode) in every(*CASES):
            f, g = noise(shape1, "f4", 1), noise(shape2, "f4", 2)
            exact = signal.fftconvolve(f.astype("f8"), g.astype("f8"), mode)
            result = signal.fftconvolve(library.on_gpu(f), library.on_gpu(g), mode)
            self.assertIsInstance(result, library.kind)
            found = library.to_host(result)
            self.assertEqual((found.dtype, found.shape), (np.float32, exact.shape))
            self.assertLess(np.abs(found - exact).max(), 2e-6 * np.abs(exact).max())

    def test_takes_integers_and_a_kernel_of_the_host(self):
        for library, dtype in every("u1", "i2"):
            f, g = noise((12, 80, 90), dtype, 1), noise((3, 9, 9), "f8", 2)
            exact = signal.fftconvolve(f, g, "same")
            result = library.to_host(signal.fftconvolve(library.on_gpu(f), g, "same"))
            self.assertLess(np.abs(result - exact).max(), 2e-6 * np.abs(exact).max())

    def test_convolves_and_correlates(self):
        for library in LIBRARIES:
            f, g = noise((60, 70), "f4", 1), noise((8, 5), "f4", 2)
            there = library.on_gpu(f), library.on_gpu(g)
            for name in ("convolve", "correlate"):
                for method in ("auto", "direct", "fft"):
                    exact = getattr(signal, name)(f.astype("f8"), g)
                    result = library.to_host(getattr(signal, name)(*there, "full", method))
                    self.assertLess(np.abs(result - exact).max(), 2e-6 * np.abs(exact).max())

    def test_waits_for_what_makes_its_arguments(self):
        for library in LIBRARIES:
            f, g = noise((64, 512, 512), "f4", 1), noise((1, 5, 5), "f4", 2)
            made = library.on_gpu(f)
            for _ in range(30):
                made = library.sine(made)
                f = np.sin(f)
            result = library.to_host(signal.fftconvolve(made, g, "same"))
            self.assertLess(np.abs(result - signal.fftconvolve(f, g, "same")).max(), 1e-4)

    def test_refuses_what_is_done_on_the_host_alone_and_goes_on(self):
        for library in LIBRARIES:
            on = library.on_gpu
            f, g = noise((20, 30), "f4", 1), noise((3, 3), "f4", 2)
            for says, call in (
                    ("float64, and GPUs", lambda: signal.fftconvolve(on(f.astype("f8")), on(g))),
                    ("lies on the host and the kernel", lambda: signal.fftconvolve(f, on(g))),
                    ("integers are convolved exactly", lambda: signal.convolve(
                        on(f.astype("i4")), on(g.astype("i4")))),
                    ("more than one convolution", lambda: signal.fftconvolve(
                        on(np.stack([f, f])), on(np.stack([g, g])), axes=[1, 2])),
                    ("mode is 'chips'", lambda: signal.fftconvolve(on(f), on(g), "chips"))):
                with self.assertRaisesRegex(ValueError, says):
                    call()
            self.assertEqual(tuple(signal.fftconvolve(on(f), on(g)).shape), (22, 32))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
