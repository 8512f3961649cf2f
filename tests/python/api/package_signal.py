# SPDX-License-Identifier: MIT
# tests/python/api/package_signal.py — synthoscope.signal against sums, and against scipy.
"""Usage: package_signal.py FOLDER, which holds the package synthoscope."""
import itertools
import signal
import sys
import threading
import time
import unittest
from decimal import Decimal

from package import or_skipped

with or_skipped():
    import numpy as np
    from synthoscope.signal import convolve, correlate, fftconvolve, oaconvolve

MODES = ("full", "same", "valid")
METHODS = ("auto", "direct", "fft")

# Shapes of both, and axes: one to five axes, lengths of 1, kernels larger than images, broadcasts.
SHAPES = (
    ((17,), (5,), None), ((5,), (17,), None), ((1,), (1,), None), ((1,), (5,), None),
    ((9, 8), (3, 4), None),
    ((9, 8), (1, 4), None), ((9, 8), (3, 1), None), ((1, 8), (3, 1), None),
    ((5, 6, 7), (3, 2, 4), None), ((1, 6, 7), (1, 3, 3), None), ((4, 6), (4, 3), [1]),
    ((1, 6), (4, 3), [1]), ((4, 6), (1, 3), [-1]), ((4, 6, 5), (3, 6, 2), [0, 2]),
    ((2, 5, 3, 6), (2, 2, 3, 4), [1, 3]), ((2, 3, 5, 4, 6), (2, 3, 2, 1, 3), [2, 4]),
    ((2, 7, 1, 6, 3), (1, 3, 4, 2, 1), [1, 3]),
    ((3, 4, 2, 5), (2, 3, 2, 2), None), ((3, 2, 4, 2, 3), (2, 2, 3, 2, 2), None),
)

# Types of both, and of the result.
TYPES = (
    ("f4", "f4", "f4"), ("f4", "f8", "f8"), ("f2", "f4", "f4"), ("u1", "u1", "f8"),
    ("u2", "f4", "f8"), ("i8", "i4", "f8"), ("?", "i2", "f8"), (">f8", "<f8", "f8"),
    ("c8", "f4", "c8"), ("f8", "c8", "c16"), ("c16", "c16", "c16"),
)


