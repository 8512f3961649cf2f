# SPDX-License-Identifier: MIT
# tests/python/files/cli_inputs.py — what commands make of axes, notes and channels of their inputs.
import json

from program import ProgramTest, main, numpy, tifffile

SHAPE = (4, 12, 10)
CAMERA = "[camera]\nkind = \"scmos\"\n"


def values(path):
    """Voxels of a TIFF as (z, y, x)."""
    return tifffile.imread(path).reshape(-1, *SHAPE[1:])


class InputTest(ProgramTest):
    def record(self, output):
        with open(self.path(output + ".json"), encoding="utf-8") as file:
            return json.load(file)

    def two_levels(self, name, axes, **options):
        """An array that is 10 at the first place of its first axis and 1000 at the second."""
        voxels = numpy.stack([numpy.full(SHAPE[-len(axes) + 1:], level, "uint16")
                              for level in (10, 1000)])
        return self.write(name, voxels, **{"metadata": {"axes": axes}, **options})


class Axes(InputTest):
    def test_channels_are_not_blurred_as_z(self):
        for axes, option in (("CYX", "--channel"), ("TYX", "--frame")):
            self.two_levels("in.tif", axes)
            result = self.command("filter", "in.tif", "--gaussian", 1, "-o", "out.tif")
            self.assertEqual(result.returncode, 2)
            self.assertIn(option, result.stderr)
            for place, level in enumerate((10, 1000)):
                self.succeed("filter", "in.tif", "--gaussian", 1, option, place, "-o", "out.tif",
                             "--overwrite")
                self.assertTrue((values(self.path("out.tif")) == level).all())
            self.assertEqual(self.record("out.tif")["inputs"][0]["axes"],
                             f"{axes[0]}=2, Y=12, X=10, named by its description")

    def test_axes_are_given(self):
        self.two_levels("in.tif", "ZYX", metadata=None)
        result = self.command("filter", "in.tif", "--gaussian", 1, "-o", "out.tif")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.record("out.tif")["inputs"][0]["axes"],
                         "Z=2, Y=12, X=10, not named by the file")
        for command in (["filter", "in.tif", "--gaussian", 1],
                        ["variance", "in.tif", "--window", "box:3"],
                        ["resample", "in.tif", "--scale", "1,1,1"]):
            with self.subTest(command=command[0]):
                self.succeed(*command, "--axes", "CYX", "--channel", 1, "-o", "out.tif",
                             "--overwrite")
                self.assertEqual(self.record("out.tif")["inputs"][0]["axes"],
                                 "C=2, Y=12, X=10, given by --axes")
        self.succeed("filter", "in.tif", "--gaussian", 1, "-o", "out.tif", "--overwrite",
                     "--log-file", "log.txt")
        with open(self.path("log.txt"), encoding="utf-8") as file:
            self.assertIn("detail in.tif: its axes are Z=2, Y=12, X=10, not named by the file\n",
                          file.read())
        kernel = self.write("kernel.tif", numpy.ones((1, 3, 3), "float32"))
        self.succeed("convolve", "in.tif", kernel, "--normalize-kernel", "sum", "--boundary",
                     "nearest", "--axes", "CYX", "--channel", 1, "-o", "out.tif", "--overwrite")
        numpy.testing.assert_allclose(values(self.path("out.tif")), 1000, rtol=1e-5)
        self.assertEqual(self.result_of("info", "in.tif", "--axes", "CYX", "--channel", 1)
                         ["statistics"]["min"], 1000)

    def test_every_note_is_a_warning(self):
        self.two_levels("white.tif", "ZYX", photometric="miniswhite")
        with tifffile.TiffWriter(self.path("images.tif")) as file:
            for level in (10, 1000):
                file.write(numpy.full((2, 12, 10), level, "uint16"), metadata={"axes": "ZYX"},
                           photometric="minisblack")
        self.text("camera.toml", CAMERA)
        kernel = self.write("kernel.tif", numpy.ones((1, 1, 1), "float32"))
        for name in ("white.tif", "images.tif"):
            notes = self.result_of("info", name)["notes"]
            self.assertEqual(len(notes), 1)
            for command in (["filter", name, "--gaussian", 0],
                            ["variance", name, "--window", "box:3"],
                            ["resample", name, "--scale", "1,1,1"], ["convolve", name, kernel],
                            ["detect", name, "--camera", "camera.toml", "--seed", 1]):
                with self.subTest(name=name, command=command[0]):
                    result = self.command(*command, "-o", "out.tif", "--overwrite")
                    self.assertEqual(result.returncode, 0, result.stderr)
                    self.assertIn(f"warning: {name}: {notes[0]}", result.stderr)
                    self.assertIn(f"{name}: {notes[0]}", self.record("out.tif")["warnings"])

    def test_an_image_is_chosen(self):
        with tifffile.TiffWriter(self.path("in.tif")) as file:
            for level in (10, 1000):
                file.write(numpy.full((2, 12, 10), level, "uint16"), metadata={"axes": "ZYX"},
                           photometric="minisblack")
        for image, level in ((0, 10), (1, 1000)):
            result = self.command("filter", "in.tif", "--gaussian", 1, "--image", image, "-o",
                                  "out.tif", "--overwrite")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertTrue((values(self.path("out.tif")) == level).all())
            self.assertIn(f"image {image} of 2", self.record("out.tif")["inputs"][0]["axes"])
        self.assertIn("2 x 12 x 10, axes ZYX", self.succeed("info", "in.tif"))

    def test_labels_are_not_inverted(self):
        mask = numpy.zeros((2, 12, 10), "uint8")
        mask[:, 2:5, 3:6] = 7
        self.write("mask.tif", mask, photometric="miniswhite", metadata=None)
        self.succeed("resample", "mask.tif", "--labels", "--scale", "1,1,1", "-o", "out.tif")
        numpy.testing.assert_array_equal(self.read("out.tif"), mask)
        self.succeed("resample", "mask.tif", "--scale", "1,1,1", "-o", "out.tif", "--overwrite")
        numpy.testing.assert_array_equal(self.read("out.tif"), 255 - mask)


