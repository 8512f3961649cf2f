# SPDX-License-Identifier: MIT
# tests/python/simulate/cli_planes.py — scenes whose sample is larger than what is recorded.
import csv

import numpy
import tifffile

from program import ProgramTest, main, size_in

PLANE = """seed = 7
[grid]
size = [1, 40, 48]
pitch_nm = [400, 200, 200]
margin_um = [2.4, 1.6, 0.8]
[nuclei]
count = 8
radius_um = 1.1
gap_um = 0.1
border = "cut"
[optics]
na = 0.8
immersion_index = 1.33
sample_index = 1.33
coverslip_um = 0
size = [13, 31, 31]
[background]
photons_per_pixel = 0
"""


class Planes(ProgramTest):
    def setUp(self):
        super().setUp()
        self.text("plane.toml", PLANE)

    def stack(self, path):
        return tifffile.imread(self.path(path))

    def simulate(self, folder, *options):
        return self.result_of("simulate", "plane.toml", "-o", folder, "--quiet", *options)

    def test_hold_the_light_of_the_whole_sample(self):
        self.simulate("set")
        self.succeed("phantom", "plane.toml", "-o", "light.tif", "--labels", "labels.tif",
                     "--quiet")
        light = self.stack("light.tif")
        self.assertEqual(light.shape, (13, 56, 56))  # 6 planes, 8 rows and 4 columns on each side
        self.succeed("convolve", "light.tif", "set/psf.ome.tif", "-o", "all.tif", "--quiet")
        photons = self.stack("set/photons.ome.tif")
        self.assertEqual(photons.shape, (40, 48))
        whole = self.stack("all.tif")[6, 8:48, 4:52]
        numpy.testing.assert_allclose(photons, whole, atol=3e-6 * whole.max())
        alone = light.copy()
        alone[:6] = alone[7:] = 0
        tifffile.imwrite(self.path("alone.tif"), alone)
        self.succeed("convolve", "alone.tif", "set/psf.ome.tif", "-o", "cut.tif", "--quiet")
        self.assertLess(self.stack("cut.tif")[6].sum(), 0.5 * whole.sum())
        self.assertTrue(numpy.array_equal(self.stack("labels.tif"),
                                          self.stack("set/labels.ome.tif")))

    def test_have_masks_of_the_plane_or_of_all_that_lies_above_and_below(self):
        self.simulate("section")
        self.simulate("footprint", "--set", "grid.masks=footprint")
        section, footprint = (self.stack(f"{name}/labels.ome.tif")
                              for name in ("section", "footprint"))
        self.assertTrue(numpy.array_equal(footprint[section > 0], section[section > 0]))
        self.assertGreater((footprint > 0).sum(), 1.3 * (section > 0).sum())
        with open(self.path("footprint/objects.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            self.assertEqual(int(row["voxels"]), int((footprint == int(row["id"])).sum()))
        self.assertTrue(any(float(row["centroid_z_um"]) < 0 for row in rows))
        self.assertTrue(numpy.array_equal(self.stack("section/photons.ome.tif"),
                                          self.stack("footprint/photons.ome.tif")))

    def test_are_shared_by_processes_and_repeated_from_their_record(self):
        self.simulate("set")
        for share in ("1/2", "2/2"):
            self.succeed("simulate", "plane.toml", "-o", "parts", "--quiet", "--shard", share)
        self.succeed("simulate", "set/scene.json", "-o", "again", "--quiet")
        for other in ("parts", "again"):
            for name in ("labels", "image"):
                self.assertTrue(numpy.array_equal(self.stack(f"{other}/{name}.ome.tif"),
                                                  self.stack(f"set/{name}.ome.tif")), other)

    def test_are_whole_without_their_photons(self):
        self.simulate("all", "--set", "frames=2")
        without = ("--no-photons", "--set", "frames=2")
        self.simulate("set", *without)
        self.assertEqual(sorted(self.files("set")), [name for name in sorted(self.files("all"))
                                                     if not name.startswith("photons")])
        for name in ("objects.csv", "preview.png"):
            self.assertEqual(self.files("set")[name], self.files("all")[name])
        self.assertIs(self.simulate("set", "--resume", *without).get("kept"), True)
        for share in ("1/2", "2/2"):
            self.succeed("simulate", "plane.toml", "-o", "parts", "--quiet", *without, "--shard",
                         share)
        self.assertEqual(sorted(self.files("parts")), sorted(self.files("set")))
        self.succeed("show", "set", "-o", "set.png")
        result = self.command("report", "set", "-o", "set.html")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("simulate it again without --no-photons", result.stderr)

    def test_are_refused_with_what_is_accepted(self):
        for key, said in (
                ("grid.margin_um=-1,0,0", "grid.margin_um is -1; give 0 to 1e6 (um)"),
                ("grid.margin_um=1e6,0,0", "an axis has at most 1048576"),
                ("grid.margin_um=2", "grid.margin_um"),
                ("grid.masks=outline", '"section" or "footprint"'),
                ("nuclei.count_spread=1.5", "nuclei.count_spread is 1.5; give 0 to 1"),
        ):
            result = self.command("simulate", "plane.toml", "-o", "no", "--set", key)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(said, result.stderr)
        result = self.command("simulate", "plane.toml", "-o", "no", "--set", "grid.masks=footprint",
                              "--set", "grid.size=3,40,48")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("a footprint is that of one plane", result.stderr)
        self.assertNotIn("no", self.listing())

    def test_take_no_more_memory_than_is_named(self):
        large = ("--set", "grid.size=1,400,500", "--set", "grid.masks=footprint", "--threads", "1")
        refused = self.command("simulate", "plane.toml", "-o", "no", "--memory", "9M", *large)
        self.assertEqual(refused.returncode, 5, refused.stderr)
        self.simulate("set", "--memory", str(size_in(refused.stderr)), *large)


if __name__ == "__main__":
    main()
