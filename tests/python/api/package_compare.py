# SPDX-License-Identifier: MIT
# tests/python/api/package_compare.py — real and synthetic images compared from Python, beside the
# program's numbers.
"""Usage: package_compare.py FOLDER PROGRAM. FOLDER holds the package synthoscope."""
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
    from scipy import ndimage

PROGRAM = os.path.abspath(sys.argv[2])


def field(seed, coarse=2.0):
    """A bright disc with a grain, on a dark field."""
    draw = np.random.default_rng(seed)
    y, x = np.mgrid[:144, :144]
    grain = ndimage.gaussian_filter(draw.normal(size=(144, 144)), coarse)
    disc = np.hypot(y - 72, x - 72) < 60
    image = 1000 * (0.1 + disc * (1 + 0.2 * grain / grain.std()))
    image = ndimage.gaussian_filter(image, 1) + 20 * draw.normal(size=(144, 144))
    return image.astype(np.float32)


class Compare(unittest.TestCase):
    def test_tells_kinds_apart_and_says_by_what(self):
        synthetic = [field(i, 3.5) for i in range(20)]
        with self.assertWarnsRegex(UserWarning, "how large its pixels are"):
            other = synthoscope.compare(field(50), synthetic, where="inside")
        self.assertEqual(other.forest.place, "above")
        self.assertIn("better than", other.verdict)
        self.assertTrue(other.statistics[0]["gives_away"])
        self.assertIn("<svg", other.page)
        same = synthoscope.compare([field(60, 3.5), field(61, 3.5)], synthetic, where="inside",
                                   spacing_um=(1, 0.1, 0.1))
        self.assertEqual((same.forest.place, same.logistic.place), ("inside", "inside"))
        self.assertEqual(same.details["real"]["pixel_um"], 0.1)

    def test_gives_the_numbers_of_the_program_for_files_and_arrays(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for i in range(4):
                paths.append(os.path.join(folder, f"{i}.tif"))
                tifffile.imwrite(paths[-1], field(i), photometric="minisblack")
            said = json.loads(subprocess.run(
                [PROGRAM, "compare", paths[0], paths[1], "--more-synthetic", *paths[2:], "--json",
                 "--quiet"], check=True, capture_output=True, text=True).stdout)
            with self.assertWarns(UserWarning):
                found = synthoscope.compare(paths[0], paths[1:])
            said.pop("warnings")
            self.assertEqual(found.details, said)
        with self.assertWarns(UserWarning):
            arrays = synthoscope.compare(field(0), [field(i) for i in (1, 2, 3)], workers=1)
        self.assertEqual(arrays.energy, found.energy)
        self.assertEqual(arrays.statistics, found.statistics)

    def test_labels_choose_the_objects(self):
        mask = np.zeros((144, 144), bool)
        mask[20:76, 20:76] = True
        images = [field(i) for i in range(3)]
        found = synthoscope.compare(images[0], images[1:], where="inside", labels_real=mask,
                                    labels_synthetic=[mask, mask], spacing_um=(1, 1, 1))
        self.assertEqual(found.details["objects"], "labels")
        self.assertEqual(found.details["real"]["patches"], 9)

    def test_refuses_what_cannot_be_compared(self):
        image = field(1)
        for words, arguments, options in (
                ("shape", (image[0], [image]), {}),
                ("no images", ([], [image]), {}),
                ("inside, edge or all", (image, [image]), {"where": "outside"}),
                ("16 to 256", (image, [image]), {"patch": 4}),
                ("1 images and 2 label images", (image, [image]),
                 {"labels_real": [image, image], "labels_synthetic": image}),
                ("labels of the synthetic images", (image, [image]), {"labels_real": image}),
                ("NaN", (image * np.nan, [image]), {}),
        ):
            with self.subTest(words=words), self.assertRaisesRegex(ValueError, words):
                synthoscope.compare(*arguments, **options)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
