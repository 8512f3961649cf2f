# SPDX-License-Identifier: MIT
# tests/python/api/package_gpu.py — arrays that lie on a GPU are convolved there, as the host does
# it.
"""Usage: package_gpu.py FOLDER, which holds the package synthoscope, built with CUDA. Takes cupy
and torch, whichever is there; without a GPU it is skipped."""
import itertools
import sys
import unittest

from package import or_skipped, skip

with or_skipped():
    import numpy as np
    from synthoscope import ndimage, signal


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


# No voxel of a result lies half-way between two: which one is nearest is a matter of rounding
TURN = [[0.9013, 0.2, 0.05], [-0.2, 0.9517, 0.1], [0.0, -0.1, 1.1023]]
FILTERS = (  # of an image of 2 or 3 axes
    lambda a: ndimage.correlate(a, noise((3, 4, 5)[:a.ndim], "f4", 2), mode="mirror", origin=1),
    lambda a: ndimage.convolve(a, noise((2, 5, 4)[:a.ndim], "f8", 2), mode="wrap"),
    lambda a: ndimage.convolve(a, noise((5, 3), "f8", 2), axes=(-2, -1), mode="constant"),
    lambda a: ndimage.correlate1d(a, [1, 2, 3, -5], axis=0, origin=-1, mode="nearest"),
    lambda a: ndimage.convolve1d(a, [1, 2, 3, -5], origin=1),
    lambda a: ndimage.gaussian_filter(a, 1.7),
    lambda a: ndimage.gaussian_filter(a, 0),
    lambda a: ndimage.gaussian_filter(a, (1, 2, 0)[:a.ndim], order=(0, 1, 0)[:a.ndim]),
    lambda a: ndimage.gaussian_filter(a, 1, mode=("wrap", "reflect", "mirror")[:a.ndim]),
    lambda a: ndimage.gaussian_filter1d(a, 3, axis=0, order=2),
    lambda a: ndimage.uniform_filter(a, (4, 5, 7)[:a.ndim], mode="constant"),
    lambda a: ndimage.uniform_filter1d(a, 31, origin=3),
)
GRIDS = tuple(
    (lambda a, call=call, order=order: call(a, order=order)) for order in (0, 1, 3) for call in (
        lambda a, order: ndimage.shift(a, 1.3, order=order, mode="nearest"),
        lambda a, order: ndimage.shift(a, (0, 2.25, -1.5)[-a.ndim:], order=order, cval=2),
        lambda a, order: ndimage.zoom(a, 1.4, order=order, mode="mirror"),
        lambda a, order: ndimage.zoom(a, 2, order=order, mode="reflect", grid_mode=True),
        lambda a, order: ndimage.rotate(a, 20, order=order, mode="grid-wrap"),
        lambda a, order: ndimage.affine_transform(
            a, np.array(TURN)[-a.ndim:, -a.ndim:], 1.37, order=order, mode="nearest"),
        lambda a, order: ndimage.affine_transform(a, [0.713] * a.ndim, 2.317, order=order),
    ))


class Neighbourhoods(unittest.TestCase):
    """Calls of synthoscope.ndimage make on a GPU what they make of doubles on the host."""

    def check(self, calls, images, tolerance):
        for library, (number, call) in itertools.product(LIBRARIES, enumerate(calls)):
            for image in images:
                expected = call(image.astype("f8"))
                result = call(library.on_gpu(image))
                self.assertIsInstance(result, library.kind)
                found = library.to_host(result)
                self.assertEqual((found.dtype, found.shape), (image.dtype, expected.shape))
                self.assertLess(np.abs(found - expected).max(),
                                tolerance * max(1, np.abs(expected).max()), (number, image.shape))

    def test_filters(self):
        self.check(FILTERS, [noise((70, 90), "f4", 1), noise((9, 50, 67), "f4", 3)], 3e-6)

    def test_grids(self):
        smooth = [ndimage.gaussian_filter(noise(shape, "f4", 1), 1.5) * 20
                  for shape in ((70, 90), (12, 50, 67))]
        self.check(GRIDS, smooth, 2e-5)

    def test_four_axes_are_filtered_one_after_another(self):
        self.check([lambda a: ndimage.gaussian_filter(a, (0, 1, 2, 1)),
                    lambda a: ndimage.uniform_filter(a, 3, axes=(0, 3))],
                   [noise((3, 9, 20, 31), "f4", 1)], 3e-6)

    def test_integers_are_rounded_to_the_nearest(self):
        image = noise((50, 60), "u2", 1)
        exact = ndimage.gaussian_filter(image.astype("f8"), 2)
        for library in LIBRARIES:
            there = ndimage.gaussian_filter(library.on_gpu(image), 2)
            self.assertEqual(library.to_host(there).dtype, np.uint16)
            self.assertLessEqual(np.abs(library.to_host(there) - exact).max(), 0.501)
            for output in ("float32", np.float32, np.dtype("f4")):
                kept = ndimage.gaussian_filter(library.on_gpu(image), 2, output=output)
                self.assertLess(np.abs(library.to_host(kept) - exact).max(), 1e-3)

    def test_mean_and_variance(self):
        image = noise((8, 40, 50), "f4", 1) + 1000
        for library in LIBRARIES:
            for how in ({"size": 5}, {"size": (1, 9, 7), "mode": "mirror"}, {"scales": (2, 4)},
                        {"size": 1.5, "window": "gaussian"}):
                results = ndimage.local_mean_variance(library.on_gpu(image), **how)
                for found, expected in zip(results, ndimage.local_mean_variance(image, **how)):
                    self.assertEqual(tuple(found.shape), expected.shape)
                    self.assertLess(np.abs(library.to_host(found) - expected).max(),
                                    2e-6 * np.abs(expected).max())

    def test_arrays_whose_axes_are_turned_around(self):
        image = noise((40, 30), "f4", 1)
        for library in LIBRARIES:
            found = ndimage.gaussian_filter(library.on_gpu(image).T, (1, 3))
            self.assertLess(np.abs(library.to_host(found)
                                   - ndimage.gaussian_filter(image.T, (1, 3))).max(), 1e-5)

    def test_refuses_what_is_done_on_the_host_alone(self):
        for library in LIBRARIES:
            there = library.on_gpu(noise((20, 30), "f4", 1))
            for says, call in (
                    ("cval is 3", lambda: ndimage.uniform_filter(there, 3, mode="constant",
                                                                 cval=3)),
                    ("order is 5", lambda: ndimage.shift(there, 1, order=5)),
                    ("prefilter is False", lambda: ndimage.zoom(there, 2, prefilter=False)),
                    ("only looked up by a matrix",
                     lambda: ndimage.map_coordinates(there, [[1.0], [2.0]])),
                    ("output is an array", lambda: ndimage.gaussian_filter(there, 1, output=there)),
                    ("its type is 'float64'", lambda: ndimage.gaussian_filter(
                        library.on_gpu(np.zeros((5, 5))), 1))):
                with self.assertRaisesRegex(ValueError, says):
                    call()


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
