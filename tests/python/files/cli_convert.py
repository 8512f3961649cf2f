# SPDX-License-Identifier: MIT
# tests/python/files/cli_convert.py — another format, type, compression or part of an image.
import os
import pathlib
import struct
import zlib

from program import ProgramTest, less_than, main, numpy, random_volume, size_in, tifffile

USAGE, INPUT, MEMORY = 2, 3, 5
DATA = os.environ.get("SYNTHOSCOPE_TEST_DATA")


def png_of(plane):
    """The bytes of a grey PNG of uint8 or uint16."""
    def chunk(name, data):
        return (struct.pack(">I", len(data)) + name + data +
                struct.pack(">I", zlib.crc32(name + data)))
    height, width = plane.shape
    head = struct.pack(">IIBBBBB", width, height, 8 * plane.itemsize, 0, 0, 0, 0)
    rows = b"".join(b"\0" + row.astype(plane.dtype.newbyteorder(">")).tobytes() for row in plane)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) +
            chunk(b"IEND", b""))


class Formats(ProgramTest):
    def test_keep_every_voxel_and_the_voxel_size_there_and_back(self):
        for kind in ("uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"):
            image = (random_volume((5, 20, 30), 1) * 255).astype(kind)
            self.write("in.tif", image)
            for out in ("a.ome.tif", "b.h5", "c.ome.zarr", "d.tif"):
                with self.subTest(kind, out=out):
                    self.succeed("convert", "in.tif", "-o", out, "--voxel-um", "0.3,0.1,0.2",
                                 "--overwrite")
                    told = self.result_of("info", out)
                    self.assertEqual((told["type"], told["voxel_um"]), (kind, [0.3, 0.1, 0.2]))
                    self.succeed("convert", out, "-o", "back.ome.tif", "--overwrite")
                    numpy.testing.assert_array_equal(self.read("back.ome.tif"), image)
                    self.assertEqual(self.result_of("info", "back.ome.tif")["voxel_um"],
                                     [0.3, 0.1, 0.2])

    def test_keep_the_channel_and_its_name(self):
        data = random_volume((2, 3, 8, 9), 2, numpy.uint16)
        tifffile.imwrite(self.path("two.ome.tif"), data, ome=True,
                         metadata={"axes": "CZYX", "Channel": {"Name": ["dapi", "gfp"]},
                                   "PhysicalSizeX": 0.1, "PhysicalSizeY": 0.1})
        self.succeed("convert", "two.ome.tif", "-o", "out.ome.tif", "--channel", "1")
        numpy.testing.assert_array_equal(self.read("out.ome.tif"), data[1])
        self.assertEqual(self.result_of("info", "out.ome.tif")["channel_names"][0]["name"], "gfp")

    def test_of_every_real_image_keep_it(self):
        if not DATA:
            self.skipTest("SYNTHOSCOPE_TEST_DATA names no folder")
        files = sorted(pathlib.Path(DATA).glob("*.tif"))
        self.assertGreater(len(files), 15)
        for file in files:
            told = self.result_of("info", file)
            stacks = [(c, t) for c in range(told["channels"]) for t in range(told["frames"])]
            for channel, frame in stacks[:2]:
                chosen = ("--channel", channel, "--frame", frame)
                with self.subTest(file.name, chosen=chosen):
                    self.succeed("convert", file, "-o", "out.ome.zarr", "--overwrite", *chosen)
                    self.succeed("convert", "out.ome.zarr", "-o", "back.ome.tif", "--overwrite")
                    self.succeed("convert", file, "-o", "direct.tif", "--tiff-flavor", "plain",
                                 "--overwrite", *chosen)
                    back = self.result_of("info", "back.ome.tif")
                    for key in ("extent", "type", "voxel_um", "statistics"):
                        if key != "voxel_um" or None not in told[key]:
                            expected = self.result_of("info", file, *chosen)[key]
                            self.assertEqual(back[key], expected, key)
                    numpy.testing.assert_array_equal(self.read("back.ome.tif"),
                                                     self.read("direct.tif"))


