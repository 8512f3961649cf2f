# SPDX-License-Identifier: MIT
# tests/python/api/package_ndimage.py — synthoscope.ndimage against scipy.ndimage, and beyond it.
"""Usage: package_ndimage.py FOLDER, which holds the package synthoscope."""
import inspect
import itertools
import os
import signal
import subprocess
import sys
import threading
import time
import unittest

from package import or_skipped

with or_skipped():
    import numpy as np
    from scipy import ndimage as theirs
    from synthoscope import ndimage as ours

REALS = ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8")
TYPES = (*REALS, "?", ">i2", ">f8", "c8", "c16")
MODES = ("reflect", "mirror", "nearest", "wrap", "constant", "grid-mirror", "grid-wrap",
         "grid-constant")
SHAPES = ((17,), (1,), (5, 9), (1, 20), (40, 3), (4, 5, 6), (2, 1, 7), (3, 2, 4, 5))

# Along one axis: alike from both ends, not, negated, of an even and of a large number.
WEIGHTS = ([1, 2, 1], [0.25, 0.5, 0.2, 0.05, 0.1], [1, 0, -1], [0.3, 0.4], list(range(12)))

# Kernels by number of axes, and where the last has its centre farthest.
KERNELS = {1: (5,), 2: (3, 2), 3: (2, 3, 4), 4: (1, 2, 1, 3)}


def noise(shape, dtype, seed=1):
    """About 50, so that integers of 8 bits hold them and what filters make of them."""
    random = np.random.default_rng(seed)
    values = random.normal(50, 12, shape)
    if np.dtype(dtype).kind == "c":
        values = values + 1j * random.normal(50, 12, shape)
    return (values > 50) if dtype == "?" else values.astype(dtype)


