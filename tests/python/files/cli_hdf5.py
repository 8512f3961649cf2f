# SPDX-License-Identifier: MIT
# tests/python/files/cli_hdf5.py — every command that takes TIFF takes HDF5, and does the same with
# it.
import json
import os
import sys

from program import SKIPPED, TINY_SCENE, ProgramTest, less_than, main, numpy, random_volume, size_in

try:
    import h5py
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)

LAYOUTS = ((), ("--chunks", "4,16,16"), ("--compression", "deflate"),
           ("--compression", "deflate", "--chunks", "5,20,64"))


class Hdf5(ProgramTest):
    def make(self, name, voxels, data_set="image", **options):
        with h5py.File(self.path(name), "a") as file:
            made = file.create_dataset(data_set, data=voxels, **options)
            made.attrs["element_size_um"] = [0.3, 0.15, 0.15]
        return name

    def voxels(self, name, data_set="image"):
        with h5py.File(self.path(name)) as file:
            return file[data_set][:]

    def bytes_of(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def test_convolves_files_of_every_layout_to_the_same_voxels(self):
        image = random_volume((21, 40, 37), 1, numpy.uint16)
        kernel = random_volume((5, 7, 7), 2)
        self.write("image.tif", image)
        self.write("kernel.tif", kernel)
        self.succeed("convolve", "image.tif", "kernel.tif", "-o", "expected.tif")
        expected = self.read("expected.tif")
        self.make("kernel.h5", kernel, chunks=(2, 4, 4), compression="gzip")
        for number, options in enumerate(({}, {"chunks": (4, 16, 16)},
                                          {"chunks": (4, 16, 16), "compression": "gzip",
                                           "shuffle": True})):
            for output in LAYOUTS:
                for strategy in ("in-core", "ring"):
                    with self.subTest(**options, output=output, strategy=strategy):
                        name = self.make(f"image{number}.h5", image, **options) \
                            if not os.path.exists(self.path(f"image{number}.h5")) \
                            else f"image{number}.h5"
                        self.succeed("convolve", name, "kernel.h5", "-o", "out.h5:/a/b",
                                     "--overwrite", "--strategy", strategy, *output)
                        numpy.testing.assert_allclose(self.voxels("out.h5", "a/b"), expected,
                                                      rtol=2e-6, atol=2e-3)

    def test_results_equal_those_of_tiff_bit_for_bit(self):
        image, kernel = random_volume((9, 30, 31), 3), random_volume((3, 5, 5), 4)
        self.write("image.tif", image)
        self.write("kernel.tif", kernel)
        self.succeed("convolve", "image.tif", "kernel.tif", "-o", "out.tif")
        for layout in LAYOUTS:
            with self.subTest(layout=layout):
                self.succeed("convolve", "image.tif", "kernel.tif", "-o", "out.hdf5", "--overwrite",
                             *layout)
                numpy.testing.assert_array_equal(self.voxels("out.hdf5"), self.read("out.tif"))
                self.assertNotIn("out.hdf5.chunks.partial", self.listing())

    def test_records_and_voxel_sizes_go_along(self):
        self.make("image.h5", random_volume((5, 12, 12), 5), "raw/stack")
        self.make("image.h5", random_volume((3, 3, 3), 6), "raw/kernel")
        self.succeed("convolve", "image.h5:/raw/stack", "image.h5:/raw/kernel", "-o",
                     "out.h5:/result", "--certify", "20")
        self.assertEqual(self.listing(), ["image.h5", "out.h5", "out.h5.json"])
        with open(self.path("out.h5.json"), encoding="utf-8") as file:
            record = json.load(file)
        self.assertEqual([entry["path"] for entry in record["inputs"]],
                         ["image.h5:/raw/stack", "image.h5:/raw/kernel"])
        self.assertIn("hdf5", record["libraries"])
        with h5py.File(self.path("out.h5")) as file:
            self.assertEqual(list(file["result"].attrs["element_size_um"]), [0.3, 0.15, 0.15])
            self.assertEqual(json.loads(file["result"].attrs["provenance"])["command"], "convolve")

    def test_format_of_other_names(self):
        self.write("image.tif", random_volume((3, 9, 9), 7))
        self.succeed("convolve", "image.tif", "image.tif", "-o", "out.dat", "--format", "hdf5",
                     "--certify", "5")
        self.assertEqual(self.voxels("out.dat").shape, (3, 9, 9))
        self.succeed("convolve", "image.tif", "image.tif", "-o", "tiff.h5", "--format", "tiff")
        self.assertEqual(self.read("tiff.h5").shape, (3, 9, 9))
        self.assertEqual(self.result_of("info", "out.dat")["format"], "HDF5")

    def test_info_shows_what_is_there(self):
        self.make("a.h5", random_volume((5, 12, 12), 8), "x/y", chunks=(2, 8, 8),
                  compression="gzip")
        text = self.succeed("info", "a.h5")
        for words in ("HDF5", "compression deflate", "/x/y, in chunks of 2x8x8", "0.3, 0.15, 0.15"):
            self.assertIn(words, text)
        info = self.result_of("info", "a.h5:/x/y")
        self.assertEqual((info["data_set"], info["chunks"]), ("/x/y", [2, 8, 8]))
        self.assertEqual(info["statistics"]["voxels"], 720)

    def test_an_output_is_not_its_input_and_not_replaced_unasked(self):
        self.make("a.h5", random_volume((3, 9, 9), 9))
        for output, options, words in (("a.h5:/other", ("--overwrite",), "the image a.h5 itself"),
                                       ("b.h5:/x", (), "exists already")):
            self.text("b.h5", "older")
            result = self.command("convolve", "a.h5", "a.h5", "-o", output, *options)
            self.assertEqual(result.returncode, 2)
            self.assertIn(words, result.stderr)
        self.assertEqual(self.listing(), ["a.h5", "b.h5"])

    def test_what_else_a_file_holds_is_not_lost(self):
        voxels = random_volume((3, 9, 9), 9)
        self.write("image.tif", voxels)
        self.make("all.h5", voxels, "a")
        self.make("all.h5", voxels, "group/b")
        before = self.bytes_of("all.h5")
        for output in ("all.h5:/a", "all.h5:/group/b", "all.h5:/new"):
            result = self.command("convolve", "image.tif", "image.tif", "-o", output, "--overwrite")
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("which also holds /", result.stderr)
            self.assertEqual(self.bytes_of("all.h5"), before)
        self.assertEqual(self.listing(), ["all.h5", "image.tif"])
        self.succeed("convolve", "image.tif", "image.tif", "-o", "all.h5", "--overwrite")
        self.succeed("convolve", "image.tif", "image.tif", "-o", "all.h5:/image", "--overwrite")
        self.assertEqual(self.voxels("all.h5").shape, (3, 9, 9))

    def test_options_of_the_other_format_are_refused(self):
        self.write("image.tif", random_volume((3, 9, 9), 9))
        for output, options, words in (
                ("out.h5:/x", ("--format", "tiff"), "TIFF files have no HDF5 arrays"),
                ("out.h5", ("--tiff-flavor", "imagej"), "have no variants of metadata"),
                ("out.dat", ("--format", "hdf5", "--tiff-flavor", "plain"),
                 "have no variants of metadata"),
                ("out.tif", ("--chunks", "1,2,3"), "TIFF files have no chunks")):
            with self.subTest(output=output):
                result = self.command("convolve", "image.tif", "image.tif", "-o", output, *options)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(words, result.stderr)
                self.assertEqual(self.listing(), ["image.tif"])

    def test_memory_that_chunks_need_is_counted(self):
        self.make("a.h5", numpy.zeros((32, 512, 512), "uint8"), chunks=(32, 512, 512),
                  compression="gzip")
        self.make("k.h5", random_volume((3, 3, 3), 1))
        result = self.command("convolve", "a.h5", "k.h5", "-o", "b.h5", "--memory", "16M")
        self.assertEqual(result.returncode, 5, result.stderr)
        self.assertIn("chunks of a.h5", result.stderr)
        self.write("b.tif", numpy.zeros((32, 512, 512), "uint8"))
        words = ("convolve", "b.tif", "k.h5", "-o", "b.h5", "--compression", "deflate", "--memory")
        result = self.command(*words, "16M")
        self.assertEqual(result.returncode, 5, result.stderr)
        named = size_in(result.stderr)
        self.assertEqual(self.command(*words, less_than(named)).returncode, 5)
        self.succeed(*words, named)

    def test_psf_detect_and_simulate(self):
        self.text("scene.toml", TINY_SCENE)
        self.succeed("psf", "scene.toml", "-o", "psf.h5")
        self.succeed("psf", "scene.toml", "-o", "psf.tif")
        numpy.testing.assert_array_equal(self.voxels("psf.h5"), self.read("psf.tif"))
        self.assertEqual(self.result_of("info", "psf.h5")["kernel_center"],
                         self.result_of("info", "psf.tif")["kernel_center"])
        self.succeed("simulate", "scene.toml", "-o", "tiff")
        for number, layout in enumerate(LAYOUTS):
            with self.subTest(layout=layout):
                folder = f"out{number}"
                self.succeed("simulate", "scene.toml", "-o", folder, "--format", "hdf5", *layout)
                self.assertEqual(sorted(os.listdir(self.path(folder))),
                                 ["image.h5", "labels.h5", "objects.csv", "photons.h5",
                                  "preview.png", "psf.h5", "scene.json", "scene.toml", "world.h5"])
                for name in ("image", "labels", "photons", "psf"):
                    numpy.testing.assert_array_equal(self.voxels(f"{folder}/{name}.h5"),
                                                     self.read(f"tiff/{name}.ome.tif"))
                self.assertEqual(self.bytes_of(f"{folder}/preview.png"),
                                 self.bytes_of("tiff/preview.png"))
        self.text("camera.toml", self.succeed("simulate", "scene.toml", "--print-config"))
        self.succeed("detect", "out2/photons.h5", "--camera", "camera.toml", "--seed", "7", "-o",
                     "again.h5", "--compression", "deflate")
        numpy.testing.assert_array_equal(self.voxels("again.h5"), self.voxels("out0/image.h5"))


if __name__ == "__main__":
    main()
