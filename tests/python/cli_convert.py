# SPDX-License-Identifier: MIT
# tests/python/cli_convert.py — another format, type, compression or part of an image.
import os
import pathlib

from program import ProgramTest, less_than, main, numpy, random_volume, size_in, tifffile

USAGE, INPUT, MEMORY = 2, 3, 5
DATA = os.environ.get("SYNTHOSCOPE_TEST_DATA")


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
        self.refused(USAGE, ["--channel 0 or 1"], "convert", "two.ome.tif", "-o", "out.tif")
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
        for crop, words in (("2:5", ["2:5", "1 parts"]), ("5:2,:,:", ["--crop"]),
                            ("a:b,:,:", ["--crop"]), ("3,:,:", ["'3' is no part", "10:20"]),
                            (":,:,:41", ["not inside the image of 7x30x40"])):
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
