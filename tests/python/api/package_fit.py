# SPDX-License-Identifier: MIT
# tests/python/api/package_fit.py — twins of images from Python, beside those of the program.
"""Usage: package_fit.py FOLDER PROGRAM. FOLDER holds the package synthoscope."""
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
    import tifffile

PROGRAM = os.path.abspath(sys.argv[2])
SPACING = (1, 0.3, 0.3)
QUICK = {"stages": ["camera"], "evidence": 0}


def recorded():
    """Counts of bright discs, and their labels."""
    y, x = np.mgrid[:96, :96]
    labels = np.zeros((96, 96), np.uint16)
    for number, (row, column) in enumerate([(24, 24), (24, 70), (70, 30), (70, 70)], 1):
        labels[np.hypot(y - row, x - column) < 9 + number] = number
    electrons = np.random.default_rng(1).poisson(50.0 + 150.0 * (labels > 0))
    return (100 + 2 * electrons).astype(np.uint16), labels


class Fit(unittest.TestCase):
    def test_returns_a_scene_and_what_it_was_found_from(self):
        image, labels = recorded()
        scene, evidence = synthoscope.fit(image, labels=labels, spacing_um=SPACING,
                                          known={"camera.offset_dn": 100}, **QUICK)
        self.assertEqual(scene.shape, (1, 96, 96))
        self.assertEqual(scene["camera.offset_dn"], 100)
        self.assertEqual(evidence.places, [])
        self.assertIn("<html", evidence.page)
        again = synthoscope.Scene.from_toml(evidence.scene_toml)
        self.assertEqual(again["camera"], scene["camera"])
        with self.assertRaises(KeyError):
            evidence["no.such"]

    def test_gives_the_estimates_of_the_program(self):
        image, _ = recorded()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "real.tif")
            tifffile.imwrite(path, image)
            printed = subprocess.run(
                [PROGRAM, "fit", path, "--voxel-um", "1,0.3,0.3", "--stages", "camera",
                 "--evidence", "0", "-o", os.path.join(folder, "twin"), "--json", "--quiet"],
                check=True, stdout=subprocess.PIPE, text=True).stdout
            _, of_file = synthoscope.fit(path, spacing_um=SPACING, **QUICK)
        stage, = json.loads(printed)["stages"]
        _, of_array = synthoscope.fit(image, spacing_um=SPACING, **QUICK)
        for evidence in (of_file, of_array):
            self.assertEqual([one.value for one in evidence.estimates],
                             [one["value"] for one in stage["estimates"]])

    def test_refuses_what_it_cannot_use(self):
        image, labels = recorded()
        for words, images, options in (
            ("pixels are", image, {}),
            ("shape of an image", np.zeros((2, 3, 4, 5)), {"spacing_um": SPACING}),
            ("number of images is 1", image, {"labels": [labels, labels], "spacing_um": SPACING}),
            ("no stage", image, {"stages": ["shape"], "spacing_um": SPACING}),
            ("above 0", image, {"seconds": 0, "spacing_um": SPACING}),
            ("0 or more", image, {"evidence": -1, "spacing_um": SPACING}),
            ("are 3", np.full((32, 32), 3, np.uint8), {"spacing_um": SPACING}),
        ):
            with self.subTest(words=words), self.assertRaisesRegex(ValueError, words):
                synthoscope.fit(images, **{**QUICK, **options})


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