class Figures(InputTest):
    def test_of_finite_voxels(self):
        image = numpy.full((1, 4, 4), numpy.nan, "float32")
        self.write("nan.tif", image)
        found = self.result_of("info", "nan.tif")["statistics"]
        self.assertEqual((found["nan"], found["not_finite"], found["min"], found["max"],
                          found["mean"]), (16, 16, None, None, None))
        self.assertIn("no voxel is finite", self.succeed("info", "nan.tif"))
        image[0, 0] = (7, -numpy.inf, 9, 8)
        self.write("some.tif", image)
        found = self.result_of("info", "some.tif")["statistics"]
        self.assertEqual((found["nan"], found["not_finite"], found["min"], found["max"],
                          found["mean"]), (12, 13, 7, 9, 8))


class Channels(InputTest):
    """Name, colour and wavelengths pass from file to file."""

    SHOWN = {"name": "GFP", "color": "00FF00", "emission_nm": 509.0, "excitation_nm": 488.0}

    def setUp(self):
        super().setUp()
        image = numpy.arange(4 * 2 * 12 * 10, dtype="uint16").reshape(4, 2, 12, 10)
        green = 0x00FF00FF
        self.write("in.ome.tif", image, metadata={
            "axes": "ZCYX", "PhysicalSizeX": 0.1, "PhysicalSizeY": 0.1, "PhysicalSizeZ": 0.3,
            "Channel": {"Name": ["DAPI", "GFP"], "Color": [255, green],
                        "EmissionWavelength": [461, 509],
                        "ExcitationWavelength": [358, 488]}})
        self.text("camera.toml", CAMERA)
        self.write("kernel.tif", numpy.ones((1, 1, 1), "float32"))

    def shown(self, name):
        return self.result_of("info", name).get("channel_names")

    def test_info_lists_them(self):
        self.assertEqual(self.shown("in.ome.tif")[1], self.SHOWN)
        self.assertEqual([one["name"] for one in self.shown("in.ome.tif")], ["DAPI", "GFP"])
        self.assertIn("GFP, shown in 00FF00, emission 509 nm", self.succeed("info", "in.ome.tif"))

    def test_every_command_and_format(self):
        commands = (["filter", "in.ome.tif", "--gaussian", 1],
                    ["variance", "in.ome.tif", "--window", "box:3"],
                    ["resample", "in.ome.tif", "--isotropic"],
                    ["convolve", "in.ome.tif", "kernel.tif"],
                    ["detect", "in.ome.tif", "--camera", "camera.toml", "--seed", 1])
        for command in commands:
            with self.subTest(command=command[0]):
                self.succeed(*command, "--channel", 1, "-o", "out.ome.tif", "--overwrite")
                self.assertEqual(self.shown("out.ome.tif"), [self.SHOWN])
        for name in ("out.h5", "out.ome.zarr"):
            self.succeed(*commands[0], "--channel", 1, "-o", name)
            self.assertEqual(self.shown(name), [self.SHOWN], name)
            self.succeed("filter", name, "--gaussian", 0, "-o", "again.ome.tif", "--overwrite")
            self.assertEqual(self.shown("again.ome.tif"), [self.SHOWN], name)
        for flavor in ("imagej", "plain"):
            self.succeed(*commands[0], "--channel", 1, "--tiff-flavor", flavor, "-o", "out.tif",
                         "--overwrite")
            self.assertEqual(self.shown("out.tif"), [self.SHOWN], flavor)
        self.succeed(*commands[0], "--channel", 1, "--format", "bdv", "-o", "bdv.h5")
        self.assertEqual(self.shown("bdv.xml")[0]["name"], "GFP")

    def test_tifffile_finds_them(self):
        self.succeed("filter", "in.ome.tif", "--gaussian", 1, "--channel", 1, "-o", "out.ome.tif")
        with tifffile.TiffFile(self.path("out.ome.tif")) as file:
            pixels = tifffile.xml2dict(file.ome_metadata)["OME"]["Image"]["Pixels"]
        self.assertEqual((pixels["Channel"]["Name"], pixels["Channel"]["EmissionWavelength"]),
                         ("GFP", 509))

    def test_a_file_that_says_nothing_gets_nothing(self):
        self.two_levels("plain.tif", "ZYX")
        self.succeed("filter", "plain.tif", "--gaussian", 1, "-o", "out.ome.zarr")
        with open(self.path("out.ome.zarr/.zattrs"), encoding="utf-8") as file:
            self.assertNotIn("omero", json.load(file))


if __name__ == "__main__":
    main()