class SeveralStacks(ProgramTest):
    SHAPE = (3, 2, 5, 20, 30)  # T, C, Z, Y, X

    def setUp(self):
        super().setUp()
        self.voxels = random_volume(self.SHAPE, 5, numpy.uint16)
        tifffile.imwrite(self.path("in.ome.tif"), self.voxels, ome=True,
                         metadata={"axes": "TCZYX", "Channel": {"Name": ["dapi", "gfp"]},
                                   "PhysicalSizeX": 0.1, "PhysicalSizeY": 0.2,
                                   "PhysicalSizeZ": 0.3})

    def series(self, name):
        with tifffile.TiffFile(self.path(name)) as file:
            return file.series[0].axes, file.series[0].asarray(), file.ome_metadata

    def test_of_a_file_are_all_taken_with_their_metadata(self):
        for options in ((), ("--compression", "deflate")):
            with self.subTest(options):
                result = self.result_of("convert", "in.ome.tif", "-o", "out.ome.tif",
                                        "--overwrite", *options)
                self.assertEqual((result["channels"], result["frames"]), (2, 3))
                axes, voxels, metadata = self.series("out.ome.tif")
                self.assertEqual(axes, "TCZYX")
                numpy.testing.assert_array_equal(voxels, self.voxels)
                self.assertIn('Name="dapi"', metadata)
                told = self.result_of("info", "out.ome.tif")
                self.assertEqual([one["name"] for one in told["channel_names"]], ["dapi", "gfp"])
                self.assertEqual(told["voxel_um"], [0.3, 0.2, 0.1])

    def test_are_written_in_the_order_of_imagej(self):
        self.succeed("convert", "in.ome.tif", "-o", "out.tif", "--tiff-flavor", "imagej")
        axes, voxels, _ = self.series("out.tif")
        self.assertEqual(axes, "TZCYX")
        numpy.testing.assert_array_equal(voxels, self.voxels.transpose(0, 2, 1, 3, 4))
        self.succeed("convert", "out.tif", "-o", "back.ome.tif")
        numpy.testing.assert_array_equal(self.series("back.ome.tif")[1], self.voxels)

    def test_are_chosen_by_channel_and_frame(self):
        for options, part, axes in (
                (("--channel", 1), self.voxels[:, 1], "TZYX"),
                (("--frame", 2), self.voxels[2], "CZYX"),
                (("--channel", 0, "--frame", 1), self.voxels[1, 0], "ZYX"),
                (("--frame", 2, "--crop", "1:3,:,4:9"), self.voxels[2, :, 1:3, :, 4:9], "CZYX")):
            with self.subTest(options):
                self.succeed("convert", "in.ome.tif", "-o", "out.ome.tif", "--overwrite", *options)
                found, voxels, metadata = self.series("out.ome.tif")
                self.assertEqual(found, axes)
                numpy.testing.assert_array_equal(voxels, part)
                self.assertEqual('Name="dapi"' in metadata, options[:2] != ("--channel", 1))

    def test_of_colours_are_channels(self):
        voxels = random_volume((10, 12, 3), 6, numpy.uint8)
        self.write("rgb.tif", voxels, photometric="rgb")
        self.succeed("convert", "rgb.tif", "-o", "out.ome.tif")
        axes, found, _ = self.series("out.ome.tif")
        self.assertEqual(axes, "CYX")
        numpy.testing.assert_array_equal(found, voxels.transpose(2, 0, 1))

    def test_that_a_format_cannot_hold_are_refused(self):
        choose = ["2 channels and 3 frames", "--channel and --frame"]
        for out, options, words in (
                ("out.h5", (), choose), ("out.ome.zarr", (), choose),
                ("out.h5", ("--format", "bdv"), choose),
                ("out.tif", ("--tiff-flavor", "plain"), choose),
                ("out.h5", ("--channel", 1), ["1 channel and 3 frames"]),
                ("out.tif", ("--channel", 2), ["no channel 2", "--channel 0 or 1"]),
                ("out.tif", ("--frame", 3), ["no frame 3", "--frame 0, 1 or 2"])):
            with self.subTest(out=out, options=options):
                self.refused(USAGE, words, "convert", "in.ome.tif", "-o", out, *options)
        self.assertEqual(self.listing(), ["in.ome.tif"])

    def test_need_no_more_memory_than_one(self):
        self.write("in.tif", random_volume((2, 2, 1, 1200, 1500), 7, numpy.uint16),
                   imagej=True, metadata={"axes": "TZCYX"})
        words = ("convert", "in.tif", "-o", "out.ome.tif", "--compression", "deflate",
                 "--overwrite", "--memory")
        refused = self.command(*words, "1M")
        self.assertEqual(refused.returncode, MEMORY, refused.stderr)
        named = size_in(refused.stderr)
        self.succeed(*words, named)
        self.assertEqual(self.command(*words, less_than(named)).returncode, MEMORY)
        one = self.command(*words, "1M", "--frame", 0)
        self.assertEqual(size_in(one.stderr), named)


