# SPDX-License-Identifier: MIT
# tests/python/simulate/cli_cells.py — data sets of cells: masks of structures, spots, and tables
# that agree.
import csv
import json

import h5py
import numpy

from program import ProgramTest, main

SCENE = """
seed = 4

[grid]
size = [30, 120, 130]
pitch_nm = [300, 150, 150]

[cells]
count = 2
radius_um = 3.5
nucleus_radius_um = 1.6
mitochondria = 6
mitochondria_length_um = 2
microtubules = 10
spots = 7
spots_in = "nucleus"
filopodia = 5
filopodium_length_um = 1.5

[optics]
na = 0.8
"""


class Cells(ProgramTest):
    def setUp(self):
        super().setUp()
        self.text("scene.toml", SCENE)

    def simulate(self, folder, *options):
        return self.result_of("simulate", "scene.toml", "-o", folder, "--quiet", *options)

    def table(self, file):
        with open(self.path(file), encoding="utf-8") as rows:
            return list(csv.DictReader(rows))

    def test_have_masks_of_structures_where_they_have_labels(self):
        self.simulate("set")
        labels, structures = self.read("set/labels.ome.tif"), self.read("set/structures.ome.tif")
        self.assertEqual(structures.dtype, numpy.uint8)
        numpy.testing.assert_array_equal(structures > 0, labels > 0)
        with open(self.path("set/scene.json"), encoding="utf-8") as file:
            numbers = json.load(file)["structures"]
        self.assertEqual(set(numpy.unique(structures)) - {0},
                         {numbers[name] for name in ("filopodium", "membrane", "cytoplasm",
                                                     "nucleus", "nucleolus", "microtubule",
                                                     "mitochondrion", "spot")})
        self.assertEqual([row["class"] for row in self.table("set/objects.csv")], ["cell"] * 2)

    def test_list_their_spots(self):
        self.simulate("set", "--set", "frames=2")
        spots = self.table("set/spots.csv")
        self.assertEqual([(row["id"], row["cell"], row["frame"]) for row in spots],
                         [(str(i + 1), str(i // 7 + 1), str(i // 14)) for i in range(28)])
        pitch = numpy.array([0.3, 0.15, 0.15])
        for row in spots:
            place = tuple((numpy.array([float(row[f"{a}_um"]) for a in "zyx"]) / pitch).astype(int))
            labels = self.read(f"set/labels_t00{row['frame']}.ome.tif")
            self.assertEqual(labels[place], int(row["cell"]))
            self.assertEqual(self.read(f"set/structures_t00{row['frame']}.ome.tif")[place], 10)
            self.assertEqual(float(row["photons"]), 3000)

    def test_are_in_the_world_with_all_pieces(self):
        self.simulate("set")
        with h5py.File(self.path("set/world.h5")) as world:
            cells = world["cell"]
            self.assertEqual(list(cells["id"]), [1, 2])
            segments = cells["segment"]
            self.assertEqual(set(segments["structure"][:]), {1, 7, 8, 10})
            is_spot = segments["structure"][:] == 10
            numpy.testing.assert_allclose(
                segments["from_um"][:][is_spot],
                [[float(row[f"{a}_um"]) for a in "zyx"] for row in self.table("set/spots.csv")],
                atol=1e-6)

    def test_need_no_spots_and_no_structures_beside_nuclei_alone(self):
        self.simulate("set", "--set", "cells.spots=0")
        self.assertNotIn("spots.csv", self.files("set"))
        self.simulate("nuclei", "--set", "cells.count=0", "--set", "nuclei.count=1",
                      "--set", "nuclei.radius_um=1.5")
        self.assertFalse([file for file in self.files("nuclei") if file.startswith("structures")])

    def test_have_masks_of_structures_even_where_a_field_holds_less_than_one_cell(self):
        # As many as the density says for field and margin, but none for the field alone
        self.text("scene.toml", """
            seed = 3
            [grid]
            size = [1, 64, 64]
            pitch_nm = [300, 150, 150]
            margin_um = [4, 3, 3]
            [cells]
            density_per_mm3 = 500000
            nucleus_radius_um = 1
            radius_um = 2.5
            border = "cut"
            """)
        self.simulate("plane")
        self.assertEqual(self.read("plane/structures.ome.tif").shape, (64, 64))
        # A frame without a cell
        self.text("scene.toml", SCENE.replace("count = 2", "count = 1\ncount_spread = 1"))
        self.simulate("frames", "--set", "frames=4")
        numbers = [self.read(f"frames/structures_t{i:03}.ome.tif").max() for i in range(4)]
        self.assertIn(0, numbers)
        self.assertGreater(max(numbers), 0)

    def test_keep_their_masks_in_every_layout(self):
        self.simulate("set", "--truth-layout", "ctc")
        self.assertIn("structures_t000.ome.tif", self.files("set"))

    def test_that_cannot_be_are_refused(self):
        for key, value, words in (("cells.nucleus_radius_um", "3", "fits into a cell"),
                                  ("cells.membrane_um", "2", "a quarter"),
                                  ("cells.microtubules", "-1", "0 to 2000"),
                                  ("cells.spots_in", "\"nowhere\"", "cytoplasm")):
            run = self.command("simulate", "scene.toml", "-o", "set", "--set",
                               f"{key}={value}")
            self.assertEqual(run.returncode, 2)
            self.assertIn(key, run.stderr)
            self.assertIn(words, run.stderr)


if __name__ == "__main__":
    main()