def summed(f, g, mode, axes):
    """By the definition: every voxel of g adds a shifted copy of f."""
    axes = range(f.ndim) if axes is None else [axis % f.ndim for axis in axes]
    shape = [n + m - 1 if axis in axes else max(n, m)
             for axis, (n, m) in enumerate(zip(f.shape, g.shape))]
    full = np.zeros(shape, np.result_type(f, g, np.float64))
    for at in np.ndindex(*(g.shape[axis] for axis in axes)):
        there, weight = [slice(None)] * f.ndim, [slice(None)] * f.ndim
        for axis, shift in zip(axes, at):
            there[axis] = slice(shift, shift + f.shape[axis])
            weight[axis] = slice(shift, shift + 1)
        full[tuple(there)] += f.astype(full.dtype) * g[tuple(weight)]
    if mode == "full":
        return full
    wanted = f.shape if mode == "same" else [
        abs(n - m) + 1 if axis in axes else max(n, m)
        for axis, (n, m) in enumerate(zip(f.shape, g.shape))]
    begin = [(have - want) // 2 for have, want in zip(full.shape, wanted)]
    return full[tuple(slice(b, b + want) for b, want in zip(begin, wanted))]


def noise(shape, dtype, seed):
    random = np.random.default_rng(seed)
    if np.dtype(dtype).kind in "biu":
        return random.integers(0, 2 if dtype == "?" else 100, shape).astype(dtype)
    values = random.standard_normal(shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * random.standard_normal(shape)
    return values.astype(dtype)


def fits_valid(shape1, shape2, axes):
    pairs = [pair for axis, pair in enumerate(zip(shape1, shape2))
             if (axes is None or axis in [a % len(shape1) for a in axes]) and 1 not in pair]
    return all(n >= m for n, m in pairs) or all(n <= m for n, m in pairs)


def one_is_inside(shape1, shape2):
    pairs = list(zip(shape1, shape2))
    return all(n >= m for n, m in pairs) or all(n <= m for n, m in pairs)


class Convolves(unittest.TestCase):
    def test_as_the_definition_says_for_all_shapes_and_modes(self):
        for (shape1, shape2, axes), mode in itertools.product(SHAPES, MODES):
            if mode == "valid" and not fits_valid(shape1, shape2, axes):
                continue
            with self.subTest(shapes=(shape1, shape2), axes=axes, mode=mode):
                f, g = noise(shape1, "f8", 1), noise(shape2, "f8", 2)
                expected = summed(f, g, mode, axes)
                results = [fftconvolve(f, g, mode, axes), oaconvolve(f, g, mode, axes)]
                if axes is None and (mode != "valid" or one_is_inside(shape1, shape2)):
                    results += [convolve(f, g, mode, method) for method in METHODS]
                for result in results:
                    self.assertEqual(result.shape, expected.shape)
                    np.testing.assert_allclose(result, expected, rtol=0, atol=1e-12)

    def test_in_the_precision_of_both(self):
        for first, second, dtype in TYPES:
            with self.subTest(types=(first, second)):
                f, g = noise((7, 9), first, 1), noise((3, 4), second, 2)
                expected = summed(f, g, "full", None)
                result = fftconvolve(f, g)
                self.assertEqual(result.dtype, np.dtype(dtype))
                eps = np.finfo(dtype).eps
                np.testing.assert_allclose(result, expected, rtol=0,
                                           atol=8 * eps * np.abs(expected).max())

    def test_signals_of_all_lengths(self):
        # Cut into rows from some length on; with kernels shorter and longer than a row
        for n, m in ((255, 3), (256, 2), (1000, 31), (5000, 700), (5000, 4999), (900, 7001),
                     (40000, 9), (40000, 333)):
            f, g = noise((n,), "f8", 1), noise((m,), "f8", 2)
            full = np.convolve(f, g)
            for mode in MODES:
                with self.subTest(lengths=(n, m), mode=mode):
                    length = {"full": n + m - 1, "same": n, "valid": abs(n - m) + 1}[mode]
                    begin = (full.size - length) // 2
                    np.testing.assert_allclose(fftconvolve(f, g, mode),
                                               full[begin:begin + length], rtol=0, atol=1e-10)

    def test_large_ones_by_transforms(self):
        f, g = noise((30, 60, 70), "f4", 1), noise((11, 25, 27), "f4", 2)
        ours, exact = fftconvolve(f, g), fftconvolve(f.astype("f8"), g)
        self.assertLess(np.abs(ours - exact).max(), 2e-6 * np.abs(exact).max())
        self.assertAlmostEqual(exact.sum(), f.sum(dtype="f8") * g.sum(dtype="f8"), places=5)

    def test_views_and_leaves_its_arguments_alone(self):
        f, g = noise((20, 30), "f8", 1), noise((5, 6), "f8", 2)
        before = f.copy(), g.copy()
        views = ((f[::-1], g), (f.T, g.T), (f[::2, ::3], g[1:, ::2]), (np.asfortranarray(f), g))
        for a, b in views:
            np.testing.assert_allclose(fftconvolve(a, b), summed(a, b, "full", None), atol=1e-12)
        np.testing.assert_array_equal(f, before[0])
        np.testing.assert_array_equal(g, before[1])
        f.flags.writeable = False
        np.testing.assert_allclose(fftconvolve(f, g), summed(f, g, "full", None), atol=1e-12)

    def test_to_the_same_bits_with_any_number_of_workers(self):
        f, g = noise((8, 90, 80), "f4", 1), noise((3, 25, 25), "f4", 2)
        one = fftconvolve(f, g, "same", workers=1)
        for workers in (2, 5):
            np.testing.assert_array_equal(fftconvolve(f, g, "same", workers=workers), one)

    def test_in_several_threads_at_once(self):
        f, g = noise((40, 60, 60), "f4", 1), noise((9, 15, 15), "f4", 2)
        expected, results = fftconvolve(f, g), {}
        threads = [threading.Thread(target=lambda n=n: results.update({n: fftconvolve(f, g)}))
                   for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for n in range(4):
            np.testing.assert_array_equal(results[n], expected)

    def test_within_little_memory(self):
        f, g = noise((100, 64, 64), "f4", 1), noise((9, 33, 33), "f4", 2)
        np.testing.assert_allclose(fftconvolve(f, g, "same", memory="6M"),
                                   fftconvolve(f, g, "same"), atol=1e-3)

    def test_of_signals_within_memory_that_holds_no_rows(self):
        f, g = noise((10**6,), "f8", 1), noise((501,), "f8", 2)
        np.testing.assert_allclose(convolve(f, g, "same", memory=300000), convolve(f, g, "same"),
                                   atol=1e-10)

    def test_until_a_signal_is_raised(self):
        class Raised(Exception):
            pass

        def raise_it(*_):
            raise Raised

        def computed():
            """Seconds of processors, which other programs do not lengthen."""
            begin = time.process_time()
            try:
                fftconvolve(f, g, "same", workers=1)
            except Raised:
                pass
            return time.process_time() - begin

        # Long enough that the caller looks for signals several times
        f, g = np.ones((240, 320, 320)), noise((41, 41, 41), "f8", 1)
        whole = computed()
        before = signal.signal(signal.SIGPROF, raise_it)
        self.addCleanup(signal.signal, signal.SIGPROF, before)
        signal.setitimer(signal.ITIMER_PROF, whole / 10)
        self.assertLess(computed(), 0.7 * whole)

    def test_spreads_what_is_not_finite_in_a_kernel(self):
        for bad in (np.nan, np.inf):
            with np.errstate(invalid="ignore"):
                self.assertFalse(np.isfinite(fftconvolve(np.ones(5), np.array([1, bad]))).all())


class ConvolvesOfAnyType(unittest.TestCase):
    def test_integers_exactly_modulo_their_range(self):
        random = np.random.default_rng(1)
        for dtype in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"):
            info = np.iinfo(dtype)
            f, g = (random.integers(info.min, info.max, shape, dtype, endpoint=True)
                    for shape in ((40, 50), (7, 6)))
            expected = np.zeros((46, 55), dtype)
            for y, x in np.ndindex(g.shape):
                expected[y:y + 40, x:x + 50] += f * g[y, x]
            for method in METHODS:
                with self.subTest(dtype=dtype, method=method):
                    result = convolve(f, g, "full", method)
                    self.assertEqual(result.dtype, np.dtype(dtype))
                    np.testing.assert_array_equal(result, expected)

    def test_zeros_with_large_integers(self):
        for dtype in ("i8", "u8"):
            made = convolve(np.zeros(3000, dtype), np.full(3000, 2**62, dtype))
            np.testing.assert_array_equal(made, np.zeros(5999, dtype))

    def test_the_largest_integers_that_one_transform_may_take_exactly(self):
        n = 300000
        for largest in (2**13 - 1, 2**14 - 1, 2**15 - 1):  # within one transform, and beyond
            f = np.full(n, largest)
            terms = np.minimum(np.arange(1, 2 * n), np.arange(2 * n - 1, 0, -1))
            np.testing.assert_array_equal(convolve(f, f, "full", "fft"), terms * largest**2)

    def test_booleans_decimals_and_more_than_double_precision(self):
        for dtype, f, g in ((bool, [True, False, True], [True, True]),
                            (object, [Decimal("0.1"), Decimal(2)], [Decimal(3), Decimal("1e-20")]),
                            (np.longdouble, [1, 2**-60, 3], [2**-3, 5]),
                            (np.clongdouble, [1 + 2j, 2**-60], [2j, 5])):
            f, g = np.array(f, dtype), np.array(g, dtype)
            expected = [sum((f[k] * g[i - k] for k in range(f.size) if 0 <= i - k < g.size),
                            dtype(0) if dtype is not object else 0)
                        for i in range(f.size + g.size - 1)]
            result = convolve(f, g)
            self.assertEqual(result.dtype, np.dtype(dtype))
            np.testing.assert_array_equal(result, np.array(expected, dtype))

    def test_correlation_is_convolution_with_what_is_turned_and_conjugated(self):
        for shape1, shape2 in (((9,), (4,)), ((4,), (9,)), ((600,), (41,)), ((7, 8), (3, 2))):
            f, g = noise(shape1, "c16", 1), noise(shape2, "c16", 2)
            for mode in MODES:
                expected = summed(f, np.flip(g).conj(), mode, None) if f.size >= g.size or \
                    mode != "valid" else summed(np.flip(g).conj(), f, mode, None)
                np.testing.assert_allclose(correlate(f, g, mode), expected, rtol=0, atol=1e-11)


class Refuses(unittest.TestCase):
    def refused(self, says, *arguments, error=ValueError, **named):
        with self.assertRaisesRegex(error, says):
            fftconvolve(*arguments, **named)

    def test_what_does_not_go_together_in_a_sentence(self):
        ones = np.ones
        self.refused("mode is 'chips'; use", ones(3), ones(2), "chips")
        self.refused("2 and 1 axes", ones((3, 3)), ones(3))
        self.refused("along axis 0", ones((3, 3)), ones((2, 3)), axes=[1])
        self.refused("each is longer", ones((2, 3)), ones((3, 2)), "valid")
        self.refused("axes is empty", ones(3), ones(2), axes=[])
        self.refused("axes names 1", ones(3), ones(2), axes=[1])
        self.refused("names an axis twice", ones((3, 3)), ones((2, 2)), axes=[0, -2])
        self.refused("a whole number", ones(3), ones(2), axes=[0.5])
        self.refused("are Python's objects; use convolve", np.array([None, 1]), ones(2))
        with self.assertRaisesRegex(ValueError, "method is 'bacon'; use"):
            convolve(ones(3), ones(2), method="bacon")
        for function in (convolve, correlate):
            for shapes in (((5, 1), (1, 3)), ((6, 6, 1), (1, 3, 2)), ((2, 3), (3, 2))):
                with self.assertRaisesRegex(ValueError, "each is longer"):
                    function(*map(ones, shapes), "valid")
        with self.assertRaisesRegex(TypeError, "workers is '2'; give a whole number"):
            convolve(ones((9, 9)), ones((2, 2)), workers="2")

    def test_too_few_workers_and_too_little_memory(self):
        f = np.ones((64, 64, 64), "f4")
        for workers in (0, 100000):
            self.refused("threads", f, f, workers=workers)
        self.refused("lots", f, f, memory="lots")
        self.refused(r'memory="[\d.]+[KM]" or more', f, f, memory=1000, error=MemoryError)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
