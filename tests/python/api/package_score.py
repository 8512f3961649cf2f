# SPDX-License-Identifier: MIT
# tests/python/api/package_score.py — scores of arrays and files from Python, beside the program's.
"""Usage: package_score.py FOLDER PROGRAM. FOLDER holds the package synthoscope."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

from package import or_skipped

with or_skipped():
    import numpy as np
    import synthoscope
    from scipy import ndimage
    from synthoscope import score

PROGRAM = os.path.abspath(sys.argv[2])
SCENE = """seed = 7
frames = 1
[grid]
size = [12, 48, 40]
pitch_nm = [300, 150, 150]
[beads]
count = 6
diameter_um = 0.6
gap_um = 0.3
[optics]
na = 1.1
size = [9, 21, 21]
"""


def blocks():
    labels = np.zeros((6, 30, 40), np.uint16)
    for i in range(6):
        y, x = 3 + 14 * (i // 3), 2 + 13 * (i % 3)
        labels[:, y:y + 8, x:x + 8] = i + 1
    return labels


class Labels(unittest.TestCase):
    def test_are_the_same_in_every_type_and_shape(self):
        truth, found = blocks(), np.roll(blocks(), 2, -1)
        wanted = score.labels(truth, found)
        for dtype in (np.uint8, np.int64, np.uint64, np.float32, np.float64):
            self.assertEqual(score.labels(truth, found.astype(dtype)), wanted)
        plane = score.labels(truth[0], found[0])
        self.assertEqual(plane.mean_ap, wanted.mean_ap)
        self.assertEqual(score.labels(truth > 0, truth > 0).truth, 1)

    def test_have_lengths_with_a_spacing(self):
        found = score.labels(blocks(), np.roll(blocks(), 1, -1), spacing_um=(1, 0.5, 0.5),
                             surfaces=True)
        self.assertEqual(found.surfaces.unit, "um")
        self.assertAlmostEqual(found.surfaces.hausdorff, 0.5)
        self.assertEqual(found.to_dict()["surfaces"]["hausdorff"], found.surfaces.hausdorff)

    def test_refuse_what_cannot_be_scored(self):
        for truth, result in ((blocks(), blocks()[0]), (blocks(), blocks() + 0.5),
                              (blocks(), np.full(blocks().shape, 2 ** 40)), (blocks()[None],) * 2):
            with self.assertRaises(ValueError):
                score.labels(truth, result)


class DataSets(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.set = os.path.join(cls.folder.name, "set")
        with open(os.path.join(cls.folder.name, "scene.toml"), "w", encoding="utf8") as file:
            file.write(SCENE)
        subprocess.run([PROGRAM, "simulate", file.name, "-o", cls.set, "--quiet"],
                       check=True, capture_output=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def printed(self, *arguments):
        answer = subprocess.run([PROGRAM, "score", *arguments, "--json"], check=True,
                                stdout=subprocess.PIPE).stdout
        return json.loads(answer)

    def test_give_the_numbers_that_the_program_prints(self):
        labels = os.path.join(self.set, "labels.ome.tif")
        printed = self.printed(self.set, labels)
        scores = score.labels(self.set, labels).to_dict()
        for name, value in printed["labels"].items():
            self.assertEqual(scores[name], value, name)
        self.assertEqual(scores["strata"], printed["strata"])

    def test_have_spots(self):
        table = os.path.join(self.set, "objects.csv")
        rows = np.genfromtxt(table, delimiter=",", names=True, dtype=None, encoding="utf8")
        places = np.stack([rows[f"centroid_{axis}_um"] for axis in "zyx"], axis=1)
        found = score.spots(self.set, places + [0, 0.02, 0])
        self.assertEqual((found.matched, found.recall), (6, 1))
        self.assertAlmostEqual(found.bias_um[1], 0.02, 6)
        self.assertEqual(score.spots(self.set, table).to_dict() | {"strata": None},
                         self.printed(self.set, table, "--kind", "spots")["spots"]
                         | {"strata": None})
        with self.assertRaises(ValueError):
            score.spots(self.set, places[:, :1])

    def test_have_images(self):
        printed = self.printed(self.set, os.path.join(self.set, "image.ome.tif"), "--kind",
                               "image")["image"]
        found = score.image(self.set, os.path.join(self.set, "image.ome.tif"))
        self.assertEqual(found.details, printed)
        self.assertEqual(found.nrmse, printed["nrmse"])

    def test_without_tracks_are_refused(self):
        with self.assertRaises(ValueError):
            score.tracks(self.set, self.set)


class Images(unittest.TestCase):
    def test_of_arrays_need_a_spacing(self):
        truth = np.random.default_rng(2).random((8, 20, 24)).astype(np.float32)
        smooth = ndimage.gaussian_filter(truth, 1)
        with self.assertRaises(ValueError):
            score.image(truth, smooth)
        found = score.image(truth, smooth, spacing_um=(0.3, 0.1, 0.1), shells=False)
        error = np.sqrt(((truth.astype(float) - smooth) ** 2).mean()
                        / (truth.astype(float) ** 2).mean())
        self.assertAlmostEqual(found.nrmse, error, 9)


assert synthoscope.score is score
unittest.main(argv=sys.argv[:1])
