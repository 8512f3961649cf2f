# SPDX-License-Identifier: MIT
# tests/python/images/cli_deconvolve_priors.py — light that is known to be smooth, and PSFs that
# vary with depth.
from cli_deconvolve import PSF, USAGE, Deconvolve, richardson_lucy
from program import main, numpy, random_volume, scipy


def variation_slopes(light, part, pitch, flat):
    """The divergence of grad u / n of total variation, and twice the sum of 1 / (n pitch^2)."""
    steps, squares = [], flat ** 2
    for axis, side in enumerate(pitch):
        step = numpy.zeros(light.shape)
        inner = tuple(slice(None, -1) if a == axis else slice(None) for a in range(3))
        both = part[inner] & numpy.roll(part, -1, axis)[inner]
        step[inner] = numpy.where(both, numpy.diff(light, axis=axis) / side, 0)
        steps.append(step)
        squares = squares + step ** 2
    slope, bend = numpy.zeros(light.shape), numpy.zeros(light.shape)
    for axis, (step, side) in enumerate(zip(steps, pitch)):
        ahead = step / numpy.sqrt(squares) / side
        slope += ahead - numpy.roll(ahead, 1, axis)
        inner = tuple(slice(None, -1) if a == axis else slice(None) for a in range(3))
        there = numpy.zeros(light.shape)
        there[inner] = (part[inner] & numpy.roll(part, -1, axis)[inner]) / side ** 2
        there /= numpy.sqrt(squares)
        bend += 2 * (there + numpy.roll(there, 1, axis))
    return slope, bend


def smooth_step(image, background, weight, pitch):
    """A step of an iteration with a penalty for total variation, for richardson_lucy."""
    above = numpy.clip(image.astype("f8") - background, 0, None)
    typical = (above ** 2).sum() / above.sum()

    def step(light, back, share):
        whole = share.max()
        slope, bend = (weight * whole * part for part in variation_slopes(
            light, share > 0, pitch, 0.03 * typical / whole))
        half = (share - slope - bend * light) / 2
        root = numpy.sqrt(half ** 2 + bend * light * back)
        with numpy.errstate(divide="ignore", invalid="ignore"):
            return numpy.where(half > 0, light * back / (half + root), (root - half) / bend)
    return step


class TotalVariation(Deconvolve):
    def setUp(self):
        super().setUp()
        self.write("i.tif", self.image, imagej=True, resolution=(10, 10),
                   metadata={"spacing": 0.25, "unit": "um", "axes": "ZYX"})
        self.options = ["--iterations", "12", "--background", "20", "--gpus", "none"]

    def test_is_that_of_the_formula(self):
        for method in ("rl", "shb"):
            for name, pitch in (("i.tif", (2.5, 1, 1)), ("image.tif", (1, 1, 1))):
                with self.subTest(method=method, image=name):
                    result, report = self.found("--method", method, "--regularize", "tv:0.02",
                                                *self.options, image=name)
                    expected, likelihoods = richardson_lucy(
                        self.image, PSF, 12, 20, method == "shb",
                        smooth_step(self.image, 20, 0.02, pitch))
                    difference = abs(result - expected).max() / expected.max()
                    self.assertLess(difference, 2e-6)
                    numpy.testing.assert_allclose(report["log_likelihoods"], likelihoods,
                                                  rtol=1e-6)

    def test_is_the_same_from_files_as_in_memory(self):
        self.write("i.tif", random_volume((60, 160, 170), 8) * 100)
        options = ["--iterations", "3", "--regularize", "tv:0.1", "--gpus", "none"]
        inside, report = self.found(*options, image="i.tif")
        self.assertFalse(report["scratch_files"])
        outside, report = self.found(*options, "--memory", "30M", image="i.tif",
                                     output="files.tif")
        self.assertTrue(report["scratch_files"])
        self.assertLess(abs(outside - inside).max(), 1e-5 * inside.max())

    def test_is_refused_where_it_cannot_be_meant(self):
        for given in ("tv:-1", "tv:nan", "tv:2", "tv:0", "tv:", "tv", "0.1", "tv:0.1x"):
            with self.subTest(given=given):
                self.refused(USAGE, ["regularize", "tv:L"], *self.words("--regularize", given))
        for method in ("wb", "wiener"):
            self.refused(USAGE, ["--regularize", method],
                         *self.words("--regularize", "tv:0.1", "--method", method))