class FoldersOfPlanes(ProgramTest):
    def setUp(self):
        super().setUp()
        self.voxels = random_volume((11, 30, 40), 8, numpy.uint16)
        for folder in ("tiff", "png"):
            os.mkdir(self.path(folder))
        for z, plane in enumerate(self.voxels):
            self.write(f"tiff/plane_{z}.tif", plane)
            with open(self.path(f"png/{z}.png"), "wb") as file:
                file.write(png_of(plane))

    def test_are_images_in_the_order_of_their_numbers(self):
        for folder in ("tiff", "png"):
            with self.subTest(folder):
                self.text(f"{folder}/notes.txt", "what is no image is passed over")
                self.succeed("convert", folder, "-o", "out.ome.tif", "--overwrite",
                             "--voxel-um", "0.3,0.1,0.2")
                numpy.testing.assert_array_equal(self.read("out.ome.tif"), self.voxels)
                told = self.result_of("info", "out.ome.tif")
                self.assertEqual(told["voxel_um"], [0.3, 0.1, 0.2])
                self.assertIn("folder of planes", self.result_of("info", folder)["format"])

    def test_are_read_by_other_commands(self):
        self.succeed("convert", "tiff", "-o", "stack.tif")
        for command in (("convolve", "IMAGE", "stack.tif"),
                        ("variance", "IMAGE", "--window", "box:3"),
                        ("filter", "IMAGE", "--gaussian", "1")):
            with self.subTest(command[0]):
                for image, out in (("tiff", "a.tif"), ("stack.tif", "b.tif")):
                    words = [image if word == "IMAGE" else word for word in command]
                    self.succeed(*words, "-o", out, "--overwrite")
                numpy.testing.assert_array_equal(self.read("a.tif"), self.read("b.tif"))
        self.succeed("show", "png", "-o", "out.png", "--voxel-um", "0.3,0.1,0.1")

    def test_are_not_held_whole(self):
        os.mkdir(self.path("large"))
        voxels = random_volume((6, 1200, 1500), 9, numpy.uint16)  # 21 MiB
        for z, plane in enumerate(voxels):
            with open(self.path(f"large/{z}.png"), "wb") as file:
                file.write(png_of(plane))
        words = ("convert", "large", "-o", "out.tif", "--overwrite", "--memory")
        refused = self.command(*words, "1M")
        self.assertEqual(refused.returncode, MEMORY, refused.stderr)
        self.succeed(*words, "16M")
        numpy.testing.assert_array_equal(self.read("out.tif"), voxels)

    def test_that_are_no_image_are_refused_with_what_was_found(self):
        folders = {"empty": {}, "unequal": {"a.tif": (8, 9), "b.tif": (8, 10)},
                   "stacks": {"a.tif": (3, 8, 9)}, "texts": {"a.txt": None},
                   "broken": {"a.tif": None}, "set": {"image.tif": (8, 9), "scene.json": None}}
        for folder, files in folders.items():
            os.mkdir(self.path(folder))
            for name, shape in files.items():
                if shape:
                    self.write(f"{folder}/{name}", numpy.zeros(shape, "uint8"))
                else:
                    self.text(f"{folder}/{name}", "words")
        for folder, words in (
                ("empty", ["neither an OME-Zarr", "folder of TIFF or PNG planes"]),
                ("unequal", ["a.tif has 8x9", "b.tif has 8x10", "alike"]),
                ("stacks", ["stacks/a.tif", "3 planes", "give a file alone"]),
                ("texts", ["folder of TIFF or PNG planes"]),
                ("broken", ["broken/a.tif"]),
                ("set", ["in the folder of a data set, give one of its images"])):
            with self.subTest(folder):
                self.refused(INPUT, words, "convert", folder, "-o", "no.tif")
        self.refused(USAGE, ["in the image tiff", "choose another name"], "convert", "tiff", "-o",
                     "tiff/out.tif")
        self.refused(USAGE, ["--axes ZYX", "leave it out"], "convert", "tiff", "-o", "no.tif",
                     "--axes", "ZYX")
        self.assertNotIn("no.tif", self.listing())