# Calls whose results have room already, by a process of their own, so that its peak is theirs.
WITHIN_8_MIB = """
import resource
import sys
import numpy as np
from synthoscope import ndimage
x, out = np.ones((60, 500, 500), np.float32), np.ones((60, 500, 500), np.float32)
ndimage.gaussian_filter(x[:1], 1)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
ndimage.gaussian_filter(x, 2, output=out, memory="8M")
ndimage.convolve(x, np.ones((3, 3, 3)), output=out, memory="8M")
ndimage.shift(x, 0.5, order=1, output=out, memory="8M")
ndimage.affine_transform(x, np.eye(3) * 0.99, order=1, output=out, memory="8M")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


class AgainstScipy(unittest.TestCase):
    def same(self, name, *arguments, tolerance=1e-13, **named):
        """Both give the same: to the last bit in integers, else to rounding."""
        x = arguments[0]
        with self.subTest(function=name, type=x.dtype, shape=x.shape, **named):
            result = getattr(ours, name)(*arguments, **named)
            expected = getattr(theirs, name)(*arguments, **named)
            self.assertEqual((result.dtype, result.shape), (expected.dtype, expected.shape))
            if result.dtype.kind in "biu":
                np.testing.assert_array_equal(result, expected)
            elif result.size:
                single = result.dtype in (np.float32, np.complex64)
                np.testing.assert_allclose(result, expected, rtol=0,
                                           atol=(1e-6 if single else tolerance)
                                           * max(1, np.abs(expected).max()))


class Filters(AgainstScipy):
    def test_along_an_axis_for_all_types_shapes_and_modes(self):
        for shape, dtype, mode in itertools.product(SHAPES, TYPES, MODES):
            x = noise(shape, dtype)
            for weights, axis in itertools.product(WEIGHTS, (0, -1)):
                for origin in (0, (len(weights) - 1) // 2):
                    self.same("correlate1d", x, weights, axis=axis, mode=mode, cval=3.5,
                              origin=origin)
                self.same("convolve1d", x, weights, axis=axis, mode=mode, cval=3.5)

    def test_by_gaussians_and_boxes(self):
        for shape, dtype, mode in itertools.product(SHAPES, TYPES, MODES):
            x = noise(shape, dtype)
            self.same("gaussian_filter1d", x, 1.7, mode=mode, cval=2, truncate=3)
            self.same("uniform_filter1d", x, 4, axis=0, mode=mode, cval=2, origin=-1)
            if dtype[0] != "c":
                self.same("gaussian_filter", x, 1.3, mode=mode, cval=2)
            for size in (1, 2, 3, 6):
                self.same("uniform_filter", x, size, mode=mode, cval=2)

    def test_by_derivatives_of_gaussians(self):
        x = noise((30, 20), "f8")
        for order in ((1, 0), (0, 2), 3):
            self.same("gaussian_filter", x, (1.5, 2), order=order, radius=(4, 9))

    def test_by_kernels(self):
        for shape, dtype, mode in itertools.product(SHAPES, TYPES, MODES):
            x, kernel = noise(shape, dtype), np.random.default_rng(2).normal(0, 0.2,
                                                                             KERNELS[len(shape)])
            kernel.flat[0] = 0
            for origin in (0, tuple((n - 1) // 2 for n in kernel.shape)):
                self.same("correlate", x, kernel, mode=mode, cval=1.5, origin=origin)
            self.same("convolve", x, kernel, mode=mode, cval=1.5)

    def test_by_large_and_complex_kernels(self):
        x = noise((90, 120), "u2")
        self.same("correlate", x, noise((21, 33), "f8", 2))
        self.same("convolve", x, noise((4, 4), "c16", 2), output=np.complex128)
        self.same("correlate1d", noise((9, 9), "c16"), noise((3,), "c16", 2), mode="constant",
                  cval=2 + 3j)

    def test_with_modes_and_sizes_of_each_axis(self):
        x = noise((20, 30), "f8")
        self.same("gaussian_filter", x, (2, 0), mode=("wrap", "nearest"))
        self.same("uniform_filter", x, (1, 4), mode=["mirror", "constant"], origin=[0, 1])

    def test_along_some_axes(self):
        x = noise((6, 7, 8), "f8")
        np.testing.assert_allclose(ours.gaussian_filter(x, (1, 2), axes=(0, -1)),
                                   theirs.gaussian_filter(x, (1, 0, 2)), rtol=1e-13)
        np.testing.assert_allclose(ours.uniform_filter(x, 3, axes=1),
                                   theirs.uniform_filter(x, (1, 3, 1)), rtol=1e-13)
        kernel = noise((2, 3), "f8", 2)
        for axes, whole in (((0, 2), kernel[:, None, :]), ((2, 1), kernel.T[None])):
            np.testing.assert_allclose(ours.correlate(x, kernel, axes=axes),
                                       theirs.correlate(x, whole), rtol=1e-13)

    def test_into_outputs_of_any_type_and_order(self):
        x = noise((12, 13), "f8") - 50
        for dtype in REALS + ("?",):
            self.same("gaussian_filter", x, 1, output=np.dtype(dtype))
            for room in (np.zeros((13, 12), dtype).T, np.zeros((12, 26), dtype)[:, ::2]):
                expected = room.copy()
                theirs.convolve(x, np.ones((3, 3)), output=expected)
                self.assertIs(ours.convolve(x, np.ones((3, 3)), output=room), room)
                np.testing.assert_array_equal(room, expected)

    def test_in_place_and_into_memory_that_is_read(self):
        x = noise((40, 50), "f4")
        for name, argument in (("gaussian_filter", 1.5), ("uniform_filter", 3),
                               ("convolve", np.ones((3, 3)))):
            expected, same, shifted = getattr(ours, name)(x, argument), x.copy(), x.copy()
            getattr(ours, name)(same, argument, output=same)
            np.testing.assert_array_equal(same, expected)
            expected = getattr(ours, name)(x[:-1], argument)
            getattr(ours, name)(shifted[:-1], argument, output=shifted[1:])
            np.testing.assert_array_equal(shifted[1:], expected)

    def test_weights_of_zero_do_not_count(self):
        x = np.array([1, np.inf, 2, np.nan, 4, 5])
        np.testing.assert_array_equal(ours.correlate(x, [1, 0, 1]), theirs.correlate(x, [1, 0, 1]))


class LookUps(AgainstScipy):
    def looked_up(self, x, order, mode, **named):
        named = dict(named, order=order, mode=mode, cval=7, output=np.float64, tolerance=1e-12)
        random, axes = np.random.default_rng(3), x.ndim
        for by in (1.3, -2.25):
            self.same("shift", x, by, **named)
        self.same("zoom", x, 1.7, **named)
        self.same("zoom", x, 0.6, **named, grid_mode=True)
        if axes <= 3:
            self.same("affine_transform", x, np.eye(axes) + random.normal(0, 0.2, (axes, axes)),
                      random.normal(0, 2, axes), **named)
            self.same("map_coordinates", x, np.array([random.uniform(-5, n + 5, (6, 7))
                                                      for n in x.shape]), **named)
        if axes > 1:
            self.same("rotate", x, 33, **named)
            self.same("rotate", x, 90, axes=(0, -1), **named)

    def test_for_all_orders_and_modes(self):
        # scipy 1.10 fits short lines inexactly for reflect: see below
        shapes = ((40,), (30, 35), (25, 1, 28))
        for shape, order, mode in itertools.product(shapes, range(6), MODES):
            self.looked_up(noise(shape, "f8"), order, mode)
            self.looked_up(noise(shape, "f8"), order, mode, prefilter=False)

    def test_of_all_types(self):
        for dtype, order in itertools.product(REALS + (">i2", "?"), (0, 1, 3)):
            self.looked_up(noise((20, 23), dtype), order, "mirror")

    def test_of_complex_ones(self):
        x = noise((20, 21), "c16")
        for order in (1, 3):
            self.same("shift", x, 1.5, order=order, cval=2 + 3j)
            self.same("rotate", x, 30, order=order, output=np.complex64)

    def test_to_integers_rounded_and_clipped(self):
        x = noise((20, 23), "f8") * 4 - 200
        for dtype in REALS:
            self.same("shift", x, 0.25, order=1, output=np.dtype(dtype))
            self.same("zoom", x, 1, output=np.dtype(dtype))

    def test_to_booleans(self):
        mask = np.zeros((30, 30), bool)
        mask[5:25, 5:25] = True
        moved = ours.shift(mask, 2)
        np.testing.assert_array_equal(moved[2:, 2:], mask[:-2, :-2])
        self.assertTrue(ours.shift(mask, 0.3, order=3)[9:22, 9:22].any())

    def test_of_few_moved_axes_among_many(self):
        x = noise((3, 4, 5, 6), "f8")
        for factors in ((1, 2, 1, 2), (2, 2, 1, 2), (1, 1, 1, 3), (1, 1, 1, 1)):
            self.same("zoom", x, factors, tolerance=1e-12)
        for order, mode in itertools.product((0, 1, 3), ("constant", "grid-constant", "nearest")):
            for shape in ((9, 5, 8), (9, 40), (3, 40), (2, 9, 2, 40)):
                by = [0] * len(shape)
                by[-2 if len(shape) == 2 else -3] = 1.25
                self.same("shift", noise(shape, "u2"), by, order=order, mode=mode,
                          output=np.float64, tolerance=1e-12)
        self.same("rotate", x, 20, axes=(3, 1), reshape=False, tolerance=1e-12)
        self.same("shift", x, (0, 1.5, 0, 0.5), mode="nearest", tolerance=1e-12)
        self.same("zoom", noise((20, 21, 3), "u1"), (2, 2, 1), order=1)

    def test_by_matrices_of_every_form(self):
        x = noise((20, 21), "f8")
        turn = np.array([[0.9, 0.2], [-0.2, 0.9]])
        whole = np.array([[0.9, 0.2, 1], [-0.2, 0.9, 3], [0, 0, 1]])
        for matrix, offset in ((turn, (1, 3)), (whole, 0), (whole[:2], 0), ([0.5, 2], (1, 0))):
            self.same("affine_transform", x, np.array(matrix), offset, tolerance=1e-12)
        self.same("affine_transform", x, np.array([[1.0], [0.3]]), output_shape=(9,),
                  tolerance=1e-12)
        self.same("affine_transform", noise((9,), "f8"), np.array([[1.0, 0.3, 0.1]]),
                  output_shape=(4, 5, 6), tolerance=1e-12)

    def test_by_quarter_turns_exactly(self):
        x = noise((20, 31), "u1")
        for turns in range(-3, 4):
            np.testing.assert_array_equal(ours.rotate(x, 90 * turns, order=1), np.rot90(x, turns))


class Splines(AgainstScipy):
    def test_as_scipy_fits_them(self):
        for order, mode in itertools.product(range(2, 6), MODES):
            for x in (noise((40,), "f8"), noise((30, 35), "u2"), noise((30, 35), "c16")):
                self.same("spline_filter", x, order, mode=mode, tolerance=1e-12)
        self.same("spline_filter1d", noise((30, 35), "f4"), 3, axis=0, output=np.float32)
        self.same("spline_filter1d", noise((30, 35), "f4"), 1, axis=0)

    def test_pass_through_the_elements_of_short_lines_too(self):
        pads = {"mirror": "reflect", "reflect": "symmetric", "grid-wrap": "wrap"}
        for n, (mode, pad) in itertools.product((2, 3, 5, 9), pads.items()):
            x = noise((n,), "f8")
            c = np.pad(ours.spline_filter1d(x, 3, mode=mode), 1, mode=pad)
            np.testing.assert_allclose((c[:-2] + 4 * c[1:-1] + c[2:]) / 6, x, rtol=1e-13)


class Statistics(unittest.TestCase):
    def test_are_those_of_every_neighbourhood(self):
        for shape, size in (((40,), 5), ((20, 30), (3, 7)), ((6, 12, 15), 3)):
            x = noise(shape, "f8")
            mean, variance = ours.local_mean_variance(x, size)
            self.assertEqual((mean.dtype, mean.shape), (np.float32, shape))
            expected = theirs.uniform_filter(x, size)
            np.testing.assert_allclose(mean, expected, rtol=1e-6)
            np.testing.assert_allclose(
                variance, theirs.uniform_filter(x * x, size) - expected**2, rtol=1e-4)

    def test_do_not_cancel_beside_a_large_mean(self):
        x = noise((64, 64), "f4") / 50 + 1e4
        _, variance = ours.local_mean_variance(x, 7)
        exact = x.astype("f8") - 1e4
        expected = theirs.uniform_filter(exact**2, 7) - theirs.uniform_filter(exact, 7) ** 2
        np.testing.assert_allclose(variance, expected, rtol=1e-4)

    def test_of_several_scales_at_once(self):
        x = noise((40, 50), "u1")
        means, variances = ours.local_mean_variance(x, scales=(2, 4, 8))
        self.assertEqual(means.shape, (3, 40, 50))
        for scale, mean, variance in zip((2, 4, 8), means, variances):
            one = ours.local_mean_variance(x, scale, "triangle")
            np.testing.assert_allclose(mean, one[0], rtol=1e-6)
            np.testing.assert_allclose(variance, one[1], rtol=1e-4)


class Calls(unittest.TestCase):
    def test_do_not_depend_on_workers(self):
        x = noise((90, 100), "f4")
        for call in (lambda w: ours.gaussian_filter(x, 2, workers=w),
                     lambda w: ours.convolve(x, np.ones((3, 4)), workers=w),
                     lambda w: ours.rotate(x, 20, workers=w), lambda w: ours.zoom(x, 2, workers=w),
                     lambda w: ours.local_mean_variance(x, 5, workers=w)[1]):
            one = call(1)
            for workers in (2, 5):
                np.testing.assert_array_equal(call(workers), one)

    def test_run_in_several_threads_at_once(self):
        x, results = noise((200, 300), "f8"), {}
        threads = [threading.Thread(target=lambda n=n: results.update({n: ours.rotate(x, 20)}))
                   for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for n in range(4):
            np.testing.assert_array_equal(results[n], ours.rotate(x, 20))

    def test_take_the_memory_that_a_refusal_names(self):
        x = noise((200, 300), "f8")
        for call in (lambda m: ours.gaussian_filter(x, 2, workers=2, memory=m),
                     lambda m: ours.convolve(x, np.ones((3, 4)), workers=2, memory=m),
                     lambda m: ours.rotate(x, 20, workers=2, memory=m),
                     lambda m: ours.local_mean_variance(x, 5, workers=2, memory=m)[0]):
            with self.assertRaisesRegex(MemoryError, r'memory="[\d.]+[KM]" or more') as refused:
                call(1000)
            enough = str(refused.exception).split("memory=")[1].split()[0].strip('"')
            np.testing.assert_array_equal(call(enough), call(None))

    def test_hold_no_more_than_that(self):
        grown = subprocess.run([sys.executable, "-c", WITHIN_8_MIB], capture_output=True, text=True,
                               env=dict(os.environ, PYTHONPATH=os.path.abspath(sys.argv[1])),
                               check=True).stdout
        self.assertLess(int(grown), 9 * 1024)  # KiB: beside 8 MiB the code that is read

    def test_end_when_a_signal_is_raised(self):
        class Raised(Exception):
            pass

        def raise_it(*_):
            raise Raised

        def computed():
            """Seconds of processors, which other programs do not lengthen."""
            begin = time.process_time()
            try:
                ours.convolve(x, kernel, workers=1)
            except Raised:
                pass
            return time.process_time() - begin

        # Takes much longer than the time between two checks for signals
        x, kernel = np.ones((3000, 4000)), np.ones((31, 31))
        whole = computed()
        before = signal.signal(signal.SIGPROF, raise_it)
        self.addCleanup(signal.signal, signal.SIGPROF, before)
        signal.setitimer(signal.ITIMER_PROF, whole / 10)
        self.assertLess(computed(), 0.7 * whole)

    def test_take_arrays_without_elements(self):
        empty = np.zeros((0, 5))
        for result in (ours.gaussian_filter(empty, 1), ours.convolve(empty, np.ones((3, 3))),
                       ours.shift(empty, 1), ours.spline_filter(empty),
                       ours.local_mean_variance(empty)[0]):
            self.assertEqual(result.shape, (0, 5))


class Refusals(unittest.TestCase):
    def refused(self, says, name, *arguments, **named):
        with self.subTest(says):
            with self.assertRaisesRegex(ValueError, says):
                getattr(ours, name)(*arguments, **named)

    def test_say_what_is_accepted(self):
        x = np.ones((5, 6))
        self.refused("mode is 'chips'; use one of 'reflect'", "correlate1d", x, [1], mode="chips")
        self.refused("sequence of one or more", "correlate1d", x, [[1]])
        self.refused("origin is 3, with 3 weights", "correlate1d", x, [1, 2, 1], origin=3)
        self.refused("as many axes", "correlate", x, [1, 2])
        many = np.ones((2,) * 4)
        self.refused("longer than 1 along 4 axes", "correlate", many, many)
        self.refused("size is 0; give 1", "uniform_filter1d", x, 0)
        self.refused("sigma has 3 values for 2 axes", "gaussian_filter", x, (1, 2, 3))
        self.refused("names an axis twice", "gaussian_filter", x, 1, axes=(0, -2))
        self.refused("radius is 1.5", "gaussian_filter1d", x, 1, radius=1.5)
        self.refused("output has the shape", "shift", x, 1, output=np.ones(3))
        self.refused("array of complex numbers", "shift", x * 1j, 1, output=np.ones((5, 6)))
        self.refused("order is 6; use 0 to 5", "zoom", x, 2, order=6)
        self.refused("input has 4 axes", "map_coordinates", many, np.ones((4, 3)))
        self.refused("last row of matrix", "affine_transform", x, np.ones((3, 3)))
        self.refused("two of the axes", "rotate", x, 10, axes=(0, 2))
        self.refused("of type object", "gaussian_filter", np.array([None]), 1)
        self.refused("use 'box', 'triangle'", "local_mean_variance", x, window="disc")
        self.refused("threads", "gaussian_filter", x, 1, workers=0)
        self.refused("lots", "gaussian_filter", x, 1, memory="lots")

    def test_say_so_of_numbers_of_another_kind(self):
        x, ones = np.ones((5, 6)), np.ones((3, 3))
        calls = (("correlate1d", x, [1]), ("correlate", x, ones), ("gaussian_filter", x, 1),
                 ("uniform_filter", x, 3), ("shift", x, 1), ("rotate", x, 20),
                 ("map_coordinates", x, ones[:2]), ("spline_filter", x), ("local_mean_variance", x))
        wrong = (("workers", "2", TypeError, "^workers is '2'; give a whole number of threads$"),
                 ("workers", 2.0, TypeError, "^workers is 2.0; give a whole number of threads$"),
                 ("workers", 2**40, ValueError, r"^workers is 1\d+; give 1 thread or more"),
                 ("cval", None, TypeError, "^cval is None; give a number"),
                 ("cval", "1", TypeError, "^cval is '1'; give a number"),
                 ("cval", 1j, (TypeError, ValueError), "^cval is (1j|complex)"),
                 ("order", 3.0, TypeError, "^order is 3.0; give a whole number$"),
                 ("order", "3", TypeError, "^order is '3'; give a whole number$"),
                 ("origin", 1.0, TypeError, "^origin is 1.0; give a whole number$"))
        for (name, *arguments), (what, value, kind, says) in itertools.product(calls, wrong):
            if what in inspect.signature(getattr(ours, name)).parameters:
                with self.subTest(name, **{what: value}):
                    with self.assertRaisesRegex(kind, says):
                        getattr(ours, name)(*arguments, **{what: value})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
