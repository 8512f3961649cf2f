# SPDX-License-Identifier: MIT
# tests/python/files/ome_zarr_files.py PROGRAM --environment DIR — OME-Zarr that we write is what
# zarr and the models of OME-Zarr expect, and what zarr writes is read. They come from PyPI into an
# environment of their own; where that cannot be reached, this is skipped.
import json
import os
import sys

import numpy

from environment import OthersTest, halved, python_with
from program import SKIPPED, TINY_SCENE, main, random_volume, taken

PACKAGES = ["zarr==3.1.6", "ome-zarr-models==1.7"]
ENVIRONMENT = os.path.abspath(taken("--environment", "zarr-environment"))
FORMATS = {"zarr": "v04", "zarr3": "v05"}
COMPRESSIONS = ["none", "deflate", "zstd", "blosc"]

# Arrays of an image as .npy, and what its description says, as the reader of the format has it
READ = """
import json, sys, numpy, zarr
from ome_zarr_models import {version} as models
path = {path!r}
group = zarr.open_group(path, mode="r")
models.Image.from_zarr(group)
attributes = dict(group.attrs)
said = attributes.get("ome", attributes)
for i, level in enumerate(said["multiscales"][0]["datasets"]):
    numpy.save(path + f".{{i}}.npy", group[level["path"]][:])
print(json.dumps(said))
"""


# The image of a data set and its labels, with the names of those that there are
LABELS = """
import json, numpy, zarr
from ome_zarr_models import {version} as models
path = {path!r}
group = zarr.open_group(path + "/image.ome.zarr", mode="r")
models.Image.from_zarr(group)
names = models.Labels.from_zarr(group["labels"]).attributes
models.ImageLabel.from_zarr(group["labels/objects"])
numpy.save(path + "/image.npy", group["0"][0])
numpy.save(path + "/labels.npy", group["labels/objects/0"][:])
attributes = dict(group["labels"].attrs)
print(json.dumps(attributes.get("ome", attributes)["labels"]))
"""


class Tools(OthersTest):
    python = python_with(PACKAGES, "ome_zarr_models, zarr", ENVIRONMENT)

    def setUp(self):
        super().setUp()
        self.voxels = random_volume((9, 70, 301), 1, numpy.uint16)
        self.write("image.tif", self.voxels, imagej=True, resolution=(10, 10),
                   metadata={"axes": "ZYX", "spacing": 0.3, "unit": "um"})
        self.write("delta.tif", numpy.ones((1, 1, 1), numpy.float32))

    def convolve(self, image, output, *further):
        self.succeed("convolve", image, "delta.tif", "-o", output, "--output-type", "same",
                     "--quiet", *further)

    def test_voxels_scales_and_levels_are_those_that_were_written(self):
        for form, version in FORMATS.items():
            for compression in COMPRESSIONS:
                with self.subTest(form=form, compression=compression):
                    name = f"{compression}-{form}.ome.zarr"
                    self.convolve("image.tif", name, "--format", form, "--compression",
                                  compression, "--chunks", "4,32,64")
                    said = json.loads(self.script(READ.format(version=version,
                                                              path=self.path(name))))
                    image = said["multiscales"][0]
                    self.assertEqual([axis["name"] for axis in image["axes"]], ["z", "y", "x"])
                    self.assertEqual({axis["unit"] for axis in image["axes"]}, {"micrometer"})
                    scales = [level["coordinateTransformations"][0]["scale"]
                              for level in image["datasets"]]
                    numpy.testing.assert_allclose(scales, [[0.3, 0.1, 0.1], [0.6, 0.2, 0.2]])
                    numpy.testing.assert_allclose(
                        image["datasets"][1]["coordinateTransformations"][1]["translation"],
                        [0.15, 0.05, 0.05])
                    whole = numpy.load(self.path(name + ".0.npy"))
                    self.assertEqual(whole.dtype, numpy.uint16)
                    numpy.testing.assert_array_equal(whole, self.voxels)
                    numpy.testing.assert_array_equal(numpy.load(self.path(name + ".1.npy")),
                                                     halved(self.voxels))

    def test_what_it_wrote_the_program_reads(self):
        for form in FORMATS:
            with self.subTest(form=form):
                name = f"a-{form}.ome.zarr"
                self.convolve("image.tif", name, "--format", form, "--compression", "zstd")
                self.convolve(name, f"{form}.tif")
                numpy.testing.assert_array_equal(self.read(f"{form}.tif"), self.voxels)
                info = json.loads(self.succeed("info", name + "/", "--json"))
                self.assertEqual(info["levels"], [[9, 70, 301], [5, 35, 151]])
                self.assertEqual(info["voxel_um"], [0.3, 0.1, 0.1])
                small = json.loads(self.succeed("info", name + "/1", "--json"))
                self.assertEqual(small["extent"], [5, 35, 151])
                self.assertEqual(small["voxel_um"], [0.6, 0.2, 0.2])

    def test_labels_of_a_simulation_are_the_images(self):
        self.text("scene.toml", TINY_SCENE)
        self.succeed("simulate", "scene.toml", "-o", "tiff", "--quiet")
        for form, version in FORMATS.items():
            with self.subTest(form=form):
                self.succeed("simulate", "scene.toml", "-o", form, "--format", form, "--quiet")
                said = json.loads(self.script(LABELS.format(version=version,
                                                            path=self.path(form))))
                self.assertEqual(said, ["objects"])
                for array, name in (("labels", "labels"), ("image", "image")):
                    numpy.testing.assert_array_equal(
                        numpy.load(self.path(f"{form}/{array}.npy")),
                        self.read(f"tiff/{name}.ome.tif"))

    def test_what_zarr_writes_is_read(self):
        numpy.save(self.path("voxels.npy"), self.voxels)
        cases = {
            "blosc-2": "zarr_format=2, compressors=numcodecs.Blosc('lz4', shuffle=2)",
            "zlib-2": "zarr_format=2, compressors=numcodecs.Zlib(1)",
            "gzip-2": "zarr_format=2, compressors=numcodecs.GZip(1), order='C'",
            "plain-2": "zarr_format=2, compressors=None, "
                       "chunk_key_encoding={'name': 'v2', 'separator': '/'}",
            "default-3": "zarr_format=3",
            "blosc-3": "zarr_format=3, compressors=zarr.codecs.BloscCodec(shuffle='bitshuffle')",
            "gzip-3": "zarr_format=3, compressors=zarr.codecs.GzipCodec(), "
                      "chunk_key_encoding={'name': 'default', 'separator': '.'}",
            "big-3": "zarr_format=3, serializer=zarr.codecs.BytesCodec(endian='big')",
        }
        self.script("import numcodecs, numpy, zarr\nvoxels = numpy.load('voxels.npy')\n" + "".join(
            f"array = zarr.create_array('{name}.zarr', shape=voxels.shape, dtype=voxels.dtype, "
            f"chunks=(4, 30, 100), {how})\narray[:] = voxels\n" for name, how in cases.items()))
        for name in cases:
            with self.subTest(name):
                self.convolve(name + ".zarr", name + ".tif")
                numpy.testing.assert_array_equal(self.read(name + ".tif"), self.voxels)

    def test_shards_are_refused_in_one_sentence(self):
        self.script("import zarr\nzarr.create_array('a.zarr', shape=(4, 8, 8), dtype='u2', "
                    "chunks=(2, 4, 4), shards=(4, 8, 8))[:] = 1\n")
        result = self.command("info", "a.zarr")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("shards", result.stderr)


if __name__ == "__main__":
    if Tools.python is None:
        sys.exit(SKIPPED)
    main()
