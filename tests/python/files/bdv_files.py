# SPDX-License-Identifier: MIT
# tests/python/files/bdv_files.py PROGRAM --environment DIR — BigDataViewer's HDF5 and XML against
# npy2bdv, which comes from PyPI into an environment of its own; where that cannot be reached, this
# is skipped.
import json
import os
import sys

import numpy

from environment import OthersTest, halved, python_with
from program import SKIPPED, main, random_volume, taken

PACKAGES = ["npy2bdv==1.1.0"]
ENVIRONMENT = os.path.abspath(taken("--environment", "bdv-environment"))


class Bdv(OthersTest):
    python = python_with(PACKAGES, "npy2bdv", ENVIRONMENT)
    preamble = "import json, h5py, npy2bdv, numpy\n"

    def write_bdv(self, name, stacks):
        """A file of npy2bdv with these voxels, [time][channel]."""
        numpy.save(self.path("stacks.npy"), stacks)
        self.script(f"""
stacks = numpy.load('stacks.npy')
writer = npy2bdv.BdvWriter('{name}.h5', nchannels=stacks.shape[1], dtype=stacks.dtype.name,
                           subsamp=((1, 1, 1), (2, 2, 2)),
                           blockdim=((4, 16, 16), (4, 16, 16)), compression='gzip', overwrite=True)
for time, channels in enumerate(stacks):
    for channel, stack in enumerate(channels):
        writer.append_view(stack, time=time, channel=channel, voxel_size_xyz=(0.1, 0.2, 0.3),
                           voxel_units='um')
writer.write_xml()
writer.close()""")

    def voxels(self, name, *chosen):
        self.write("delta.tif", numpy.ones((1, 1, 1), numpy.float32))
        self.succeed("convolve", name, "delta.tif", "-o", "read.tif", "--output-type", "same",
                     "--overwrite", "--quiet", *chosen)
        return self.read("read.tif")

    def refusal(self, name, code, *words):
        result = self.command("info", name)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)


class FilesOfNpy2bdv(Bdv):
    def test_every_type_is_read_as_it_was_written(self):
        for dtype in ("uint8", "uint16", "float32"):
            with self.subTest(dtype=dtype):
                stack = random_volume((9, 40, 61), 1, dtype)
                self.write_bdv("a", stack[None, None])
                for name in ("a.xml", "a.h5", "a.h5:/t00000/s00/0/cells"):
                    read = self.voxels(name)
                    self.assertEqual(read.dtype, stack.dtype)
                    numpy.testing.assert_array_equal(read, stack)
                info = json.loads(self.succeed("info", "a.xml", "--json"))
                self.assertEqual(info["format"], "BigDataViewer HDF5")
                self.assertEqual(info["voxel_um"], [0.3, 0.2, 0.1])
                self.assertEqual(info["levels"], [[9, 40, 61], [5, 20, 31]])

    def test_setups_are_channels_and_time_points_are_frames(self):
        stacks = numpy.stack([random_volume((5, 20, 30), seed, numpy.uint16)
                              for seed in range(6)]).reshape(3, 2, 5, 20, 30)
        self.write_bdv("a", stacks)
        info = json.loads(self.succeed("info", "a.xml", "--json"))
        self.assertEqual((info["channels"], info["frames"]), (2, 3))
        for time in range(3):
            for channel in range(2):
                read = self.voxels("a.xml", "--channel", str(channel), "--frame", str(time))
                numpy.testing.assert_array_equal(read, stacks[time, channel])
        result = self.command("convolve", "a.xml", "delta.tif", "-o", "b.tif")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("holds 2 channels; choose one with --channel 0 or 1", result.stderr)
        self.refusal("a.h5", 2, "it holds 6 images", "/t00000/s00/0/cells")

    def test_other_ways_to_count_time_points(self):
        stacks = random_volume((3, 1, 5, 20, 30), 2, numpy.uint16)
        self.write_bdv("a", stacks)
        with open(self.path("a.xml"), encoding="utf-8") as file:
            said = file.read()
        ranged = said[said.index("<Timepoints"):said.index("</Timepoints>")]
        for points, times in (
                ('<Timepoints type="pattern"><integerpattern>0, 2</integerpattern>', (0, 2)),
                ('<Timepoints type="pattern"><integerpattern>0-2:2</integerpattern>', (0, 2)),
                ('<Timepoints type="pattern"><integerpattern>1-2</integerpattern>', (1, 2)),
                ('<Timepoints type="list"><timepoint><id>2</id></timepoint>'
                 '<timepoint><id>0</id></timepoint>', (2, 0))):
            with self.subTest(points):
                with open(self.path("a.xml"), "w", encoding="utf-8") as file:
                    file.write(said.replace(ranged, points))
                for frame, time in enumerate(times):
                    numpy.testing.assert_array_equal(
                        self.voxels("a.xml", "--frame", str(frame)), stacks[time, 0])

    def test_descriptions_that_are_refused(self):
        self.write_bdv("a", random_volume((1, 1, 5, 20, 30), 3, numpy.uint16))
        with open(self.path("a.xml"), encoding="utf-8") as file:
            said = file.read()
        for old, new, code, words in (
                ("<SpimData", "<!DOCTYPE x><SpimData", 3, "document type"),
                (">a.h5<", ">../a.h5<", 3, "out of its folder"),
                (">a.h5<", ">/a.h5<", 3, "out of its folder"),
                (">a.h5<", "><", 3, "names no file"),
                (">a.h5<", ">b.h5<", 4, "b.h5: there is no such file"),
                ('"bdv.hdf5"', '"bdv.n5"', 3, "names images as 'bdv.n5'"),
                ("<id>0</id>", "<id>-1</id>", 3, "'-1' as the number of a setup"),
                ("<last>0<", "<last>9999999999<", 3, "--max-directories"),
                ("<last>0<", "<last>-1<", 3, "'-1' as a time point"),
                ("<first>0</first>", "<first>1</first>", 3, "range of time points"),
                ("<first>0</first>", "<first>7</first>", 3, "range of time points"),
                ("</SpimData>", "", 3, "not well formed"),
                ("SequenceDescription>", "Else>", 3, "describes no sequence"),
                ("ViewSetup>", "Else>", 3, "lists no setups")):
            with self.subTest(new=new):
                with open(self.path("b.xml"), "w", encoding="utf-8") as file:
                    file.write(said.replace(old, new))
                self.refusal("b.xml", code, words)


