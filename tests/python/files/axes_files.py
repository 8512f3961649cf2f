# SPDX-License-Identifier: MIT
# tests/python/files/axes_files.py — axes, images and channels that other programs name in their
# files.
import itertools
import json
import shutil
import struct

from program import ProgramTest, main, numpy, tifffile
from tiff_files import pattern

Y, X = 9, 5
SIZES = {"T": 2, "C": 3, "Z": 4}
NAMESPACE = "http://www.openmicroscopy.org/Schemas/OME/2016-06"


class ReadingTest(ProgramTest):
    """Reads stacks by the test tool: `read FILE RAW CHANNEL FRAME AXES IMAGE`."""

    def info(self, name):
        return json.loads(self.succeed("info", name))

    def stack(self, name, channel=0, frame=0, axes="-", image=0):
        info = json.loads(self.succeed("read", name, "raw", channel, frame, axes, image))
        return numpy.fromfile(self.path("raw"), info["type"]).reshape(info["extent"])

    def refusal(self, code, name, *words, axes="-", image=0):
        result = self.command("read", name, "raw", 0, 0, axes, image)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def expect_stacks(self, name, voxels, letters, **reading):
        """Every stack is the one that numpy cuts from `voxels`, whose axes are `letters`."""
        counts = {axis: voxels.shape[letters.index(axis)] if axis in letters else 1
                  for axis in "TC"}
        for t, c in itertools.product(range(counts["T"]), range(counts["C"])):
            at = {"T": t, "C": c}
            cut = voxels[tuple(at.get(letter, slice(None)) for letter in letters)]
            left = [letter for letter in letters if letter not in "TC"]
            cut = numpy.transpose(cut, [left.index(letter) for letter in "ZYX" if letter in left])
            if "Z" not in left:
                cut = cut[None]
            numpy.testing.assert_array_equal(self.stack(name, c, t, **reading), cut)

    def make_pages(self, name, planes, description):
        with tifffile.TiffWriter(self.path(name)) as tiff:
            for i, plane in enumerate(planes):
                tiff.write(plane, description=description if i == 0 else None, metadata=None,
                           contiguous=False, software=False, photometric="minisblack")


def shaped(letters):
    return pattern(tuple({**SIZES, "Y": Y, "X": X}[letter] for letter in letters), "uint16")


class ShapesOfTifffile(ReadingTest):
    """tifffile describes an array by its shape and, where it is told, its axes."""

    def test_named_axes_are_obeyed(self):
        orders = ["".join(some) + "YX" for count in range(4)
                  for some in itertools.permutations("TCZ", count)]
        stored = itertools.cycle(({}, {"truncate": True}, {"compression": "zlib"}))
        for letters, options in zip(orders, stored):
            with self.subTest(letters=letters, **options):
                voxels = shaped(letters)
                self.write("a.tif", voxels, metadata={"axes": letters}, **options)
                self.expect_stacks("a.tif", voxels, letters)

    def test_samples_are_not_an_axis_of_planes(self):
        voxels = pattern((3, Y, X, 3), "uint8")
        for letters in ("TYXS", "ZYXS"):
            self.write("a.tif", voxels, photometric="rgb", metadata={"axes": letters})
            for sample in range(3):
                frame = 2 if letters[0] == "T" else 0
                expected = voxels[..., sample] if letters[0] == "Z" else voxels[2:3, ..., sample]
                numpy.testing.assert_array_equal(self.stack("a.tif", sample, frame), expected)

    def test_size_of_voxels(self):
        self.write("a.tif", shaped("ZYX"), resolution=(10, 5),
                   metadata={"axes": "ZYX", "unit": "um", "spacing": 0.3}, resolutionunit="none")
        numpy.testing.assert_allclose(self.info("a.tif")["voxel_um"], [0.3, 0.2, 0.1])
        self.write("a.tif", shaped("ZYX"), metadata={"axes": "ZYX", "unit": "um", "spacing": 0.3})
        self.assertEqual(self.info("a.tif")["voxel_um"], [0.3, None, None])

    def test_more_than_three_axes_without_names_are_refused(self):
        voxels = shaped("TZYX")
        self.write("a.tif", voxels)
        self.refusal(3, "a.tif", "2 x 4 x 9 x 5", "not named", "--axes TZYX")
        for letters in ("TZYX", "CZYX", "ZCYX"):
            self.expect_stacks("a.tif", voxels, letters, axes=letters)

    def test_one_axis_without_a_name_is_z_and_said_to_be(self):
        for metadata in ({}, {"axes": "QYX"}, {"axes": "IYX"}, None):
            with self.subTest(metadata=metadata):
                self.write("a.tif", shaped("ZYX"), metadata=metadata)
                self.expect_stacks("a.tif", shaped("ZYX"), "ZYX")
                self.assertTrue(self.info("a.tif")["axes"].startswith("Z=4, Y=9, X=5, "))

    def test_axes_that_cannot_be_read_are_named(self):
        self.write("a.tif", shaped("ZYX"), metadata={"axes": "PYX"})
        self.refusal(3, "a.tif", "axis P", "--axes")
        self.expect_stacks("a.tif", shaped("ZYX"), "TYX", axes="TYX")
        self.write("a.tif", pattern((4, Y, X), "uint8"), metadata={"axes": "YXC"})
        self.refusal(3, "a.tif", "YXC", "end in YX")

    def test_several_arrays_are_images(self):
        stacks = [pattern((2, 3, Y, X), "uint16"), pattern((4, Y, X), "uint16")]
        with tifffile.TiffWriter(self.path("a.tif")) as tiff:
            for stack, axes in zip(stacks, ("CZYX", "TYX")):
                tiff.write(stack, metadata={"axes": axes}, photometric="minisblack")
        info = self.info("a.tif")
        self.assertEqual(len(info["images"]), 2)
        self.assertTrue(any("--image 0 to 1" in note for note in info["notes"]), info["notes"])
        self.expect_stacks("a.tif", stacks[0], "CZYX")
        self.expect_stacks("a.tif", stacks[1], "TYX", image=1)
        self.refusal(2, "a.tif", "no image 2", "--image 0 to 1", image=2)

    def test_planes_that_were_written_one_after_the_other_are_a_stack(self):
        with tifffile.TiffWriter(self.path("a.tif")) as tiff:
            for plane in shaped("ZYX"):
                tiff.write(plane, photometric="minisblack")
        self.expect_stacks("a.tif", shaped("ZYX"), "ZYX")

    def test_a_description_beside_one_of_the_user(self):
        self.write("a.tif", shaped("CYX"), description="mine", metadata={"axes": "CYX"})
        self.expect_stacks("a.tif", shaped("CYX"), "CYX")


