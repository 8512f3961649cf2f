# SPDX-License-Identifier: MIT
# tests/python/simulate/cli_stripes.py — raw images of structured illumination have the stripes that
# pattern.csv says.
import csv

import numpy

from program import ProgramTest, main

SCENE = """
seed = 6
frames = 6

[grid]
size = [3, 96, 90]
pitch_nm = [300, 90, 100]

[time]
interval_seconds = 1

[nuclei]
count = 2
radius_um = 1.5
border = "cut"

[background]
photons_per_pixel = 0

[pattern]
kind = "KIND"
period_nm = 400
angles = 2
first_angle_degrees = 20
first_phase_degrees = 50

[optics]
na = 0.9
immersion_index = 1.33
"""


class Stripes(ProgramTest):
    def simulate(self, kind, folder, *options):
        self.text("scene.toml", SCENE.replace("KIND", kind))
        return self.result_of("simulate", "scene.toml", "-o", folder, "--quiet", *options)

    def table(self, file):
        with open(self.path(file), encoding="utf-8") as rows:
            return list(csv.DictReader(rows))

    def photons(self, folder):
        return [self.read(f"{folder}/photons_t{frame:03}.ome.tif").astype(float)
                for frame in range(6)]

    def test_are_where_the_table_says(self):
        self.simulate("two-beam", "set")
        rows, raw = self.table("set/pattern.csv"), self.photons("set")
        self.assertEqual([(row["angle"], row["phase"]) for row in rows],
                         [("0", "0"), ("0", "1"), ("0", "2"), ("1", "0"), ("1", "1"), ("1", "2")])
        y = (numpy.arange(96) + 0.5 - 48) * 0.09
        x = (numpy.arange(90) + 0.5 - 45) * 0.1
        for angle in (0, 3):
            # Phases take the light apart; of order 1 what is left is as wide as the nuclei
            phases = numpy.radians([float(row["phase_degrees"]) for row in rows[angle:angle + 3]])
            mixed = [[1, numpy.exp(1j * p), numpy.exp(-1j * p)] for p in phases]
            orders = numpy.tensordot(numpy.linalg.inv(mixed), raw[angle:angle + 3], 1)
            ky, kx = (float(rows[angle][key]) for key in ("ky_per_um", "kx_per_um"))
            self.assertAlmostEqual(numpy.hypot(ky, kx), 1 / 0.4, places=6)
            wave = numpy.exp(-2j * numpy.pi * (ky * y[:, None] + kx * x))
            first = (orders[1] * wave).sum()
            self.assertLess(abs(numpy.angle(first)), 0.05)
            self.assertGreater(abs(first), 0.05 * abs(orders[0].sum()))

    def test_of_all_frames_are_in_the_table_of_each_part(self):
        self.simulate("two-beam", "set")
        self.simulate("two-beam", "part", "--frames", "2-3")
        self.assertEqual(self.table("part/pattern.csv"), self.table("set/pattern.csv"))

    def test_add_up_to_even_light(self):
        self.simulate("two-beam", "striped")
        self.simulate("none", "even")
        self.assertNotIn("pattern.csv", self.files("even"))
        raw, even = self.photons("striped"), self.photons("even")[0]
        for angle in (0, 3):
            numpy.testing.assert_allclose(sum(raw[angle:angle + 3]) / 3, even, rtol=0,
                                          atol=1e-5 * even.max())

    def test_of_three_beams_need_five_phases(self):
        self.simulate("three-beam", "set")
        self.assertEqual([row["phase"] for row in self.table("set/pattern.csv")],
                         ["0", "1", "2", "3", "4", "0"])
        self.assertEqual({row["axial_per_um"] for row in self.table("set/pattern.csv")},
                         {f"{1.33 / 0.488 * (1 - (1 - (0.488 / 2 / 1.33 / 0.4) ** 2) ** 0.5):.9g}"})

    def test_of_a_scanned_spot_are_refused(self):
        self.text("scene.toml", SCENE.replace("KIND", "two-beam"))
        said = self.command("simulate", "scene.toml", "-o", "set", "--set",
                            "optics.model=confocal")
        self.assertEqual(said.returncode, 2)
        self.assertIn("pattern.kind", said.stderr)


if __name__ == "__main__":
    main()
