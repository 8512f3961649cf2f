# SPDX-License-Identifier: MIT
# tests/python/files/tiff_files.py — TIFF files against tifffile, in both directions.
import json
import os
import struct
import zlib

from program import ProgramTest, main, numpy, tifffile

TYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64")
SHAPE = (4, 21, 17)


def pattern(shape, dtype):
    """Voxels that use the whole range of their type."""
    generator = numpy.random.default_rng(7)
    if numpy.issubdtype(dtype, numpy.integer):
        limits = numpy.iinfo(dtype)
        return generator.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)
    return (1000 * generator.random(shape) - 300).astype(dtype)


class FilesOfTifffile(ProgramTest):
    """What tifffile writes is read here as tifffile reads it."""

    def info(self, name):
        return json.loads(self.succeed("info", name))

    def stack(self, name, channel=None, frame=None):
        chosen = [] if channel is None else [channel] if frame is None else [channel, frame]
        info = json.loads(self.succeed("read", name, "raw", *chosen))
        return numpy.fromfile(self.path("raw"), info["type"]).reshape(info["extent"])

    def expect_same(self, expected, **options):
        tifffile.imwrite(self.path("a.tif"), expected, **options)
        numpy.testing.assert_array_equal(self.stack("a.tif"), expected)

    def test_every_pixel_type_in_both_byte_orders(self):
        for dtype in TYPES:
            for order in "<>":
                with self.subTest(dtype=dtype, order=order):
                    self.expect_same(pattern(SHAPE, dtype), byteorder=order,
                                     photometric="minisblack")

    def test_every_layout(self):
        for options in ({"bigtiff": True}, {"tile": (16, 16)}, {"rowsperstrip": 4},
                        {"compression": "zlib"}, {"compression": "zlib", "tile": (16, 32)},
                        {"compression": "zlib", "predictor": True, "byteorder": ">"},
                        {"tile": (16, 16), "byteorder": ">", "bigtiff": True},
                        {"metadata": None}, {"contiguous": False}):
            with self.subTest(**options):
                self.expect_same(pattern(SHAPE, "uint16"), photometric="minisblack", **options)

    def test_rgb_interleaved_and_planar(self):
        for planar in (False, True):
            for options in ({}, {"compression": "zlib"}, {"tile": (16, 16)}, {"byteorder": ">"}):
                with self.subTest(planar=planar, **options):
                    voxels = pattern((3, 21, 17) if planar else (21, 17, 3), "uint16")
                    tifffile.imwrite(self.path("rgb.tif"), voxels, photometric="rgb",
                                     planarconfig="separate" if planar else "contig", **options)
                    for channel in range(3):
                        expected = voxels[channel] if planar else voxels[..., channel]
                        numpy.testing.assert_array_equal(
                            self.stack("rgb.tif", channel)[0], expected)

    def test_min_is_white_is_inverted(self):
        voxels = pattern((2, 9, 5), "uint16")
        tifffile.imwrite(self.path("a.tif"), voxels, photometric="miniswhite")
        numpy.testing.assert_array_equal(self.stack("a.tif"), 65535 - voxels)

    def test_imagej_hyperstack(self):
        voxels = pattern((2, 3, 2, 9, 5), "uint16")  # T Z C Y X
        tifffile.imwrite(self.path("a.tif"), voxels, imagej=True, resolution=(1 / 0.065, 1 / 0.13),
                         metadata={"axes": "TZCYX", "spacing": 0.3, "unit": "um"})
        info = self.info("a.tif")
        self.assertEqual(info["extent"], [3, 9, 5])
        self.assertEqual((info["channels"], info["frames"]), (2, 2))
        numpy.testing.assert_allclose(info["voxel_um"], [0.3, 0.13, 0.065], rtol=1e-6)
        for frame in range(2):
            for channel in range(2):
                numpy.testing.assert_array_equal(self.stack("a.tif", channel, frame),
                                                 voxels[frame, :, channel])

    def test_imagej_rgb_stack(self):
        voxels = pattern((3, 9, 5, 3), "uint8")
        tifffile.imwrite(self.path("a.tif"), voxels, imagej=True, metadata={"axes": "ZYXS"})
        for channel in range(3):
            numpy.testing.assert_array_equal(self.stack("a.tif", channel), voxels[..., channel])

    def test_imagej_stack_of_one_directory(self):
        voxels = pattern((6, 9, 5), "uint16")
        tifffile.imwrite(self.path("a.tif"), voxels, imagej=True, truncate=True,
                         metadata={"axes": "ZYX"})
        with tifffile.TiffFile(self.path("a.tif")) as tiff:
            self.assertEqual(len(tiff.pages), 1)
        numpy.testing.assert_array_equal(self.stack("a.tif"), voxels)

    def test_ome_of_several_dimensions(self):
        voxels = pattern((2, 2, 3, 9, 5), "float32")  # T C Z Y X
        for compression in (None, "zlib"):
            with self.subTest(compression=compression):
                tifffile.imwrite(self.path("a.ome.tif"), voxels, compression=compression,
                                 photometric="minisblack",
                                 metadata={"axes": "TCZYX", "PhysicalSizeX": 65,
                                           "PhysicalSizeXUnit": "nm", "PhysicalSizeY": 0.065,
                                           "PhysicalSizeYUnit": "µm", "PhysicalSizeZ": 0.0003,
                                           "PhysicalSizeZUnit": "mm"})
                info = self.info("a.ome.tif")
                self.assertIn("OME", info["format"])
                numpy.testing.assert_allclose(info["voxel_um"], [0.3, 0.065, 0.065])
                for frame in range(2):
                    for channel in range(2):
                        numpy.testing.assert_array_equal(
                            self.stack("a.ome.tif", channel, frame), voxels[frame, channel])

    def test_ome_pyramid_gives_its_full_size(self):
        voxels = pattern((2, 32, 32), "uint8")
        with tifffile.TiffWriter(self.path("a.ome.tif")) as tiff:
            tiff.write(voxels, subifds=1, photometric="minisblack", metadata={"axes": "ZYX"})
            tiff.write(voxels[:, ::2, ::2], subfiletype=1, photometric="minisblack")
        numpy.testing.assert_array_equal(self.stack("a.ome.tif"), voxels)

    def test_last_strips_that_are_padded(self):
        """Some writers pack all rows of a strip, also of the last: a match may cross its end."""
        for dtype in TYPES:
            predicted = [{"predictor": True}] * numpy.issubdtype(dtype, numpy.integer)
            for options in ({}, {"byteorder": ">"}, *predicted):
                for value in (0, 7, 90):  # 90: what the buffer holds before
                    with self.subTest(dtype=dtype, value=value, **options):
                        whole = pattern((16, 40), dtype)
                        whole[8:] = value
                        tifffile.imwrite(self.path("a.tif"), whole, photometric="minisblack",
                                         compression="zlib", rowsperstrip=8, metadata=None,
                                         **options)
                        self.shorten("a.tif", 9)
                        numpy.testing.assert_array_equal(self.stack("a.tif")[0], whole[:9])

    def shorten(self, name, rows):
        """Gives a file's only page fewer rows than its strips have."""
        with tifffile.TiffFile(self.path(name)) as file:
            length, order = file.pages[0].tags["ImageLength"], file.byteorder
        with open(self.path(name), "r+b") as file:
            file.seek(length.valueoffset)
            file.write(struct.pack(order + {3: "H", 4: "I"}[int(length.dtype)], rows))

    def test_float_predictor_of_a_big_endian_file(self):
        # Made by hand after Adobe's technical note 3: planes of bytes, the highest first, then
        # differences along the row
        voxels = pattern((6, 8), "float32")
        planes = voxels.astype(">f4").view("u1").reshape(6, 8, 4).transpose(0, 2, 1).reshape(6, 32)
        differences = numpy.diff(planes, axis=1, prepend=numpy.zeros((6, 1), "u1"))
        data = zlib.compress(differences.tobytes())
        entries = [(256, 8), (257, 6), (258, 32), (259, 8), (262, 1), (273, 8), (277, 1),
                   (278, 6), (279, len(data)), (317, 3), (339, 3)]
        directory = struct.pack(">H", len(entries))
        for tag, value in entries:
            directory += struct.pack(">HHII", tag, 4, 1, value)
        data += b"\0" * (len(data) % 2)
        with open(self.path("a.tif"), "wb") as file:
            file.write(b"MM\0*" + struct.pack(">I", 8 + len(data)) + data + directory + bytes(4))
        numpy.testing.assert_array_equal(self.stack("a.tif")[0], voxels)

    def test_types_that_are_read_as_others(self):
        numbers = pattern(SHAPE, "int32")
        for voxels, becomes in ((pattern(SHAPE, "float32").astype("float16"), "float32"),
                                (numbers > 0, "uint8"), (numbers.astype("int64"), "int32"),
                                (pattern(SHAPE, "uint32").astype("uint64"), "uint32")):
            for options in ({}, {"byteorder": ">"}, {"compression": "zlib"}, {"tile": (16, 16)},
                            {"byteorder": ">", "compression": "zlib", "tile": (16, 16)}):
                if voxels.dtype == "bool" and "compression" in options:
                    continue  # tifffile does not pack bits
                with self.subTest(dtype=voxels.dtype, **options):
                    tifffile.imwrite(self.path("a.tif"), voxels, photometric="minisblack",
                                     **options)
                    read = self.stack("a.tif")
                    self.assertEqual(read.dtype, becomes)
                    numpy.testing.assert_array_equal(read, tifffile.imread(self.path("a.tif")))

    def test_integers_that_do_not_fit_are_refused_by_their_value(self):
        tifffile.imwrite(self.path("a.tif"), numpy.array([[1, 1 << 40]], "int64"))
        result = self.command("read", "a.tif", "raw")
        self.assertEqual(result.returncode, 3)
        self.assertIn("the value 1099511627776", result.stderr)

    def test_refusals(self):
        for voxels, words in ((numpy.zeros((4, 5), "complex64"), "complex numbers of 64 bits"),):
            with self.subTest(dtype=voxels.dtype):
                tifffile.imwrite(self.path("a.tif"), voxels)
                result = self.command("info", "a.tif")
                self.assertEqual(result.returncode, 3)
                self.assertEqual(len(result.stderr.splitlines()), 1)
                self.assertIn(words, result.stderr)