class GivenAxes(ReadingTest):
    """--axes names what the file does not, or other than it does."""

    def test_of_plain_pages(self):
        voxels = shaped("ZYX")
        self.write("a.tif", voxels, metadata=None)
        for letters in ("ZYX", "TYX", "CYX", "cyx"):
            self.expect_stacks("a.tif", voxels, letters.upper(), axes=letters)
        for axes, words in (("TZYX", "names 4 axes"), ("YX", "names 2 axes"),
                            ("XYX", "axis X is named twice"), ("QYX", None), ("PYX", "axis P"),
                            ("YXZ", "end in YX")):
            with self.subTest(axes=axes):
                if words:
                    self.refusal(2, "a.tif", words, "--axes", axes=axes)
                else:
                    self.expect_stacks("a.tif", voxels, "ZYX", axes=axes)

    def test_in_place_of_what_imagej_and_ome_say(self):
        voxels = shaped("ZYX")
        self.write("a.tif", voxels, imagej=True, metadata={"axes": "ZYX"})
        self.write("b.ome.tif", voxels, metadata={"axes": "ZYX"})
        for name in ("a.tif", "b.ome.tif"):
            self.expect_stacks(name, voxels, "TYX", axes="TYX")
            self.assertIn("named by its", self.info(name)["axes"])


def stk(planes, distances, times):
    """A MetaMorph stack: one directory, and the planes one after the other behind its strip."""
    count, height, width = planes.shape
    uic2 = b"".join(struct.pack("<6I", *row) for row in
                    zip(distances, [1000] * count, [2451545] * count, times, [0] * count,
                        [0] * count))
    tags = [(254, 4, 1, 0), (256, 4, 1, width), (257, 4, 1, height), (258, 3, 1, 16),
            (259, 3, 1, 1), (262, 3, 1, 1), (273, 4, 1, 2000), (277, 3, 1, 1), (278, 4, 1, height),
            (279, 4, 1, height * width * 2), (33628, 4, count, 1500), (33629, 5, count, 600),
            (33630, 5, count, 1200)]
    head = b"II*\0" + struct.pack("<IH", 8, len(tags))
    head += b"".join(struct.pack("<HHII", *tag) for tag in tags) + bytes(4)
    head = head.ljust(600, b"\0") + uic2
    head = head.ljust(1200, b"\0") + struct.pack("<2I", 520, 1) * count
    return head.ljust(2000, b"\0") + planes.astype("<u2").tobytes()