DEEP = """seed = 3
[grid]
size = [24, 32, 32]
pitch_nm = [250, 100, 100]
[nuclei]
count = 9
radius_um = 0.6
photons_per_um3 = 5000
border = "cut"
texture = "none"
[background]
photons_per_pixel = 0
[optics]
model = "gibson-lanni"
na = 1.3
immersion_index = 1.515
sample_index = 1.33
depth_um = 1
depth_varying = true
cover_glass = "below"
reference_error = 0.05
size = [47, 49, 49]
[output]
light = true
"""


class DepthVaryingPsf(Deconvolve):
    options = ["--background", "none", "--normalize-kernel", "none", "--gpus", "none"]

    def setUp(self):
        super().setUp()
        self.text("scene.toml", DEEP)

    def simulated(self):
        self.result_of("simulate", "scene.toml", "-o", "set", "--threads", "2")
        return self.read("set/light.ome.tif")

    def error(self, light, truth):
        smooth = [scipy.ndimage.gaussian_filter(volume.astype("f8"), 1) for volume in
                  (light, truth)]
        return numpy.linalg.norm(smooth[0] - smooth[1]) / numpy.linalg.norm(smooth[1])

    def test_comes_nearer_to_the_light_than_one_psf(self):
        truth = self.simulated()
        image = "set/photons.ome.tif"
        _, report = self.found_by("--optics", "scene.toml", "--method", "rl", image=image)
        self.assertGreaterEqual(report["psf"]["depths"], 3)
        likelihoods = report["log_likelihoods"]
        self.assertTrue(all(b >= a - 1e-6 * abs(a) for a, b in zip(likelihoods, likelihoods[1:])))
        light, _ = self.found_by("--optics", "scene.toml", image=image, iterations=25)
        self.text("one.toml", DEEP.replace("depth_varying = true", 'axial_origin = "focus"')
                  .replace("depth_um = 1", "depth_um = 4").replace("reference_error = 0.05", ""))
        one, report = self.found_by("--optics", "one.toml", image=image, iterations=25)
        self.assertEqual(report["psf"]["depths"], 1)
        self.assertLess(self.error(light, truth), 0.8 * self.error(one, truth))

    def test_is_the_same_from_files_as_in_memory(self):
        self.simulated()
        image = "set/photons.ome.tif"
        options = ["--optics", "scene.toml", "--regularize", "tv:0.01"]
        inside, report = self.found_by(*options, image=image)
        self.assertFalse(report["scratch_files"])
        outside, report = self.found_by(*options, "--memory", "24M", image=image)
        self.assertTrue(report["scratch_files"])
        self.assertLess(abs(outside - inside).max(), 1e-5 * inside.max())

    def test_that_does_not_vary_is_that_of_the_command_psf(self):
        scene = (DEEP.replace("depth_varying = true", "").replace("reference_error = 0.05", ""))
        self.text("one.toml", scene)
        self.result_of("psf", "one.toml", "-o", "k.tif")
        image = random_volume((24, 32, 32), 8) * 100
        self.write("i.tif", image, imagej=True, resolution=(10, 10),
                   metadata={"spacing": 0.25, "unit": "um", "axes": "ZYX"})
        expected, _ = self.found(*self.options, "--iterations", "3", image="i.tif", psf="k.tif")
        result, _ = self.found_by("--optics", "one.toml", image="i.tif", iterations=3)
        numpy.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-5 * expected.max())

    def found_by(self, *options, image, iterations=8):
        report = self.result_of("deconvolve", image, "-o", "out.tif", "--overwrite", "--threads",
                                "2", "--iterations", str(iterations), *self.options, *options)
        return self.read("out.tif"), report

    def test_is_refused_where_it_cannot_be_meant(self):
        call = ["deconvolve", "image.tif", "-o", "out.tif"]
        self.refused(USAGE, ["PSF", "--optics"], *call)
        self.refused(USAGE, ["PSF", "--optics", "one of them"],
                     *self.words("--optics", "scene.toml"))
        self.refused(USAGE, ["--kernel-center"], *call, "--optics", "scene.toml",
                     "--kernel-center", "peak")
        self.refused(USAGE, ["varies with depth", "wb"], *call, "--optics", "scene.toml",
                     "--method", "wb")
        self.text("two.toml", '[[channel]]\nname = "a"\nlight.nuclei = 1\n'
                              '[[channel]]\nname = "b"\nlight.nuclei = 1\n')
        self.refused(USAGE, ["2 channels"], *call, "--optics", "two.toml")


if __name__ == "__main__":
    main()
