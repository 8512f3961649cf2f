# SPDX-License-Identifier: MIT
# tests/python/images/cli_deconvolve.py — the light of images, beside a few lines of numpy; what
# is no image, no PSF or no time.
import json
import os
import resource
import signal

from held_run import HeldTest, needs_held_runs
from program import main, numpy, random_volume, scipy

USAGE, INPUT, MEMORY = 2, 3, 5
FIELD = (6, 26, 30)


def gaussian(shape, sigma, center=None):
    center = center or [(n - 1) / 2 for n in shape]
    grid = numpy.indices(shape).astype("f8")
    distance = sum((g - c) ** 2 for g, c in zip(grid, center))
    weights = numpy.exp(-distance / (2 * sigma ** 2))
    return (weights / weights.sum()).astype("f4")


PSF = gaussian((3, 7, 7), 1.4)


def points(shape=FIELD):
    """Light that ends in the field and light beyond it, on the extent of the estimate."""
    light = random_volume([n + k - 1 for n, k in zip(shape, PSF.shape)], 5)
    return numpy.where(light > 0.985, 3000 * light, 5 * light)


def blurred(light, psf):
    return scipy.signal.fftconvolve(light, psf.astype("f8"), mode="valid")


def image_of(light, psf, background=0):
    draw = numpy.random.default_rng(3)
    return draw.poisson(blurred(light, psf) + background).astype("f4")