class OtherPrograms(ReadingTest):
    def test_planes_of_a_metamorph_stack(self):
        voxels = pattern((4, Y, X), "uint16")
        for letters, distances, times in (("ZYX", [300] * 4, [0] * 4),
                                          ("TYX", [0] * 4, [0, 5, 9, 12]),
                                          ("ZYX", [0] * 4, [0] * 4)):
            with self.subTest(letters=letters):
                with open(self.path("a.stk"), "wb") as file:
                    file.write(stk(voxels, distances, times))
                with tifffile.TiffFile(self.path("a.stk")) as tiff:
                    self.assertTrue(tiff.is_stk)
                    numpy.testing.assert_array_equal(tiff.asarray(), voxels)
                self.expect_stacks("a.stk", voxels, letters)
        with open(self.path("a.stk"), "r+b") as file:
            file.truncate(2000 + 3 * Y * X * 2)
        self.refusal(3, "a.stk", "MetaMorph", "declares 4 images but only 3 fit")

    def test_signed_numbers_of_imagej(self):
        signed = pattern((3, Y, X), "int16")
        stored = (signed.astype("i4") + 32768).astype("uint16")
        self.write("a.tif", stored, imagej=True,
                   metadata={"axes": "ZYX", "cf": 0, "c0": -32768.0, "c1": 1.0,
                             "vunit": "gray value"})
        numpy.testing.assert_array_equal(self.stack("a.tif"), signed)
        self.assertEqual(self.info("a.tif")["notes"], [])
        self.write("a.tif", stored, imagej=True,
                   metadata={"axes": "ZYX", "cf": 0, "c0": 2.0, "c1": 0.5})
        numpy.testing.assert_array_equal(self.stack("a.tif"), stored)
        self.assertIn("calibration", self.info("a.tif")["notes"][0])

    def test_units_of_imagej(self):
        for metadata, expected in (
                ({"unit": "um", "zunit": "nm", "spacing": 300}, [0.3, 0.2, 0.1]),
                ({"unit": "um", "yunit": "nm", "spacing": 2}, [2, 0.0002, 0.1]),
                ({"unit": "um", "spacing": -0.5}, [0.5, 0.2, 0.1]),
                ({"unit": "um", "zunit": "sec", "spacing": 2}, [None, 0.2, 0.1])):
            with self.subTest(**metadata):
                self.write("a.tif", shaped("ZYX"), imagej=True, resolution=(10, 5),
                           metadata={"axes": "ZYX", **metadata})
                found = self.info("a.tif")["voxel_um"]
                self.assertEqual([um is None for um in found], [um is None for um in expected])
                numpy.testing.assert_allclose([um or 0 for um in found],
                                              [um or 0 for um in expected])

    def test_an_inverted_lookup_table_of_imagej_changes_no_value(self):
        mask = numpy.zeros((Y, X), "uint8")
        mask[2:4, 1:3] = 255
        self.write("a.tif", mask, photometric="miniswhite", metadata=None,
                   description="ImageJ=1.53t\n")
        numpy.testing.assert_array_equal(self.stack("a.tif")[0], mask)
        self.assertIn("white", self.info("a.tif")["notes"][0])


def ome(images, root=""):
    return (f'<?xml version="1.0"?><OME xmlns="{NAMESPACE}"{root}>' + "".join(images) + "</OME>")


def ome_image(number, sizes, data, channel=""):
    text = " ".join(f'Size{axis}="{sizes.get(axis, 1)}"' for axis in "ZCT")
    channels = channel or "".join(f'<Channel ID="Channel:{number}:{i}"/>'
                                  for i in range(sizes.get("C", 1)))
    return (f'<Image ID="Image:{number}" Name="Position {number}"><Pixels ID="Pixels:{number}" '
            f'Type="uint16" DimensionOrder="XYCZT" SizeX="{X}" SizeY="{Y}" {text}>'
            f'{channels}{data}</Pixels></Image>')


