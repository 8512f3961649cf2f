# SPDX-License-Identifier: MIT
# tests/python/images/cli_filter.py — filtered images against scipy.ndimage in double precision.

from program import ProgramTest, less_than, main, numpy, random_volume, scipy, size_in

BOUNDARIES = {"zero": "constant", "nearest": "nearest", "reflect": "reflect", "mirror": "mirror",
              "wrap": "wrap"}
SHAPES = [(1, 1), (1, 2), (37, 1), (1, 41), (13, 31), (64, 97), (5, 7, 11), (2, 3, 5)]
KERNELS = [(1, 1), (3, 3), (4, 2), (5, 6), (1, 7), (9, 1), (21, 24)]
KERNELS_3D = [(3, 3, 3), (2, 3, 4), (9, 8, 7), (1, 5, 5)]
ndimage = scipy.ndimage


def derivative(image, scale, order):
    """A derivative of a Gaussian times scale^order, a second one freed of what its sum leaves."""
    result = image
    for axis, n in enumerate(order):
        smoothed = ndimage.gaussian_filter1d(result, scale, axis)
        if n:
            unit = numpy.zeros(2 * int(4 * scale + 0.5) + 1)
            unit[unit.size // 2] = 1
            sum_left = ndimage.gaussian_filter1d(unit, scale, order=n, mode="constant").sum()
            result = ndimage.gaussian_filter1d(result, scale, axis, order=n) - sum_left * smoothed
            result = result * scale**n
        else:
            result = smoothed
    return result


def invariants(image):
    """The responses of `--bank invariants`, by scipy's derivatives and numpy's eigenvalues."""
    axes = range(image.ndim)
    responses = []
    for scale in (1, 2, 4):
        if scale < 4:
            responses.append(ndimage.gaussian_filter(image, scale)
                             - ndimage.gaussian_filter(image, 4.0))
        unit = numpy.eye(image.ndim, dtype=int)
        slopes = [derivative(image, scale, unit[i]) for i in axes]
        responses.append(numpy.sqrt(sum(slope**2 for slope in slopes)))
        hessian = [[derivative(image, scale, unit[i] + unit[j]) for j in axes] for i in axes]
        values = numpy.linalg.eigvalsh(numpy.moveaxis(numpy.array(hessian), (0, 1), (-2, -1)))
        responses += [values[..., i] for i in reversed(axes)]
    return responses


class FilterTest(ProgramTest):
    def filtered(self, image, *options):
        self.write("in.tif", image)
        self.succeed("filter", "in.tif", "-o", "out.tif", "--overwrite", *options)
        return self.read("out.tif").reshape(image.shape)

    def check(self, image, expected, magnitudes, *options):
        """Float32 results, in units of the largest voxel times all weights' magnitudes."""
        found = self.filtered(image, "--output-type", "float32", *options)
        scale = magnitudes * max(abs(image.astype(numpy.float64)).max(), 1e-30)
        self.assertLessEqual(abs(found - expected).max(), 2e-6 * scale)

    def test_kernels_of_files_in_every_boundary_mode(self):
        generator = numpy.random.default_rng(4)
        for shape in SHAPES:
            for size in KERNELS if len(shape) == 2 else KERNELS_3D:
                kernel = (generator.random(size) - 0.3).astype(numpy.float32)
                self.write("kernel.tif", kernel)
                image = random_volume(shape, 3, numpy.uint8 if size[-1] % 2 else numpy.float32)
                boundary = generator.choice(list(BOUNDARIES))
                for word, reference in (("", ndimage.convolve), ("--correlate", ndimage.correlate)):
                    with self.subTest(shape=shape, kernel=size, boundary=boundary, how=word):
                        expected = reference(image.astype(numpy.float64),
                                             kernel.astype(numpy.float64),
                                             mode=BOUNDARIES[boundary])
                        self.check(image, expected, abs(kernel).sum(), "--kernel", "kernel.tif",
                                   "--boundary", boundary, *filter(None, [word]))

    def test_gaussians_and_boxes_in_every_boundary_mode(self):
        for shape in SHAPES:
            for boundary, mode in BOUNDARIES.items():
                image = random_volume(shape, 5, numpy.uint16)
                exact = image.astype(numpy.float64)
                with self.subTest(shape=shape, boundary=boundary):
                    self.check(image, ndimage.gaussian_filter(
                        exact, [1.3 if n > 1 else 0 for n in shape], mode=mode),
                        1, "--gaussian", "1.3", "--boundary", boundary)
                    self.check(image, ndimage.uniform_filter(
                        exact, [4 if n > 1 else 1 for n in shape], mode=mode),
                        1, "--box", "4", "--boundary", boundary)

    def test_sizes_and_orders_of_each_axis(self):
        image = random_volume((9, 20, 30), 6)
        exact = image.astype(numpy.float64)
        self.check(image, ndimage.gaussian_filter(exact, (0.7, 0, 3), truncate=3), 1,
                   "--gaussian", "0.7,0,3", "--truncate", "3")
        self.check(image, ndimage.gaussian_filter(exact, (1, 2, 1.5), order=(0, 1, 2)), 1,
                   "--gaussian", "1,2,1.5", "--order", "0,1,2")
        self.check(image, ndimage.uniform_filter(exact, (1, 31, 16)), 1, "--box", "1,31,16")

    def test_filters_by_name(self):
        for shape in ((23, 31), (7, 12, 15)):
            image = random_volume(shape, 7)
            exact = image.astype(numpy.float64)
            weights = 2 * 4 ** (len(shape) - 1)
            for axis, word in ((-1, "x"), (-2, "y")):
                self.check(image, ndimage.sobel(exact, axis), weights, "--named", "sobel", "--axis",
                           word)
                self.check(image, ndimage.prewitt(exact, axis), weights, "--named", "prewitt",
                           "--axis", word)
            self.check(image, ndimage.laplace(exact), 4 * len(shape), "--named", "laplacian")
            self.check(image, ndimage.gaussian_laplace(exact, 1.5), 2, "--named", "log",
                       "--sigma", "1.5")
            wide, narrow = ndimage.gaussian_filter(exact, 2.4), ndimage.gaussian_filter(exact, 1.5)
            self.check(image, narrow - wide, 2, "--named", "dog", "--sigma", "1.5")

    def test_strategies_agree(self):
        image = random_volume((6, 25, 31), 8)
        kernel = numpy.random.default_rng(9).random((3, 4, 5)).astype(numpy.float32)
        self.write("kernel.tif", kernel)
        expected = ndimage.convolve(image.astype(numpy.float64), kernel.astype(numpy.float64))
        for strategy in ("auto", "global", "shared", "register", "separable"):
            with self.subTest(strategy=strategy):
                self.check(image, expected, abs(kernel).sum(), "--kernel", "kernel.tif",
                           "--strategy", strategy)

    def test_integers_are_rounded_to_the_nearest(self):
        for dtype in (numpy.uint8, numpy.uint16, numpy.int16):
            image = random_volume((31, 37), 10, dtype)
            found = self.filtered(image, "--gaussian", "2")
            self.assertEqual(found.dtype, dtype)
            exact = ndimage.gaussian_filter(image.astype(numpy.float64), 2)
            self.assertLessEqual(abs(found - exact).max(), 0.5 + 2e-6 * 200)
        found = self.filtered(image, "--named", "sobel")
        self.assertEqual(found.dtype, numpy.float32)

    def test_clipped_voxels_are_counted(self):
        image = numpy.full((4, 5), 200, numpy.uint8)
        self.write("kernel.tif", numpy.full((1, 1), 2, numpy.float32))
        self.write("in.tif", image)
        result = self.result_of("filter", "in.tif", "-o", "out.tif", "--kernel", "kernel.tif",
                                "--output-type", "same")
        self.assertEqual(result["clipped"], 20)
        self.assertIn("clipped", " ".join(result["warnings"]))

    def test_a_kernel_may_be_divided_by_its_sum(self):
        image = random_volume((9, 12), 11, numpy.uint16)
        self.write("kernel.tif", numpy.full((3, 3), 7, numpy.float32))
        found = self.filtered(image, "--kernel", "kernel.tif", "--normalize-kernel", "sum")
        self.assertEqual(found.dtype, numpy.uint16)
        exact = ndimage.uniform_filter(image.astype(numpy.float64), 3)
        self.assertLessEqual(abs(found - exact).max(), 0.5 + 1e-3)

    def test_banks_write_a_plane_for_each_response(self):
        self.write("in.tif", random_volume((60, 70), 13, numpy.uint8))
        for bank, count in (("lm", 48), ("schmid", 13), ("mr8", 8)):
            self.succeed("filter", "in.tif", "-o", "out.tif", "--overwrite", "--bank", bank)
            found = self.read("out.tif")
            self.assertEqual((found.shape, found.dtype), ((count, 60, 70), numpy.float32))
            self.assertGreater(found.std(axis=(1, 2)).min(), 0)

    def test_invariants_are_those_of_derivatives_by_scipy(self):
        for shape in ((60, 70), (20, 30, 34)):
            image = random_volume(shape, 14, numpy.float32)
            self.write("in.tif", image)
            self.succeed("filter", "in.tif", "-o", "out.tif", "--overwrite", "--bank", "invariants")
            found = self.read("out.tif")
            planes = shape[0] if len(shape) == 3 else 1
            exact = invariants(image.astype(numpy.float64))
            found = found.reshape(planes, len(exact), *shape[-2:])
            for i, response in enumerate(exact):
                error = abs(found[:, i] - response.reshape(planes, *shape[-2:])).max()
                self.assertLess(error, 3e-6 * abs(image).max(), f"{shape}, response {i}")

    def test_little_memory_gives_the_same_bytes(self):
        image = random_volume((40, 300, 400), 12, numpy.uint16)
        self.write("in.tif", image)
        results = []
        for memory in ("4G", "20M"):
            self.succeed("filter", "in.tif", "-o", "out.tif", "--overwrite", "--gaussian", "1,2,3",
                         "--memory", memory)
            results.append(self.read("out.tif"))
        numpy.testing.assert_array_equal(results[0], results[1])

    def test_too_little_memory_is_refused_by_the_least_that_would_do(self):
        self.write("in.tif", random_volume((2, 60, 400), 12, numpy.uint16))
        for options in (("filter", "--box", "3"),
                        ("variance", "--window", "box:5"), ("resample", "--rotate", "10"),
                        ("filter", "--box", "3", "--compression", "deflate")):
            with self.subTest(options=options):
                words = (options[0], "in.tif", "-o", "out.tif", "--overwrite", "--threads", "1",
                         *options[1:])
                refused = self.command(*words, "--memory", "1M")
                self.assertEqual(refused.returncode, 5, refused.stderr)
                least = size_in(refused.stderr)
                self.succeed(*words, "--memory", least)
                less = self.command(*words, "--memory", less_than(least))
                self.assertEqual(less.returncode, 5, less.stderr)

    def test_slow_passes_are_warned_about(self):
        self.write("in.tif", random_volume((40, 50), 1))
        self.write("noise.tif", random_volume((9, 9), 2))
        words = ("filter", "in.tif", "-o", "out.tif", "--overwrite", "--kernel")
        (warning,) = self.result_of(*words, "noise.tif", "--strategy", "separable")["warnings"]
        for word in ("sum of 9 products", "--strategy register", "convolve, by FFT"):
            self.assertIn(word, warning)
        self.write("product.tif", numpy.outer(*random_volume((2, 9), 3)))
        for options in (("noise.tif",), ("product.tif", "--strategy", "separable")):
            said = self.result_of(*words, *options)["warnings"]  # random weights have no middle
            self.assertEqual([text for text in said if "not at the kernel centre" not in text], [])

    def test_mistakes_are_explained(self):
        self.write("in.tif", random_volume((5, 6), 1))
        self.write("zero.tif", numpy.array([[1, -1]], numpy.float32))
        for options, code, words in (
                ([], 2, "none of --kernel"),
                (["--gaussian", "1", "--box", "3"], 2, "2 of --kernel"),
                (["--gaussian", "1,2"], 2, "2 numbers"),
                (["--gaussian", "-1"], 2, "standard deviation"),
                (["--named", "log"], 2, "--sigma"),
                (["--named", "sobel", "--axis", "z"], 2, "one voxel along z"),
                (["--box", "3", "--correlate"], 2, "--correlate has an effect only with"),
                (["--box", "3", "--order", "1"], 2, "only with --gaussian"),
                (["--box", "3", "--truncate", "3"], 2, "with --gaussian or --named log"),
                (["--box", "3", "--factor-tolerance", "0.1"], 2, "for kernels that can be split"),
                (["--named", "log", "--sigma", "1", "--ratio", "2"], 2, "with --named dog"),
                (["--named", "laplacian", "--axis", "y"], 2, "with --named sobel"),
                (["--named", "dog", "--sigma", "1", "--phase", "9"], 2, "with --named gabor"),
                (["--kernel", "zero.tif", "--normalize-kernel", "sum"], 3, "its sum is 0"),
                (["--kernel", "zero.tif", "--factor-tolerance", "2"], 2, "share"),
                (["--kernel", "absent.tif"], 4, "absent.tif")):
            with self.subTest(options=options):
                result = self.command("filter", "in.tif", "-o", "out.tif", *options)
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertIn(words, result.stderr)


if __name__ == "__main__":
    main()
