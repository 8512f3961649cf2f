# SPDX-License-Identifier: MIT
# tests/python/measure/cli_fit.py — twins of images, as a user meets them.
import json
import os
import unittest

from program import ProgramTest, main, numpy

USAGE, INPUT, IO, MEMORY = 2, 3, 4, 5
PIXELS = ("--voxel-um", "1,0.3,0.3")
QUICK = ("--stages", "camera")
DISCS = [(24, 24, 9), (24, 70, 10), (70, 30, 11), (70, 70, 12)]


def discs(shape=(96, 96)):
    """Labels of a few discs."""
    y, x = numpy.mgrid[:shape[0], :shape[1]]
    labels = numpy.zeros(shape, "uint16")
    for number, (row, column, radius) in enumerate(DISCS, 1):
        labels[numpy.hypot(y - row, x - column) < radius] = number
    return labels


def recorded(labels, gain=2.0, offset=100):
    """Counts of 200 electrons in objects and 50 elsewhere."""
    electrons = numpy.random.default_rng(1).poisson(50.0 + 150.0 * (labels > 0))
    return (offset + gain * electrons).astype("uint16")


class FitTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.labels = discs()
        self.image = recorded(self.labels)
        self.write("real.tif", self.image)
        self.write("labels.tif", self.labels)


class BadInputTest(FitTest):
    def test_says_what_is_wrong(self):
        self.write("colours.tif", numpy.stack([self.image >> 2] * 3, -1).astype("uint8"),
                   photometric="rgb")
        self.write("constant.tif", numpy.full((96, 96), 7, "uint16"))
        self.write("smaller.tif", self.labels[:90])
        self.write("empty.tif", self.labels * 0)
        self.write("halves.tif", (self.labels * 0.5).astype("float32"))
        self.write("nan.tif", numpy.where(self.labels == 1, numpy.nan, self.image).astype("f4"))
        self.text("scene.toml", "[nuclei]\ncount = 3\n")
        for words, code, *parts in (
            (["real.tif"], USAGE, "how large its pixels are", "--voxel-um"),
            (["colours.tif", *PIXELS], USAGE, "3 channels", "--channel"),
            (["constant.tif", *PIXELS], INPUT, "constant.tif are 7", "shows objects"),
            (["nan.tif", *PIXELS], INPUT, "NaN", "replace"),
            (["scene.toml", *PIXELS], USAGE, "is a scene", "--scene"),
            (["missing.tif", *PIXELS], IO, "no such file"),
            (["real.tif", *PIXELS, "--labels", "smaller.tif"], INPUT, "1x90x96", "1x96x96"),
            (["real.tif", *PIXELS, "--labels", "empty.tif"], INPUT, "all 0"),
            (["real.tif", *PIXELS, "--labels", "halves.tif"], INPUT, "0.5", "whole numbers"),
            (["real.tif", *PIXELS, "--labels", "labels.tif", "labels.tif"], USAGE, "is 2"),
            (["real.tif", *PIXELS, "--stages", "light,blurr"], USAGE, "blurr", "texture"),
            (["real.tif", *PIXELS, "--time", "-3"], USAGE, "-3", "above 0"),
            (["real.tif", *PIXELS, "--set", "nuclei.size=3"], USAGE, "nuclei.size"),
            (["real.tif", *PIXELS, "--psf", "missing.tif"], IO, "no such file"),
            (["real.tif", *PIXELS, "--camera", "scene.toml"], USAGE, "[camera]"),
        ):
            with self.subTest(words=words):
                self.refused(code, parts, "fit", *words, "-o", "twin")
                self.assertFalse(os.path.exists(self.path("twin")))


class FilesTest(FitTest):
    def test_writes_a_scene_a_camera_and_a_report(self):
        self.succeed("fit", "real.tif", *PIXELS, *QUICK, "-o", "twin")
        self.assertEqual(sorted(os.listdir(self.path("twin"))),
                         ["camera.toml", "psf.ome.tif", "report.html", "scene.toml"])
        self.succeed("simulate", "twin/scene.toml", "-o", "set", "--quiet")
        self.succeed("detect", "set/photons.ome.tif", "--camera", "twin/camera.toml", "-o",
                     "counts.tif", "--quiet")
        with open(self.path("twin/report.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertNotIn("http", page)

    def test_keeps_an_older_twin(self):
        self.succeed("fit", "real.tif", *PIXELS, *QUICK, "-o", "twin")
        self.refused(USAGE, ("overwrite",), "fit", "real.tif", *PIXELS, *QUICK, "-o", "twin")
        self.succeed("fit", "real.tif", *PIXELS, *QUICK, "-o", "twin", "--overwrite")

    def test_replaces_a_twin_of_labels(self):
        words = ("fit", "real.tif", *PIXELS, "--labels", "labels.tif", "--shapes", "labels",
                 "--stages", "shapes", "-o", "twin")
        self.succeed(*words)
        self.assertEqual(sorted(os.listdir(self.path("twin"))),
                         ["camera.toml", "labels.tif", "light.tif", "psf.ome.tif", "report.html",
                          "scene.toml"])
        self.succeed(*words, "--overwrite")
        self.text("twin/notes.txt", "mine")
        self.refused(USAGE, ("notes.txt",), *words, "--overwrite")

    def test_keeps_keys_that_are_given(self):
        printed = self.succeed("fit", "real.tif", *PIXELS, *QUICK, "-o", "twin", "--json",
                               "--quiet", "--set", "camera.gain_dn_per_electron=3")
        stage, = json.loads(printed)["stages"]
        self.assertEqual(stage["stage"], "camera")
        with open(self.path("twin/camera.toml"), encoding="utf-8") as file:
            self.assertIn("gain_dn_per_electron = 3\n", file.read())


if __name__ == "__main__":
    main()