class FilesForTifffile(ProgramTest):
    """What is written here is read by tifffile with the right axes, type and voxel size."""

    def create(self, voxels, **spec):
        voxels.tofile(self.path("raw"))
        spec = {"extent": voxels.shape, "type": voxels.dtype.name, **spec}
        self.succeed("write", "a.tif", "raw", json.dumps(spec))
        return tifffile.TiffFile(self.path("a.tif"))

    def expect_same(self, voxels, **spec):
        with self.create(voxels, **spec) as tiff:
            numpy.testing.assert_array_equal(tiff.asarray(), voxels)
            self.assertEqual(tiff.series[0].dtype, voxels.dtype)
        self.assertEqual(self.listing(), ["a.tif", "raw"])

    def fresh(self):
        for name in self.listing():
            os.remove(self.path(name))

    def test_every_pixel_type_and_flavour(self):
        for dtype in TYPES:
            for spec in ({}, {"bigtiff": True}, {"flavor": "plain"}, {"compression": "deflate"},
                         {"compression": "deflate", "flavor": "plain", "bigtiff": True}):
                with self.subTest(dtype=dtype, **spec):
                    self.fresh()
                    self.expect_same(pattern(SHAPE, dtype), **spec)

    def test_ome(self):
        spec = {"voxel_um": [0.3, 0.1, 0.065], "kernel_center": [1, 10, 8],
                "provenance": json.dumps({"seed": 7, "scene": {"a<b": "µ & \"x\""}})}
        with self.create(pattern(SHAPE, "uint16"), **spec) as tiff:
            self.assertTrue(tiff.is_ome)
            self.assertFalse(tiff.is_imagej)
            self.assertEqual(tiff.series[0].axes, "ZYX")
            self.assertEqual(tiff.series[0].shape, SHAPE)
            document = tifffile.xml2dict(tiff.ome_metadata)["OME"]
        pixels = document["Image"]["Pixels"]
        self.assertEqual((pixels["PhysicalSizeZ"], pixels["PhysicalSizeY"],
                          pixels["PhysicalSizeX"]), (0.3, 0.1, 0.065))
        self.assertEqual(pixels["PhysicalSizeZUnit"], "µm")
        self.assertEqual(pixels["SignificantBits"], 16)
        self.assertTrue(document["UUID"].startswith("urn:uuid:"))
        self.assertEqual(document["UUID"][23], "5")
        entries = document["StructuredAnnotations"]["MapAnnotation"]["Value"]["M"]
        entries = {entry["K"]: entry["value"] for entry in entries}
        self.assertEqual(entries["kernel_center"], "1,10,8")
        self.assertEqual(entries["seed"], 7)
        self.assertEqual(json.loads(entries["scene"]), {"a<b": "µ & \"x\""})

    def test_imagej(self):
        for dtype in ("uint8", "uint16", "float32"):
            with self.subTest(dtype=dtype):
                self.fresh()
                voxels = pattern(SHAPE, dtype)
                with self.create(voxels, flavor="imagej", voxel_um=[0.3, 0.1, 0.065]) as tiff:
                    self.assertTrue(tiff.is_imagej)
                    self.assertFalse(tiff.is_ome)
                    self.assertEqual(tiff.series[0].axes, "ZYX")
                    numpy.testing.assert_array_equal(tiff.asarray(), voxels)
                    metadata, tags = tiff.imagej_metadata, tiff.pages[0].tags
                    self.assertEqual(metadata["unit"], "um")
                    self.assertEqual(metadata["spacing"], 0.3)
                    self.assertTrue(metadata["hyperstack"])
                    numpy.testing.assert_allclose(
                        (metadata["min"], metadata["max"]), (voxels.min(), voxels.max()), rtol=1e-9)
                    self.assertNotIn("Orientation", tags)
                    self.assertEqual(tags["ResolutionUnit"].value, 1)
                    ratio = tags["XResolution"].value
                    self.assertAlmostEqual(ratio[1] / ratio[0], 0.065, places=12)
                    # ImageJ reads the first directory and jumps: planes lie back to back
                    offsets = [page.dataoffsets[0] for page in tiff.pages]
                    numpy.testing.assert_array_equal(numpy.diff(offsets), voxels[0].nbytes)

    def test_directories_lie_in_one_block_before_the_planes(self):
        with self.create(pattern(SHAPE, "float32")) as tiff:
            self.assertLess(max(page.offset for page in tiff.pages), tiff.pages[0].dataoffsets[0])
            self.assertEqual([len(page.dataoffsets) for page in tiff.pages], [1] * SHAPE[0])

    def test_compressed_planes_are_predicted_for_integers_only(self):
        for dtype, predictor in (("uint16", 2), ("float32", 1)):
            self.fresh()
            with self.create(pattern(SHAPE, dtype), compression="deflate") as tiff:
                self.assertEqual(int(tiff.pages[0].predictor), predictor)


if __name__ == "__main__":
    main()