class OmeDocuments(ReadingTest):
    def planes(self, count):
        return pattern((count, Y, X), "uint16")

    def test_several_images(self):
        planes = self.planes(6)
        images = [ome_image(i, {"Z": 3}, f'<TiffData IFD="{3 * i}" PlaneCount="3"/>')
                  for i in range(2)]
        self.make_pages("a.ome.tif", planes, ome(images))
        for image in range(2):
            numpy.testing.assert_array_equal(self.stack("a.ome.tif", image=image),
                                             planes[3 * image:3 * image + 3])
        info = self.info("a.ome.tif")
        self.assertEqual([line.split(", ")[1] for line in info["images"]],
                         ["Position 0", "Position 1"])
        self.assertTrue(any("--image" in note for note in info["notes"]))
        self.refusal(2, "a.ome.tif", "no image 2", image=2)

    def test_any_prefix_of_the_namespace(self):
        planes = self.planes(4)
        text = ome([ome_image(0, {"C": 2, "Z": 2}, "<TiffData/>")])
        for prefix in ("OME", "ome", "o"):
            prefixed = text.replace("</", "\0").replace("<?", "\1").replace("<", f"<{prefix}:")
            prefixed = prefixed.replace("\0", f"</{prefix}:").replace("\1", "<?")
            prefixed = prefixed.replace("xmlns=", f"xmlns:{prefix}=")
            self.make_pages("a.ome.tif", planes, prefixed)
            numpy.testing.assert_array_equal(self.stack("a.ome.tif", 1), planes[1::2])

    def test_a_companion_file(self):
        planes = self.planes(6)
        self.make_pages("a.ome.tif", planes, ome(
            ['<BinaryOnly MetadataFile="set.companion.ome" UUID="urn:uuid:b"/>'],
            ' UUID="urn:uuid:a"'))
        self.assertIn("not in its folder", self.info("a.ome.tif")["notes"][0])
        numpy.testing.assert_array_equal(self.stack("a.ome.tif"), planes)
        data = ('<TiffData IFD="0" PlaneCount="6"><UUID FileName="a.ome.tif">urn:uuid:a</UUID>'
                '</TiffData>')
        with open(self.path("set.companion.ome"), "w") as file:
            file.write(ome([ome_image(0, {"C": 2, "Z": 3}, data)], ' UUID="urn:uuid:b"'))
        self.assertEqual(self.info("a.ome.tif")["notes"], [])
        for channel in range(2):
            numpy.testing.assert_array_equal(self.stack("a.ome.tif", channel), planes[channel::2])

    def named(self, name, uuid="", pages=3):
        return "".join(f'<TiffData FirstZ="{i}" IFD="{i}" PlaneCount="1"><UUID FileName="{name}">'
                       f'urn:uuid:{uuid or name}</UUID></TiffData>' for i in range(pages))

    def test_a_copy_reads_its_own_pixels(self):
        planes = self.planes(3)
        text = ome([ome_image(0, {"Z": 3}, self.named("raw.ome.tif"))])
        for root in ("", ' UUID="urn:uuid:raw.ome.tif"', ' UUID="urn:uuid:other"'):
            self.make_pages("raw.ome.tif", planes, text.replace("<OME ", "<OME" + root + " "))
            self.make_pages("copy.ome.tif", planes + 1, text.replace("<OME ", "<OME" + root + " "))
            numpy.testing.assert_array_equal(self.stack("raw.ome.tif"), planes)
            numpy.testing.assert_array_equal(self.stack("copy.ome.tif"), planes + 1)

    def test_a_copy_of_one_file_of_a_set_is_refused(self):
        data = "".join(
            f'<TiffData FirstZ="{i}" IFD="0" PlaneCount="1"><UUID FileName="{name}">u{i}</UUID>'
            '</TiffData>' for i, name in enumerate(("a.ome.tif", "b.ome.tif")))
        text = ome([ome_image(0, {"Z": 2}, data)])
        for name in ("a.ome.tif", "b.ome.tif"):
            self.make_pages(name, self.planes(1), text)
        self.assertEqual(self.info("a.ome.tif")["extent"], [2, Y, X])
        shutil.copy(self.path("a.ome.tif"), self.path("copy.ome.tif"))
        self.refusal(3, "copy.ome.tif", "none of them is this one", "renamed copy")

    def test_frames_of_a_stopped_series(self):
        planes = self.planes(5)
        for data in ("<TiffData/>", "".join(
                f'<TiffData FirstT="{i // 2}" FirstC="{i % 2}" IFD="{i}" PlaneCount="1"/>'
                for i in range(8))):
            self.make_pages("a.ome.tif", planes, ome([ome_image(0, {"C": 2, "T": 4}, data)]))
            info = self.info("a.ome.tif")
            self.assertEqual((info["channels"], info["frames"]), (2, 2))
            self.assertIn("declares 4 frames, of which the first 2 are complete", info["notes"][0])
            numpy.testing.assert_array_equal(self.stack("a.ome.tif", 1, 1)[0], planes[3])
        self.make_pages("a.ome.tif", planes, ome([ome_image(0, {"C": 2, "Z": 4}, "<TiffData/>")]))
        self.refusal(3, "a.ome.tif", "declares 8 planes but 3 of them are in no page")


if __name__ == "__main__":
    main()
