# SPDX-License-Identifier: MIT
# tests/python/simulate/cli_phantom.py — `phantom` renders what `simulate` blurs; its texture is
# chromatin.
import numpy
import tifffile

from program import TINY_SCENE, ProgramTest, main

# One nucleus that is larger than the grid, so that every voxel shows its texture and no edge
CHROMATIN = """[grid]
size = [96, 96, 96]
pitch_nm = [100, 100, 100]
[nuclei]
count = 1
radius_um = 40
radius_spread = 0
axis_ratios = [1, 1, 1]
roughness = 0
border = "cut"
photons_per_um3 = 1e6
texture_contrast = 1
texture_octaves = 8
"""
SEEDS = range(1, 7)
CONTRAST_FREE = 1e6 * 0.1**3


def spectrum_slope(fields, pitch_um, low, high):
    """Slope of log power over log k between two wave numbers, 1/um, averaged over fields."""
    shape = fields[0].shape
    window = numpy.ones(shape)
    for axis, size in enumerate(shape):
        taper = numpy.hanning(size).reshape([-1 if i == axis else 1 for i in range(len(shape))])
        window = window * taper
    waves = numpy.meshgrid(*[2 * numpy.pi * numpy.fft.fftfreq(n, pitch_um) for n in shape],
                           indexing="ij")
    k = numpy.sqrt(sum(w**2 for w in waves))
    power = sum(abs(numpy.fft.fftn((f - f.mean()) * window))**2 for f in fields)
    edges = numpy.geomspace(low, high, 9)
    shells = [(k >= a) & (k < b) for a, b in zip(edges, edges[1:])]
    x = [numpy.log(k[shell]).mean() for shell in shells]
    y = [numpy.log(power[shell].mean()) for shell in shells]
    return numpy.polyfit(x, y, 1)[0]


class Phantom(ProgramTest):
    def test_convolved_with_the_psf_and_a_background_is_what_simulate_stores(self):
        self.text("scene.toml", TINY_SCENE)
        self.succeed("simulate", "scene.toml", "-o", "set", "--quiet")
        self.succeed("phantom", "scene.toml", "-o", "light.tif", "--labels", "labels.tif")
        labels = self.read("labels.tif")
        numpy.testing.assert_array_equal(labels, self.read("set/labels.ome.tif"))
        light = self.read("light.tif")
        self.assertEqual(light.dtype, "float32")
        self.assertTrue((light[labels > 0] > 0).all())
        self.succeed("convolve", "light.tif", "set/psf.ome.tif", "-o", "blurred.tif", "--quiet")
        photons = self.read("set/photons.ome.tif")
        numpy.testing.assert_allclose(numpy.maximum(self.read("blurred.tif"), 0) + 4, photons,
                                      rtol=0, atol=1e-5 * photons.max())

    def test_takes_a_channel_and_a_frame_of_an_imported_file(self):
        stacks = numpy.zeros((2, 5, 3, 12, 14), "uint16")  # frames, planes, channels
        stacks[1, 2:4, 2, 3:9, 4:8] = 7
        stacks[0, :, 0, :2, :2] = 3
        tifffile.imwrite(self.path("file.tif"), stacks, imagej=True, metadata={"axes": "TZCYX"})

        def scene(choice):
            self.text("scene.toml", "[grid]\nsize = [5, 12, 14]\npitch_nm = [300, 200, 200]\n"
                      "[volume]\nlabels = \"file.tif\"\npitch_nm = [300, 200, 200]\n" + choice)
        scene("frame = 1\nchannel = 2\n")
        self.succeed("phantom", "scene.toml", "-o", "light.tif", "--labels", "labels.tif")
        numpy.testing.assert_array_equal(self.read("labels.tif"), stacks[1, :, 2] > 0)
        for choice, said in (
                ("frame = 1\n", "volume.channel is not set"),
                ("channel = 0\n", "volume.frame is not set"),
                ("channel = 3\nframe = 0\n", "holds 3 of them; give 0 to 2")):
            scene(choice)
            result = self.command("phantom", "scene.toml", "-o", "no.tif")
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(said, result.stderr)

    def test_says_what_is_wrong(self):
        self.text("scene.toml", TINY_SCENE)
        for options, words in ((["--labels", "a.tif"], "a.tif would be in the same file"),
                               (["--set", "nuclei.count=-1"], "nuclei.count is -1")):
            result = self.command("phantom", "scene.toml", "-o", "a.tif", *options)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(words, result.stderr)
            self.assertEqual(self.listing(), ["scene.toml"])

    def test_and_psf_never_write_over_what_they_read(self):
        self.succeed("psf", "--model", "gaussian", "--size", "5,9,9", "-o", "file.tif")
        self.write("labels.tif", numpy.ones((12, 48, 40), "u2"))
        self.text("scene.toml", TINY_SCENE +
                  '[volume]\nlabels = "labels.tif"\npitch_nm = [300, 150, 150]\n')
        for arguments in (["phantom", "scene.toml", "-o", "labels.tif"],
                          ["phantom", "scene.toml", "-o", "a.tif", "--labels", "./labels.tif"],
                          ["psf", "--model", "file", "--file", "file.tif", "-o", "file.tif"]):
            with self.subTest(" ".join(arguments)):
                before = self.files(".")
                result = self.command(*arguments, "--overwrite")
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn("itself, which the run reads; choose another name", result.stderr)
                self.assertEqual(self.files("."), before)

    def test_chromatin_has_the_spectrum_k_to_the_minus_3(self):
        """S(k) ~ k^-3 between the longest wave and the pitch, before it is mapped to a density;
        mapping and sectioning make it flatter. @source Phys. Rev. E 96 (2017) 012411."""
        self.text("scene.toml", CHROMATIN)
        mapped = []
        for seed in SEEDS:
            self.succeed("phantom", "scene.toml", "-o", "a.tif", "--overwrite", "--seed", seed)
            mapped.append(self.read("a.tif").astype(float) / CONTRAST_FREE - 1)
        gaussian = [t / numpy.sqrt(1 - t**2) for t in mapped]
        range_of = {"pitch_um": 0.1, "low": 3.5, "high": 12}
        slope = spectrum_slope(gaussian, **range_of)
        slope_mapped = spectrum_slope(mapped, **range_of)
        slope_sectioned = spectrum_slope([t[48] for t in mapped], **range_of)
        print(f"slopes: unmapped {slope:.2f}, mapped {slope_mapped:.2f}, "
              f"mapped and sectioned {slope_sectioned:.2f}")
        self.assertAlmostEqual(slope, -3, delta=0.3)
        self.assertGreater(slope_mapped, slope)
        self.assertGreater(slope_sectioned, slope_mapped)
        self.assertAlmostEqual(slope_sectioned, slope_mapped + 1, delta=0.5)


if __name__ == "__main__":
    main()
