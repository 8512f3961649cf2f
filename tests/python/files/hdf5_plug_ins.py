# SPDX-License-Identifier: MIT
# tests/python/files/hdf5_plug_ins.py PROGRAM --environment DIR — chunks of HDF5 packed by zstd and
# blosc, for whose filters h5py needs the plug-ins of hdf5plugin: what we write it reads, and what
# it writes we read. They come from PyPI into an environment of their own; where that cannot be
# reached, this is skipped.
import json
import os
import sys

import numpy

from environment import OthersTest, python_with
from program import SKIPPED, main, random_volume, taken

PACKAGES = ["h5py==3.14.0", "hdf5plugin==5.1.0"]
ENVIRONMENT = os.path.abspath(taken("--environment", "hdf5-environment"))
PLUG_INS = {"zstd": 32015, "blosc": 32001}


class PlugIns(OthersTest):
    python = python_with(PACKAGES, "h5py, hdf5plugin", ENVIRONMENT)
    preamble = "import json, h5py, hdf5plugin, numpy\n"

    def setUp(self):
        super().setUp()
        self.write("delta.tif", numpy.ones((1, 1, 1), numpy.float32))

    def convolve(self, image, output, *further):
        self.succeed("convolve", image, "delta.tif", "-o", output, "--output-type", "same",
                     "--precision", "double", "--quiet", "--overwrite", *further)

    def test_hdf5plugin_reads_what_was_written(self):
        for dtype in ("uint8", "uint16", "float32", "float64"):
            voxels = random_volume((9, 70, 101), 1, dtype)
            self.write("image.tif", voxels)
            for compression, number in PLUG_INS.items():
                with self.subTest(dtype=dtype, compression=compression):
                    self.convolve("image.tif", "a.h5", "--compression", compression, "--chunks",
                                  "4,32,64")
                    filters = json.loads(self.script(
                        "file = h5py.File('a.h5')\n"
                        "numpy.save('a.npy', file['image'][:])\n"
                        "print(json.dumps(list(file['image']._filters)))"))
                    self.assertIn(str(number), filters)
                    self.assertEqual("shuffle" in filters, compression == "zstd")
                    read = numpy.load(self.path("a.npy"))
                    self.assertEqual(read.dtype, voxels.dtype)
                    numpy.testing.assert_array_equal(read, voxels)
                    self.convolve("a.h5", "again.tif")
                    numpy.testing.assert_array_equal(self.read("again.tif"), voxels)

    def test_what_hdf5plugin_writes_is_read(self):
        voxels = random_volume((9, 40, 61), 2, numpy.uint16)
        numpy.save(self.path("voxels.npy"), voxels)
        cases = {
            "zstd": ("**hdf5plugin.Zstd(clevel=7)", "zstd"),
            "shuffled": ("shuffle=True, **hdf5plugin.Zstd()", "shuffle, zstd"),
            **{name: (f"**hdf5plugin.Blosc(cname='{name}', shuffle={shuffle})", "blosc")
               for shuffle, name in enumerate(("lz4", "lz4hc", "blosclz"))},
            "packed": ("**hdf5plugin.Blosc(cname='zstd', clevel=9, shuffle=1)", "blosc"),
            "zlib": ("**hdf5plugin.Blosc(cname='zlib')", "blosc"),
        }
        for name, (how, compression) in cases.items():
            with self.subTest(name):
                self.script("h5py.File('a.h5', 'w').create_dataset('image', "
                            f"data=numpy.load('voxels.npy'), chunks=(4, 16, 30), {how})")
                self.convolve("a.h5", "a.tif")
                numpy.testing.assert_array_equal(self.read("a.tif"), voxels)
                info = json.loads(self.succeed("info", "a.h5", "--json"))
                self.assertEqual(info["compression"], compression)

    def test_many_chunks_and_those_that_were_never_written(self):
        for how in ("**hdf5plugin.Zstd()", "**hdf5plugin.Blosc()"):
            with self.subTest(how):
                self.script(
                    "made = h5py.File('a.h5', 'w').create_dataset('image', (20, 60, 40), 'u2', "
                    f"fillvalue=9, chunks=(2, 2, 2), {how})\n"
                    "made[6:10, 10:20, 12:20] = numpy.arange(320).reshape(4, 10, 8)\n"
                    "numpy.save('a.npy', made[:])")
                self.convolve("a.h5", "a.tif")
                numpy.testing.assert_array_equal(self.read("a.tif"), numpy.load(self.path("a.npy")))

    def test_broken_chunks_are_told(self):
        """Whatever a chunk claims of itself: an end, other lengths, a block as large as memory."""
        voxels = random_volume((4, 32, 64), 3, numpy.uint16)
        self.write("image.tif", voxels)
        for compression in PLUG_INS:
            self.convolve("image.tif", "whole.h5", "--compression", compression)
            place, size = json.loads(self.script(
                "chunk = h5py.File('whole.h5')['image'].id.get_chunk_info(0)\n"
                "print(json.dumps([chunk.byte_offset, chunk.size]))"))
            with open(self.path("whole.h5"), "rb") as file:
                content = file.read()
            os.remove(self.path("whole.h5"))
            for at, bytes_ in ((0, b"\0" * 8), (4, b"\xff\xff\xff\x7f"), (8, b"\xff\xff\xff\x7f"),
                               (12, b"\xff\xff\xff\x7f"), (size // 2, b"\0" * (size // 2))):
                with self.subTest(compression=compression, at=at):
                    damaged = bytearray(content)
                    damaged[place + at:place + at + len(bytes_)] = bytes_
                    with open(self.path("a.h5"), "wb") as file:
                        file.write(damaged)
                    result = self.command("convolve", "a.h5", "delta.tif", "-o", "a.tif")
                    self.assertEqual(result.returncode, 3, result.stderr)
                    self.assertIn("does not decompress to its size", result.stderr)
                    self.assertNotIn("a.tif", self.listing())

    def test_other_filters_are_refused_in_one_sentence(self):
        for how, words in (("scaleoffset=0, **hdf5plugin.Zstd()", "lzf are accepted alone"),
                           ("**hdf5plugin.LZ4()", "save it with deflate, lzf, zstd or blosc")):
            with self.subTest(how):
                self.script("h5py.File('a.h5', 'w').create_dataset('image', "
                            f"data=numpy.zeros((4, 8, 8), 'u2'), chunks=(2, 8, 8), {how})")
                result = self.command("info", "a.h5")
                self.assertEqual(result.returncode, 3, result.stderr)
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
                self.assertIn(words, result.stderr)


if __name__ == "__main__":
    if PlugIns.python is None:
        sys.exit(SKIPPED)
    main()
