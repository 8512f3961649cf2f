# SPDX-License-Identifier: MIT
# tests/python/images/cli_variance.py — local statistics against scipy.ndimage in double
# precision.
import json

from program import ProgramTest, main, numpy, random_volume, scipy

BOUNDARIES = {"zero": "constant", "nearest": "nearest", "reflect": "reflect", "mirror": "mirror",
              "wrap": "wrap"}
SHAPES = [(1, 1), (1, 2), (37, 1), (1, 41), (13, 31), (64, 97), (5, 7, 11), (2, 3, 5)]


def triangle(size):
    weights = numpy.minimum(numpy.arange(1, 2 * size), numpy.arange(2 * size - 1, 0, -1))
    return weights / weights.sum()


def smoothed(image, window, mode):
    """The weighted mean of every neighbourhood, by scipy."""
    shape, size = window.split(":")
    if shape == "box":
        return scipy.ndimage.uniform_filter(image, int(size), mode=mode)
    if shape == "gaussian":
        return scipy.ndimage.gaussian_filter(image, float(size), mode=mode)
    for axis in range(image.ndim):
        image = scipy.ndimage.correlate1d(image, triangle(int(size)), axis, mode=mode)
    return image


def expected(image, window, mode):
    """Mean and variance; a mean of all voxels is taken off first, so that nothing cancels."""
    image = image.astype(numpy.float64)
    middle = 0 if mode == "constant" else image.mean()
    mean = smoothed(image - middle, window, mode)
    square = smoothed((image - middle) ** 2, window, mode)
    return mean + middle, numpy.maximum(square - mean ** 2, 0)