def richardson_lucy(image, psf, iterations, background=0.0, momentum=False, step=None):
    """The field's part of the estimate, and the likelihoods before each iteration.

    `step`, if given, makes the next light of the light, the sums of ratios and the share.
    """
    flipped = psf[::-1, ::-1, ::-1].astype("f8")
    image = image.astype("f8")
    share = scipy.signal.fftconvolve(numpy.ones(image.shape), flipped, mode="full")
    part = share > 1e-3 * share.max()
    light = numpy.clip(image - background, 0, None).sum()
    even = light / share[part].sum()
    last = start = numpy.where(part, even, 0)
    likelihoods = []
    for i in range(iterations):
        expected = blurred(start, psf) + background
        likelihoods.append((image * numpy.log(expected) - expected).sum())
        back = scipy.signal.fftconvolve(image / expected, flipped, mode="full")
        found = numpy.where(part, start * back / numpy.where(part, share, 1), 0)
        if step:
            found = numpy.where(part, step(start, back, numpy.where(part, share, 0)), 0)
        ahead = i / (i + 3) if momentum else 0
        start, last = numpy.maximum(found + ahead * (found - last),
                                    numpy.minimum(found, 0.01 * even)), found
    inside = tuple(slice(k - 1 - (k - 1) // 2, k - 1 - (k - 1) // 2 + n)
                   for n, k in zip(image.shape, psf.shape))
    return last[inside], likelihoods


class Deconvolve(HeldTest):
    def setUp(self):
        super().setUp()
        self.image = image_of(points(), PSF, background=20)
        self.write("image.tif", self.image)
        self.write("psf.tif", PSF)

    def words(self, *options, output="out.tif", image="image.tif", psf="psf.tif"):
        return ["deconvolve", image, psf, "-o", output, "--threads", "2", *options]

    def found(self, *options, **files):
        report = self.result_of(*self.words("--overwrite", *options, **files))
        return self.read(files.get("output", "out.tif")), report


class Light(Deconvolve):
    def test_is_that_of_the_formula(self):
        for method in ("rl", "shb"):
            for background in (0, 20):
                with self.subTest(method=method, background=background):
                    result, report = self.found("--method", method, "--iterations", "12",
                                                "--background", str(background))
                    expected, likelihoods = richardson_lucy(self.image, PSF, 12, background,
                                                            momentum=method == "shb")
                    self.assertEqual(result.dtype, "f4")
                    difference = abs(result - expected).max() / expected.max()
                    self.assertLess(difference, 2e-6)
                    numpy.testing.assert_allclose(report["log_likelihoods"], likelihoods,
                                                  rtol=1e-6)

    def test_of_a_plane_and_of_a_psf_that_is_larger_than_the_image(self):
        for image, psf in ((random_volume((40, 31), 1) * 90, gaussian((9, 9), 2)),
                           (random_volume((5, 6), 2) * 90, gaussian((11, 9), 2)),
                           (random_volume((5, 12, 12), 3) * 90, gaussian((9, 5, 5), 1.5))):
            with self.subTest(image=image.shape, psf=psf.shape):
                self.write("i.tif", image)
                self.write("k.tif", psf)
                result, _ = self.found("--method", "rl", "--iterations", "5", "--background",
                                       "none", image="i.tif", psf="k.tif")
                shape = (1,) * (3 - image.ndim)
                expected, _ = richardson_lucy(image.reshape(shape + image.shape),
                                              psf.reshape(shape + psf.shape), 5)
                difference = abs(result - expected.reshape(image.shape)).max() / expected.max()
                self.assertLess(difference, 2e-6)

    def test_wraps_where_it_is_told_to(self):
        light = numpy.zeros((1, 16, 20))
        light[0, 0, 19] = light[0, 9, 9] = 1000
        psf = gaussian((1, 5, 5), 1)
        image = numpy.real(numpy.fft.ifftn(numpy.fft.fftn(light) * numpy.fft.fftn(
            numpy.roll(numpy.pad(psf, ((0, 0), (0, 11), (0, 15))), (-2, -2), (1, 2)))))
        self.write("i.tif", image.astype("f4"))
        self.write("k.tif", psf)
        result, _ = self.found("--edge", "wrap", "--iterations", "60", "--background", "none",
                               image="i.tif", psf="k.tif")
        for point in ((0, 19), (9, 9)):
            self.assertGreater(result[point], 0.8 * 1000)

    def test_lies_where_the_peak_of_the_psf_says(self):
        light = numpy.zeros((1, 30, 30), "f4")
        light[0, 14, 12] = 5000
        for size, center in (((1, 9, 9), (0, 4, 4)), ((1, 8, 10), (0, 2, 6))):
            with self.subTest(size=size):
                psf = gaussian(size, 1.2, center)
                image = numpy.zeros((1, 30, 30), "f4")
                image[0, 14 - center[1]:14 - center[1] + size[1],
                      12 - center[2]:12 - center[2] + size[2]] = 5000 * psf[0]
                self.write("i.tif", image)
                self.write("k.tif", psf)
                result, _ = self.found("--background", "none", image="i.tif", psf="k.tif")
                self.assertEqual(numpy.unravel_index(result.argmax(), result.shape), (14, 12))

    def test_is_the_same_from_files_as_in_memory(self):
        image = random_volume((60, 160, 170), 8) * 100
        self.write("i.tif", image)
        inside, report = self.found("--iterations", "3", image="i.tif")
        self.assertFalse(report["scratch_files"])
        outside, report = self.found("--iterations", "3", "--memory", "30M", image="i.tif",
                                     output="files.tif")
        self.assertTrue(report["scratch_files"])
        self.assertLess(abs(outside - inside).max(), 1e-5 * inside.max())
        plan = self.result_of("deconvolve", "i.tif", "psf.tif", "--memory", "30M", "--dry-run")
        self.assertEqual((plan["blur"]["problem"]["image_voxel_bytes"],
                          plan["adjoint"]["problem"]["result_voxel_bytes"]), (4, 8))
        self.assertEqual(self.listing(), ["files.tif", "files.tif.json", "i.tif", "image.tif",
                                          "out.tif", "out.tif.json", "psf.tif"])

    def test_is_in_photons_where_the_camera_is_known(self):
        self.text("camera.toml", 'kind = "scmos"\ngain_dn_per_electron = 4\noffset_dn = 50\n'
                                 "quantum_efficiency = 0.5\nread_noise_electrons = 1\n"
                                 "dark_current_electrons_per_second = 0\n")
        self.write("i.tif", numpy.full((5, 30, 30), 50 + 4 * 100, "u2"))
        result, report = self.found("--camera", "camera.toml", "--background", "50", image="i.tif")
        numpy.testing.assert_allclose(result[2, 10:20, 10:20], 100 / 0.5, rtol=1e-3)
        self.assertEqual(report["saturated_voxels"], 0)

    def test_keeps_the_units_of_a_psf_that_is_not_divided(self):
        whole, _ = self.found("--background", "20")
        part, _ = self.found("--background", "20", "--normalize-kernel", "none",
                             psf=self.write("k.tif", PSF * 4))
        numpy.testing.assert_allclose(part * 4, whole, rtol=1e-4, atol=1e-4 * whole.max())

    def test_record_says_how_it_was_found(self):
        self.found("--iterations", "3")
        with open(self.path("out.tif.json"), encoding="utf-8") as file:
            record = json.load(file)
        self.assertEqual(record["request"]["method"], "shb")
        self.assertEqual(record["found"]["iterations"], 3)
        self.assertEqual(len(record["found"]["log_likelihoods"]), 3)


CAMERA = """kind = "scmos"
gain_dn_per_electron = 2
offset_dn = 100
quantum_efficiency = 1
read_noise_electrons = 1
dark_current_electrons_per_second = 0
"""


def smooth_light():
    """Light on the extent of its estimate, and what a camera records of it."""
    draw = numpy.random.default_rng(4)
    light = scipy.ndimage.gaussian_filter(draw.random((8, 66, 70)) ** 3, (0, 2, 2))
    light *= 60 / light.mean()
    electrons = draw.poisson(blurred(light, PSF)) + draw.normal(0, 1, (6, 60, 64))
    return light, (100 + 2 * electrons).round().clip(0).astype("u2")


class ChosenIterations(Deconvolve):
    def setUp(self):
        super().setUp()
        self.text("camera.toml", CAMERA)
        self.light, image = smooth_light()
        self.write("i.tif", image)
        self.options = ["--camera", "camera.toml", "--background", "none"]

    def error(self, iterations):
        result, report = self.found(*self.options, "--iterations", str(iterations), image="i.tif")
        smooth = [scipy.ndimage.gaussian_filter(volume, 1) for volume in
                  (result, self.light[1:-1, 3:-3, 3:-3])]
        return numpy.linalg.norm(smooth[0] - smooth[1]) / numpy.linalg.norm(smooth[1]), report

    def test_are_close_to_the_best(self):
        error, report = self.error("auto")
        last = report["search"][-1]
        self.assertAlmostEqual(report["iterations"], last["iterations"],
                               delta=0.04 * last["iterations"])
        self.assertLess(abs(last["best"] / last["iterations"] - 1 / 1.1), 0.1)
        self.assertEqual(report["search_end"], "settled")
        self.assertEqual(len(report["log_likelihoods"]), report["iterations"])
        self.assertLess(error, 1.1 * min(self.error(n)[0] for n in range(1, 15)))

    def test_need_a_camera(self):
        self.refused(USAGE, ["auto", "--camera"], *self.words("--iterations", "auto"))

    def test_are_not_for_back_projectors(self):
        self.refused(USAGE, ["auto", "wb", "rl or shb"],
                     *self.words("--iterations", "auto", "--method", "wb", *self.options))


class OtherMethods(Deconvolve):
    def setUp(self):
        super().setUp()
        self.light, image = smooth_light()
        self.write("i.tif", image)
        self.blurred = (image - 100.0) / 2
        self.truth = self.light[1:-1, 3:-3, 3:-3]
        self.options = ["--background", "100"]

    def error(self, light):
        return numpy.linalg.norm(light - self.truth) / numpy.linalg.norm(self.truth)

    def test_filter_comes_nearer_to_the_light_than_the_image(self):
        result, report = self.found("--method", "wiener", *self.options, image="i.tif")
        self.assertLess(self.error(result / 2), 0.85 * self.error(self.blurred))
        self.assertGreater(report["lambda"], 1e-3)

    def test_with_a_back_projector_need_fewer_iterations(self):
        psf = gaussian((1, 15, 15), 2)
        light = scipy.ndimage.gaussian_filter(random_volume((1, 94, 94), 6) ** 9, (0, 1, 1)) * 900
        self.write("clean.tif", blurred(light, psf).astype("f4"))
        self.write("psf.tif", psf)
        self.truth = light[0, 7:-7, 7:-7]
        fast, slow = (self.found("--method", method, "--iterations", str(number), "--background",
                                 "none", image="clean.tif")[0]
                      for method, number in (("wb", 2), ("rl", 6)))
        self.assertLess(self.error(fast), self.error(slow))

    def test_linear_filter_keeps_the_light_and_takes_its_lambda(self):
        self.write("even.tif", numpy.full((5, 20, 20), 70, "f4"))
        result, report = self.found("--method", "wiener", "--lambda", "0.01", "--background", "20",
                                    image="even.tif")
        self.assertEqual(report["lambda"], 0.01)
        numpy.testing.assert_allclose(result, 50, rtol=1e-5)

    def test_refuse_options_of_others(self):
        for words, call in ((["--iterations", "wiener"], ["--method", "wiener",
                                                          "--iterations", "3"]),
                            (["--lambda", "wiener"], ["--lambda", "0.1"]),
                            (["--alpha", "wb"], ["--alpha", "0.3"]),
                            (["lambda"], ["--method", "wiener", "--lambda", "-1"])):
            with self.subTest(words=words):
                self.refused(USAGE, words, *self.words(*call))


class BadInput(Deconvolve):
    def test_is_refused_in_a_sentence(self):
        nan = self.image.copy()
        nan[0, 3, 4] = numpy.nan
        self.write("nan.tif", nan)
        for name, psf in (("zero.tif", PSF * 0), ("nan-psf.tif", PSF * numpy.nan),
                          ("negative.tif", -PSF)):
            self.write(name, psf)
        for code, words, call in (
                (INPUT, ["nan.tif", "NaN"], self.words(image="nan.tif")),
                (INPUT, ["zero.tif", "zero"], self.words(psf="zero.tif")),
                (INPUT, ["nan-psf.tif", "NaN"], self.words(psf="nan-psf.tif")),
                (INPUT, ["negative.tif"], self.words(psf="negative.tif")),
                (INPUT, ["no light", "--background"], self.words("--background", "1e9")),
                (USAGE, ["--iterations", "from 1 up, or auto"], self.words("--iterations", "0")),
                (USAGE, ["--lambda: 'x'", "or auto"], self.words("--lambda", "x")),
                (USAGE, ["--regularize: 'tv' is not"], self.words("--regularize", "tv")),
                (USAGE, ["--checkpoint-every"], self.words("--checkpoint-every", "-1")),
                (USAGE, ["--output is missing"], ["deconvolve", "image.tif", "psf.tif"]),
                (MEMORY, ["--memory"], self.words("--memory", "1M"))):
            with self.subTest(words=words):
                before = self.listing()
                self.refused(code, words, *call)
                self.assertEqual(self.listing(), before)

    def test_is_counted_where_it_can_be_used(self):
        image = numpy.clip(self.image, 0, 255).astype("i2") - 30
        image[2, 3, :5] = 32767
        self.write("i.tif", image)
        psf = PSF.copy()
        psf[0, 0, :2] = -1e-4
        self.write("k.tif", psf)
        result, report = self.found(image="i.tif", psf="k.tif")
        self.assertTrue(numpy.isfinite(result).all())
        self.assertEqual(report["saturated_voxels"], 5)
        self.assertEqual(report["negative_voxels"], int((image < 0).sum()))
        self.assertEqual(report["psf"]["negative_voxels"], 2)
        warnings = " ".join(report["warnings"])
        for words in ("are saturated", "were taken as no light", "were replaced by 0"):
            self.assertIn(words, warnings)

    def test_of_another_voxel_size_is_a_warning(self):
        for name, voxels, size in (("i.tif", self.image, 0.1), ("k.tif", PSF, 0.2)):
            self.write(name, voxels, imagej=True, resolution=(1 / size, 1 / size),
                       metadata={"spacing": 0.3, "unit": "um", "axes": "ZYX"})
        _, report = self.found(image="i.tif", psf="k.tif")
        self.assertIn("voxel", " ".join(report["warnings"]))


@needs_held_runs
class Checkpoints(Deconvolve):
    CHECKPOINT = "out.tif.checkpoint"

    def stop_after(self, saves, *options):
        """Kills a run while it writes its checkpoint number `saves` + 1, from 1."""
        words = self.words("--checkpoint-every", "0", *options, "--overwrite", output="counted.tif")
        calls = self.calls_of(*words, name="counted.tif.checkpoint")
        report = json.loads(self.command(*words, "--json").stdout)
        of_each = calls / (report["iterations"] - 1)
        ended = self.meet(signal.SIGKILL, *self.words("--checkpoint-every", "0", *options),
                          at=int((saves + 0.5) * of_each), name=self.CHECKPOINT)
        self.assertEqual(ended.returncode, -signal.SIGKILL, ended.stderr)
        self.assertIn(self.CHECKPOINT, self.listing())
        self.assertNotIn("out.tif", self.listing())

    def test_let_a_killed_run_go_on_to_the_same_bytes(self):
        for method in (["--method", "rl"], ["--method", "shb"], ["--regularize", "tv:0.05"]):
            with self.subTest(method=method):
                options = [*method, "--iterations", "5"]
                expected, whole = self.found(*options, output="whole.tif")
                self.stop_after(2, *options)
                result, report = self.found("--resume", *options)
                self.assertTrue((result == expected).all())
                self.assertEqual(report["log_likelihoods"], whole["log_likelihoods"])
                self.assertNotIn(self.CHECKPOINT, " ".join(self.listing()))
                os.remove(self.path("out.tif"))
                os.remove(self.path("out.tif.json"))

    def test_keep_the_number_that_was_found(self):
        self.text("camera.toml", CAMERA)
        self.write("image.tif", smooth_light()[1])
        options = ["--camera", "camera.toml", "--iterations", "auto"]
        expected, whole = self.found(*options, output="whole.tif")
        self.stop_after(2, *options)
        result, report = self.found("--resume", *options)
        self.assertTrue((result == expected).all())
        self.assertEqual([report[key] for key in ("search", "search_end")],
                         [whole[key] for key in ("search", "search_end")])

    def test_go_on_to_more_iterations_but_not_to_other_work(self):
        self.stop_after(2, "--iterations", "5")
        self.refused(USAGE, ["background", "--resume"],
                     *self.words("--resume", "--background", "3"))
        self.refused(USAGE, ["method"], *self.words("--resume", "--method", "rl"))
        result, report = self.found("--resume", "--iterations", "7")
        self.assertEqual(report["iterations"], 7)
        self.assertTrue((result == self.found("--iterations", "7", output="w.tif")[0]).all())

    def test_that_were_changed_are_refused(self):
        self.stop_after(1, "--iterations", "3")
        with open(self.path(self.CHECKPOINT), "r+b") as file:
            file.seek(-50, os.SEEK_END)
            file.write(b"other bytes")
        self.refused(INPUT, ["changed", "--resume"], *self.words("--resume"))
        self.text(self.CHECKPOINT, "something else")
        self.refused(INPUT, ["no checkpoint"], *self.words("--resume"))

    def test_that_do_not_fit_the_disk_do_not_stop_a_run(self):
        limit = self.image.nbytes + 20000  # the checkpoint has two larger volumes
        result = self.command(*self.words("--checkpoint-every", "0", "--iterations", "3"),
                              preexec_fn=lambda: resource.setrlimit(
                                  resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("iteration 1 was not saved", result.stderr)
        self.assertTrue((self.read("out.tif") ==
                         self.found("--iterations", "3", output="w.tif")[0]).all())


if __name__ == "__main__":
    main()