class Voxels(ProgramTest):
    def test_are_rounded_and_clipped_and_counted_but_never_rescaled(self):
        self.write("in.tif", numpy.array([[[-1, 0.5, 1.5, 254.6, 256]]], "float32"))
        result = self.result_of("convert", "in.tif", "-o", "out.tif", "--type", "uint8")
        self.assertEqual(self.read("out.tif").ravel().tolist(), [0, 0, 2, 255, 255])
        self.assertEqual(result["clipped"], 2)
        self.assertIn("--type float32 keeps them", " ".join(result["warnings"]))

    def test_of_a_part_are_those_of_the_image(self):
        image = random_volume((7, 30, 40), 3, numpy.uint16)
        self.write("in.tif", image)
        for crop, part in ((":,:,:", image), ("2:5,3:,:7", image[2:5, 3:, :7]),
                           ("6:7,29:30,39:40", image[6:7, 29:30, 39:40])):
            with self.subTest(crop):
                self.succeed("convert", "in.tif", "-o", "out.tif", "--crop", crop, "--overwrite")
                numpy.testing.assert_array_equal(self.read("out.tif").reshape(part.shape), part)
        for crop, words in (("2:5", ["2:5", "1 parts"]),
                            ("5:2,:,:", ["--crop", "'5:2' has no voxel along z"]),
                            ("a:b,:,:", ["--crop", "whole numbers", "along z"]),
                            (":,3,:", ["'3' is not a range along y", "10:20"]),
                            (":,:,:41", ["0:41 along x", "40 voxels", "0 to 39", "END up to 40"]),
                            ("7:,:,:", ["7: along z", "7 voxels", "from 0 to 6"])):
            with self.subTest(crop):
                self.refused(USAGE, words, "convert", "in.tif", "-o", "no.tif", "--crop", crop)
        self.refused(USAGE, ["int24"], "convert", "in.tif", "-o", "no.tif", "--type", "int24")
        self.text("no.txt", "words")
        self.refused(INPUT, ["no.txt"], "convert", "no.txt", "-o", "no.tif")
        self.assertNotIn("no.tif", self.listing())

    def test_need_no_more_than_the_memory_that_is_named(self):
        self.write("in.tif", random_volume((4, 1500, 1500), 4, numpy.uint16))
        words = ("convert", "in.tif", "-o", "out.tif", "--type", "float64", "--compression",
                 "deflate", "--overwrite", "--memory")
        refused = self.command(*words, "1M")
        self.assertEqual(refused.returncode, MEMORY, refused.stderr)
        named = size_in(refused.stderr)
        self.succeed(*words, named)
        self.assertEqual(self.command(*words, less_than(named)).returncode, MEMORY)


if __name__ == "__main__":
    main()