class VarianceTest(ProgramTest):
    def check(self, image, window, boundary, *options):
        """The written mean and variance against scipy's."""
        self.write("in.tif", image)
        self.succeed("variance", "in.tif", "-o", "out.tif", "--window", window, "--boundary",
                     boundary, "--statistic", "mean,variance,std", "--overwrite", *options)
        mean, variance = expected(image, window, BOUNDARIES[boundary])
        found = [self.read(f"out-{name}.tif") for name in ("mean", "variance", "std")]
        root_mean_square = numpy.sqrt(mean ** 2 + variance) + 1e-30
        self.assertLessEqual((abs(found[0] - mean) / root_mean_square).max(), 1e-6)
        # What double leaves of squares counts beside what it leaves of the variance
        noise = 1e-13 * (variance + (mean - image.mean()) ** 2).max()
        self.assertTrue((abs(found[1] - variance) <= 3e-6 * variance + noise).all())
        self.assertTrue((found[1] >= 0).all())
        numpy.testing.assert_allclose(found[2], numpy.sqrt(found[1]), rtol=2e-7)

    def test_equals_scipy_at_nasty_sizes(self):
        for shape in SHAPES:
            for boundary in BOUNDARIES:
                for dtype, window in (("uint8", "box:5"), ("float32", "triangle:4")):
                    with self.subTest(shape=shape, boundary=boundary, window=window):
                        self.check(random_volume(shape, 3, dtype), window, boundary)

    def test_equals_scipy_for_every_window_and_type(self):
        for window in ("box:1", "box:3", "box:7", "box:21", "triangle:3", "triangle:16",
                       "gaussian:0.7", "gaussian:3"):
            for dtype in ("uint16", "int16", "float32"):
                with self.subTest(window=window, dtype=dtype):
                    self.check(random_volume((40, 53), 5, dtype), window, "reflect")

    def test_strategies_agree(self):
        image = random_volume((31, 40), 6, numpy.uint8)
        for strategy in ("two-pass", "pairwise", "online", "integral"):
            with self.subTest(strategy=strategy):
                self.check(image, "box:5", "mirror", "--strategy", strategy)

    def test_stays_right_where_koenigs_formula_fails(self):
        generator = numpy.random.default_rng(8)
        image = (10000 + generator.standard_normal((80, 90))).astype(numpy.float32)
        self.write("in.tif", image)
        _, variance = expected(image, "triangle:8", "reflect")
        errors = {}
        for strategy in ("threewise", "koenig"):
            self.succeed("variance", "in.tif", "-o", "out.tif", "--window", "triangle:8",
                         "--strategy", strategy, "--overwrite")
            errors[strategy] = (abs(self.read("out.tif") - variance) / variance).max()
        self.assertLessEqual(errors["threewise"], 1e-5)
        self.assertGreater(errors["koenig"], 1)

    def test_writes_a_file_for_each_scale_and_statistic(self):
        image = random_volume((50, 60), 9)
        self.write("in.tif", image)
        result = self.result_of("variance", "in.tif", "-o", "out.ome.tif", "--scales", "2,4,8",
                                "--statistic", "mean,variance")
        names = [f"out-{name}-{scale}.ome.tif" for scale in (2, 4, 8)
                 for name in ("mean", "variance")]
        self.assertEqual([file["output"] for file in result["results"]], names)
        for name in names:  # each has a record of the run
            with open(self.path(name + ".json"), encoding="utf-8") as file:
                record = json.load(file)
            self.assertEqual(record["request"]["statistics"], ["mean", "variance"])
            self.assertEqual(record["inputs"][0]["path"], "in.tif")
        for scale in (2, 4, 8):
            mean, variance = expected(image, f"triangle:{scale}", "reflect")
            numpy.testing.assert_allclose(self.read(f"out-mean-{scale}.ome.tif"), mean, rtol=1e-6)
            numpy.testing.assert_allclose(self.read(f"out-variance-{scale}.ome.tif"), variance,
                                          rtol=3e-6)

    def test_is_the_same_whatever_the_memory_and_threads(self):
        self.write("in.tif", random_volume((3, 700, 900), 10, numpy.uint16))
        options = ("variance", "in.tif", "--window", "gaussian:1,2,2", "-o")
        self.succeed(*options, "whole.tif")
        plan = self.succeed(*options, "parts.tif", "--memory", "12M", "--dry-run")
        self.assertIn("bricks", plan)
        self.succeed(*options, "parts.tif", "--memory", "12M", "--threads", "1")
        numpy.testing.assert_array_equal(self.read("parts.tif"), self.read("whole.tif"))

    def test_rounds_and_counts_what_is_clipped(self):
        image = random_volume((20, 30), 11, numpy.uint8)
        self.write("in.tif", image)
        result = self.result_of("variance", "in.tif", "-o", "out.tif", "--window", "box:3",
                                "--output-type", "uint8")
        _, variance = expected(image, "box:3", "reflect")
        self.assertEqual(result["clipped"], (variance >= 255.5).sum())
        self.assertGreater(result["clipped"], 0)
        self.assertTrue((abs(self.read("out.tif") - numpy.clip(variance, 0, 255)) < 0.501).all())

    def test_enhances_contrast_by_the_formula(self):
        image = random_volume((60, 71), 13)
        self.write("in.tif", image)
        self.succeed("variance", "in.tif", "-o", "out.tif", "--enhance", "--scales", "2,4,8",
                     "--strength", "0.8", "--limit", "5")
        target, finer, total = image.astype(numpy.float64).std(), image.astype(numpy.float64), 0
        for scale in (2, 4, 8):
            mean, variance = expected(image, f"triangle:{scale}", "reflect")
            gain = 5 * target / (5 * numpy.sqrt(variance) + target)
            total = total + (1 + 0.8 * (gain - 1)) * (finer - mean)
            finer = mean
        numpy.testing.assert_allclose(self.read("out.tif"), finer + total, atol=2e-6)

    def test_enhances_in_the_type_of_the_image(self):
        image = random_volume((3, 40, 50), 14, numpy.uint16)
        self.write("in.tif", image)
        result = self.result_of("variance", "in.tif", "-o", "out.tif", "--enhance")
        self.assertEqual(result["results"][0]["type"], "uint16")
        self.assertEqual(self.read("out.tif").shape, image.shape)
        self.succeed("variance", "in.tif", "-o", "none.tif", "--enhance", "--strength", "0")
        numpy.testing.assert_array_equal(self.read("none.tif"), image)

    def test_refuses_results_that_would_be_the_same_file(self):
        self.write("in.tif", random_volume((9, 9), 1))
        for options in (("--scales", "2,2"), ("--scales", "2", "--statistic", "mean,mean")):
            result = self.command("variance", "in.tif", "-o", "out.tif", *options)
            self.assertEqual(result.returncode, 2, result.stderr)

    def test_refusals(self):
        self.write("in.tif", random_volume((9, 9), 12))
        for options, words in ((("--window", "box:4"), "odd whole size"),
                               (("--window", "disc:4"), "is not a window"),
                               (("--window", "box:3,3"), "has 2 sizes"),
                               (("--scales", "2,3"), "whole multiple"),
                               ((), "neither --window nor --scales"),
                               (("--window", "box:3", "--scales", "2"), "both given"),
                               (("--window", "box:3", "--statistic", "median"), "not a statistic"),
                               (("--window", "box:3", "--strategy", "integral"), "float32"),
                               (("--window", "box:3", "--limit", "2"), "only with --enhance"),
                               (("--enhance", "--statistic", "std"), "only without --enhance"),
                               (("--enhance", "--strategy", "koenig"), "only without --enhance"),
                               (("--enhance", "--limit", "0.5"), "limit"),
                               (("--enhance", "--target", "0"), "target")):
            with self.subTest(options=options):
                result = self.command("variance", "in.tif", "-o", "out.tif", *options)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(words, result.stderr)


if __name__ == "__main__":
    main()
