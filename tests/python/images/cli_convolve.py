# SPDX-License-Identifier: MIT
# tests/python/images/cli_convolve.py — `convolve` gives what scipy gives, and files that tell the
# truth.
import json

import numpy
import scipy.ndimage
import scipy.signal

from program import ProgramTest, main, random_volume, tifffile

SINGLE, DOUBLE = 1e-6, 1e-14  # of the peak of |f| * |g|
NDIMAGE_MODES = {"zero": "constant", "nearest": "nearest", "reflect": "reflect",
                 "mirror": "mirror", "wrap": "wrap"}
SHAPES = [((9, 17, 23), (3, 5, 7)), ((8, 8, 8), (4, 4, 4)), ((1, 31, 29), (1, 6, 5)),
          ((7, 5, 6), (9, 3, 11))]


def peak_of(image, kernel):
    f, g = numpy.abs(image.astype(float)), numpy.abs(kernel.astype(float))
    return scipy.signal.fftconvolve(f, g, mode="full").max()


class Convolve(ProgramTest):
    def convolve(self, image, kernel, *options):
        self.write("image.tif", image)
        self.write("kernel.tif", kernel)
        self.succeed("convolve", "image.tif", "kernel.tif", "-o", "out.tif", "--overwrite",
                     *options)
        return self.read("out.tif")

    def assert_near(self, found, expected, image, kernel, tolerance):
        error = numpy.abs(found.reshape(expected.shape) - expected).max()
        self.assertLessEqual(error, tolerance * peak_of(image, kernel))

    def test_every_boundary_is_that_of_ndimage(self):
        for number, (shape, size) in enumerate(SHAPES):
            image, kernel = random_volume(shape, number), random_volume(size, 100 + number)
            for name, mode in NDIMAGE_MODES.items():
                with self.subTest(shape=shape, kernel=size, boundary=name):
                    expected = scipy.ndimage.convolve(image.astype(float), kernel.astype(float),
                                                      mode=mode)
                    found = self.convolve(image, kernel, "--boundary", name,
                                          "--kernel-center", "middle")
                    self.assert_near(found, expected, image, kernel, SINGLE)

    def test_every_shape_is_that_of_signal_in_both_precisions(self):
        for number, (shape, size) in enumerate(SHAPES):
            image, kernel = random_volume(shape, number), random_volume(size, 100 + number)
            for name in ("same", "full", "valid"):
                if name == "valid" and any(k > n for n, k in zip(shape, size)):
                    continue
                expected = scipy.signal.convolve(image.astype(float), kernel.astype(float),
                                                 mode=name, method="direct")
                for precision, tolerance in (("single", SINGLE), ("double", DOUBLE)):
                    with self.subTest(shape=shape, kernel=size, mode=name, precision=precision):
                        found = self.convolve(image, kernel, "--shape", name,
                                              "--precision", precision)
                        self.assertEqual(found.dtype, "float32" if precision == "single"
                                         else "float64")
                        self.assert_near(found, expected, image, kernel, tolerance)

    def test_correlation_is_that_of_signal(self):
        for number, (shape, size) in enumerate(SHAPES):
            image, kernel = random_volume(shape, number), random_volume(size, 100 + number)
            with self.subTest(shape=shape, kernel=size):
                expected = scipy.signal.correlate(image.astype(float), kernel.astype(float),
                                                  mode="same", method="direct")
                found = self.convolve(image, kernel, "--correlate")
                self.assert_near(found, expected, image, kernel, SINGLE)

    def test_a_point_lands_where_the_centre_rule_says(self):
        image = numpy.zeros((9, 9, 9), "float32")
        image[4, 4, 4] = 1
        kernel = numpy.zeros((4, 5, 6), "float32")
        kernel[3, 1, 2] = 2
        kernel[0, 0, 0] = 1
        centroid = (2, 1, 1)  # (2 (3, 1, 2) + (0, 0, 0)) / 3, rounded
        for rule, centre in (("scipy", (1, 2, 2)), ("middle", (2, 2, 3)), ("peak", (3, 1, 2)),
                             ("centroid", centroid), ("0,4,5", (0, 4, 5))):
            with self.subTest(rule=rule):
                found = self.convolve(image, kernel, "--kernel-center", rule)
                expected = tuple(4 + numpy.array((3, 1, 2)) - centre)
                self.assertEqual(numpy.unravel_index(found.argmax(), found.shape), expected)

    def test_even_kernels_are_centred_as_the_table_says(self):
        """The rows of docs/understand/convolution.md, each with what scipy does."""
        image, kernel = numpy.zeros((1, 1, 12), "float32"), numpy.zeros((1, 1, 4), "float32")
        image[..., 6] = 1
        kernel[..., 3] = 1  # the last of four voxels
        self.write("image.tif", image)
        self.write("kernel.tif", kernel)
        line, weights = image[0, 0], kernel[0, 0]
        signal, ndimage = scipy.signal, scipy.ndimage
        rows = (
            (("convolve", "kernel.tif"), 1, signal.convolve(line, weights, "same")),
            (("convolve", "kernel.tif", "--correlate"), 2,
             signal.correlate(line, weights, "same")),
            (("convolve", "kernel.tif", "--kernel-center", "middle"), 2,
             ndimage.convolve(line, weights)),
            (("convolve", "kernel.tif", "--correlate", "--kernel-center", "middle"), 2,
             ndimage.correlate(line, weights)),
            (("filter", "--kernel", "kernel.tif"), 2, ndimage.convolve(line, weights)),
            (("filter", "--kernel", "kernel.tif", "--correlate"), 2,
             ndimage.correlate(line, weights)))
        for (command, *options), centre, expected in rows:
            with self.subTest(command, options=options):
                self.succeed(command, "image.tif", *options, "-o", "out.tif", "--overwrite")
                place = int(self.read("out.tif").argmax())
                moved = 3 - centre
                self.assertEqual(place, 6 - moved if "--correlate" in options else 6 + moved)
                self.assertEqual(place, int(expected.argmax()))

    def test_a_psf_beside_its_centre_is_warned_about_by_every_command(self):
        z, y, x = numpy.indices((7, 9, 9))
        kernel = numpy.exp(-((z - 4)**2 + (y - 4)**2 + (x - 6)**2) / 2)
        self.write("image.tif", random_volume((9, 11, 13), 1))
        self.write("kernel.tif", kernel.astype("float32"))
        for command, remedy in (
                (("convolve", "image.tif", "kernel.tif"), "give --kernel-center peak"),
                (("filter", "image.tif", "--kernel", "kernel.tif"),
                 "convolve with --kernel-center peak")):
            said = " ".join(self.result_of(*command, "-o", f"{command[0]}.tif")["warnings"])
            self.assertIn("kernel.tif is not at the kernel centre (3, 4, 4)", said)
            self.assertIn("voxels along z, y, x; " + remedy, said)
        for rule in ("peak", "scipy"):
            result = self.result_of("convolve", "image.tif", "kernel.tif", "-o", f"{rule}.tif",
                                    "--kernel-center", rule)
            self.assertNotIn("not at the kernel centre", " ".join(result["warnings"]))

    def test_background_and_normalisation_act_on_the_kernel(self):
        image = random_volume((6, 20, 22), 1)
        kernel = numpy.full((5, 7, 9), 100, "uint16")
        kernel[1:-1, 1:-1, 1:-1] += random_volume((3, 5, 7), 2, numpy.uint16)
        for background in ("auto", "100"):
            with self.subTest(background=background):
                clean = kernel.astype(float) - 100
                expected = scipy.signal.convolve(image.astype(float), clean / clean.sum(),
                                                 mode="same", method="direct")
                found = self.convolve(image, kernel, "--kernel-background", background,
                                      "--normalize-kernel", "sum")
                self.assert_near(found, expected, image, clean / clean.sum(), SINGLE)
        clean = kernel / kernel.max()
        expected = scipy.signal.convolve(image.astype(float), clean, mode="same", method="direct")
        self.assert_near(self.convolve(image, kernel, "--normalize-kernel", "peak"), expected,
                         image, clean, SINGLE)

    def test_the_type_of_the_result_follows_image_and_kernel(self):
        cases = [("uint16", "none", [], "float32"), ("uint16", "sum", [], "uint16"),
                 ("float32", "sum", [], "float32"), ("uint8", "none", ["--output-type", "same"],
                                                     "uint8"),
                 ("uint8", "sum", ["--precision", "double"], "float64"),
                 ("uint8", "sum", ["--output-type", "uint16"], "uint16")]
        for dtype, rule, options, expected in cases:
            with self.subTest(dtype=dtype, rule=rule, options=options):
                found = self.convolve(random_volume((4, 8, 8), 3, numpy.dtype(dtype).type),
                                      random_volume((3, 3, 3), 4), "--normalize-kernel", rule,
                                      *options)
                self.assertEqual(found.dtype, expected)

    def test_integers_are_rounded_and_clipped_voxels_counted(self):
        image = numpy.array([[0, 10, 100, 200]], "uint8")
        self.write("image.tif", image)
        self.write("kernel.tif", numpy.array([[1.26]], "float32"))
        result = self.result_of("convolve", "image.tif", "kernel.tif", "-o", "out.tif",
                                "--output-type", "same", "--shape", "full")
        self.assertEqual(result["clipped"], 0)
        numpy.testing.assert_array_equal(self.read("out.tif").ravel(), [0, 13, 126, 252])
        self.write("kernel.tif", numpy.array([[2.0]], "float32"))
        result = self.result_of("convolve", "image.tif", "kernel.tif", "-o", "out.tif",
                                "--output-type", "same", "--overwrite")
        self.assertEqual(result["clipped"], 1)
        self.assertIn("1 of 4 voxels were clipped", result["warnings"][-1])
        numpy.testing.assert_array_equal(self.read("out.tif").ravel(), [0, 20, 200, 255])

    def test_not_a_number_is_handled_as_asked(self):
        image = random_volume((3, 9, 9), 5)
        image[1, 4, 4] = numpy.nan
        kernel = random_volume((1, 3, 3), 6)
        filled = numpy.nan_to_num(image).astype(float)
        expected = scipy.signal.convolve(filled, kernel.astype(float), mode="same",
                                         method="direct")
        self.assert_near(self.convolve(image, kernel, "--nan", "zero"), expected, filled, kernel,
                         SINGLE)
        self.assertTrue(numpy.isnan(self.convolve(image, kernel, "--nan", "propagate")).any())

    def test_the_voxel_size_survives(self):
        self.write("image.tif", random_volume((4, 8, 9), 1), imagej=True,
                   resolution=(1 / 0.1, 1 / 0.2),
                   metadata={"axes": "ZYX", "spacing": 0.5, "unit": "um"})
        self.write("kernel.tif", random_volume((3, 3, 3), 2))
        for flavor in ("ome", "imagej"):
            self.succeed("convolve", "image.tif", "kernel.tif", "-o", f"{flavor}.tif",
                         "--tiff-flavor", flavor)
            voxel_um = self.result_of("info", f"{flavor}.tif")["voxel_um"]
            numpy.testing.assert_allclose(voxel_um, [0.5, 0.2, 0.1], rtol=1e-6)

    def test_a_stored_plan_gives_the_same_bytes(self):
        self.write("image.tif", random_volume((9, 20, 31), 1))
        self.write("kernel.tif", random_volume((3, 5, 5), 2))
        # The budget is part of a plan; without one given it is what is free at the moment
        files = ("convolve", "image.tif", "kernel.tif", "--memory", "1G")
        self.text("plan.json", self.succeed("plan", *files, "--json"))
        self.assertEqual(self.succeed(*files, "--dry-run", "--json"),
                         self.succeed("plan", *files, "--json"))
        self.assertNotIn("out.tif", self.listing())
        self.succeed(*files, "-o", "one.tif", "--threads", "1")
        self.succeed(*files, "-o", "two.tif", "--threads", "3", "--plan", "plan.json")
        with open(self.path("one.tif"), "rb") as one, open(self.path("two.tif"), "rb") as two:
            self.assertEqual(one.read(), two.read())

    def test_the_record_beside_the_result_says_how_it_was_made(self):
        self.write("image.tif", random_volume((4, 8, 9), 1))
        self.write("kernel.tif", random_volume((3, 3, 3), 2))
        self.succeed("convolve", "image.tif", "kernel.tif", "-o", "out.tif")
        with open(self.path("out.tif.json"), encoding="utf-8") as file:
            record = json.load(file)
        self.assertEqual([item["path"] for item in record["inputs"]], ["image.tif", "kernel.tif"])
        self.assertEqual(record["command_line"][1:], ["convolve", "image.tif", "kernel.tif", "-o",
                                                      "out.tif"])
        self.assertEqual(self.listing(), ["image.tif", "kernel.tif", "out.tif", "out.tif.json"])

    def test_certificates_hold_for_every_boundary_and_type(self):
        self.write("image.tif", random_volume((9, 20, 31), 1, numpy.uint16))
        self.write("kernel.tif", random_volume((4, 5, 6), 2))
        for boundary in NDIMAGE_MODES:
            for dtype in ("float32", "uint16"):
                with self.subTest(boundary=boundary, dtype=dtype):
                    result = self.result_of(
                        "convolve", "image.tif", "kernel.tif", "-o", "out.tif", "--certify", 100,
                        "--boundary", boundary, "--output-type", dtype, "--overwrite")
                    certificate = result["certificate"]
                    self.assertEqual(certificate["voxels"], 100)
                    self.assertLessEqual(certificate["largest_error"], certificate["tolerance"])
                    self.assertNotIn("out.tif.uncertified", self.listing())

    def test_a_kernel_whose_border_is_bright_is_warned_about(self):
        self.write("image.tif", random_volume((4, 20, 20), 1))
        kernel = random_volume((9, 9, 9), 2, numpy.uint16) + 142
        self.write("kernel.tif", kernel.astype("uint16"))
        result = self.command("convolve", "image.tif", "kernel.tif", "-o", "out.tif")
        self.assertEqual(result.returncode, 0)
        self.assertIn("the border of kernel kernel.tif contains", result.stderr)
        self.assertIn("--kernel-background auto", result.stderr)

    def test_a_kernel_of_several_channels_is_refused_as_a_kernel(self):
        self.write("image.tif", numpy.ones((20, 20), "float32"))
        tifffile.imwrite(self.path("colour.tif"), numpy.ones((3, 3, 3), "uint8"), photometric="rgb")
        for words in (("convolve", "image.tif", "colour.tif"),
                      ("convolve", "image.tif", "colour.tif", "--channel", "0"),
                      ("filter", "image.tif", "--kernel", "colour.tif")):
            result = self.command(*words, "-o", "out.tif")
            self.assertEqual(result.returncode, 3, result.stderr)
            self.assertIn("the kernel colour.tif: it holds 3 channels", result.stderr)

    def test_weights_of_a_derivative_are_not_called_light(self):
        self.write("image.tif", numpy.ones((3, 20, 20), "float32"))
        self.write("kernel.tif", numpy.array([[[1, 0, -1]]], "float32"))
        result = self.command("convolve", "image.tif", "kernel.tif", "-o", "out.tif")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("light", result.stderr)

    def test_different_voxel_sizes_are_warned_about(self):
        for name, spacing in (("image.tif", 0.5), ("kernel.tif", 0.4)):
            self.write(name, random_volume((3, 5, 5), 1), imagej=True, resolution=(10, 10),
                       metadata={"axes": "ZYX", "spacing": spacing, "unit": "um"})
        result = self.command("convolve", "image.tif", "kernel.tif", "-o", "out.tif")
        self.assertIn("are 0.5 um along z, but voxels of kernel kernel.tif are 0.4 um",
                      result.stderr)
        self.assertNotIn("along y", result.stderr)


if __name__ == "__main__":
    main()