class FilesForNpy2bdv(Bdv):
    def convolve(self, output, *further):
        self.succeed("convolve", "image.tif", "delta.tif", "-o", output, "--format", "bdv",
                     "--output-type", "same", "--quiet", "--overwrite", *further)

    def make_input(self, voxels):
        self.write("image.tif", voxels, imagej=True, resolution=(10, 5),
                   metadata={"axes": "ZYX", "spacing": 0.3, "unit": "um"})
        self.write("delta.tif", numpy.ones((1, 1, 1), numpy.float32))

    def read_by_npy2bdv(self, name, levels):
        return json.loads(self.script(f"""
editor = npy2bdv.BdvEditor('{name}.h5')
for level in range({levels}):
    numpy.save(f'level{{level}}.npy', editor.read_view(time=0, channel=0, ilevel=level))
print(json.dumps([list(editor.get_attribute_count()),
                  list(editor.get_view_property("voxel_size"))]))"""))

    def test_voxels_levels_and_scales_are_those_that_were_written(self):
        for dtype in ("uint8", "uint16", "float32"):
            voxels = random_volume((9, 70, 301), 1, dtype)
            self.make_input(voxels)
            for compression in ("none", "deflate"):
                with self.subTest(dtype=dtype, compression=compression):
                    self.convolve("a.h5", "--compression", compression, "--chunks", "4,32,64")
                    self.assertEqual({"a.h5", "a.xml"} - set(self.listing()), set())
                    self.assertFalse([n for n in self.listing() if n.endswith(".partial")])
                    self.assertEqual(self.read_by_npy2bdv("a", 2), [[1] * 5, [0.1, 0.2, 0.3]])
                    whole = numpy.load(self.path("level0.npy"))
                    self.assertEqual(whole.dtype, voxels.dtype)
                    numpy.testing.assert_array_equal(whole, voxels)
                    numpy.testing.assert_array_equal(numpy.load(self.path("level1.npy")),
                                                     halved(voxels))
                    numpy.testing.assert_array_equal(self.voxels("a.xml"), voxels)
                    info = json.loads(self.succeed("info", "a.xml", "--json"))
                    self.assertEqual(info["voxel_um"], [0.3, 0.2, 0.1])
                    self.assertEqual(info["levels"], [[9, 70, 301], [5, 35, 151]])
                    tables = json.loads(self.script("""
file = h5py.File('a.h5')
print(json.dumps([file['s00/resolutions'][:].tolist(), file['s00/subdivisions'][:].tolist(),
                  str(file['s00/subdivisions'].dtype)]))"""))
                    self.assertEqual(tables, [[[1, 1, 1], [2, 2, 2]],
                                              [[64, 32, 4], [64, 32, 4]], "int32"])

    def test_what_bdv_cannot_hold_is_refused_before_any_work(self):
        self.make_input(random_volume((3, 20, 30), 2, numpy.uint16))
        for output, options, words in (
                ("a.h5", ("--output-type", "float64", "--precision", "double"),
                 "uint8, uint16 and float32, not float64"),
                ("a.tif", (), "end in .h5, with an .xml next to"),
                ("a.h5:/image", (), "prescribes the names"),
                ("a.h5", ("--compression", "lzw"), "does not support lzw compression")):
            with self.subTest(words):
                result = self.command("convolve", "image.tif", "delta.tif", "-o", output,
                                      "--format", "bdv", *options)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn(words, result.stderr)
                self.assertEqual(self.listing(), ["delta.tif", "image.tif"])

    def test_the_xml_of_others_is_not_replaced(self):
        self.make_input(random_volume((3, 20, 30), 2, numpy.uint16))
        self.text("a.xml", "<notes/>")
        for overwrite in ((), ("--overwrite",)):
            result = self.command("convolve", "image.tif", "delta.tif", "-o", "a.h5", "--format",
                                  "bdv", *overwrite)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn("a.xml", result.stderr)
            self.assertEqual(self.listing(), ["a.xml", "delta.tif", "image.tif"])


if __name__ == "__main__":
    if Bdv.python is None:
        sys.exit(SKIPPED)
    main()
