# SPDX-License-Identifier: MIT
# tests/python/simulate/cli_varying.py — PSFs that vary over the volume, as a user meets them: the
# image is the sum of blurs by the files that are stored, whatever memory there is.
import json

import numpy
import scipy.signal

from program import ProgramTest, main, size_in

SCENE = """
seed = 6
[grid]
size = [24, 40, 44]
pitch_nm = [300, 120, 120]
[beads]
count = 9
diameter_um = 0.4
gap_um = 0.1
[background]
photons_per_pixel = 0
[optics]
na = 1.3
sample_index = 1.38
depth_um = 1
depth_varying = true
cover_glass = "below"
reference_error = 0.03
"""
SHEET = """
model = "light-sheet"
sheet_waist_um = 0.5
sheet_along = "x"
"""


class Varying(ProgramTest):
    def simulate(self, folder, *options):
        self.text("scene.toml", SCENE)
        return self.result_of("simulate", "scene.toml", "-o", folder, "--quiet", *options)

    def references(self, folder):
        return json.loads(self.files(folder)["scene.json"])["blur"]["references"]

    def test_image_is_the_sum_of_blurs_by_the_stored_psfs(self):
        self.simulate("set")
        self.result_of("phantom", "scene.toml", "-o", "light.ome.tif", "--quiet")
        light = self.read("light.ome.tif").astype(float)
        depths = numpy.array([row["depth_um"] for row in self.references("set")])
        self.assertGreater(len(depths), 2)
        of_planes = 1 + (numpy.arange(24) + 0.5) * 0.3
        total = 0
        for i, row in enumerate(numpy.eye(len(depths))):
            weight = numpy.interp(of_planes, depths, row)
            psf = self.read(f"set/psf.ref{i + 1:02}.ome.tif").astype(float)
            total = total + scipy.signal.fftconvolve(light * weight[:, None, None], psf, "same")
        found = self.read("set/photons.ome.tif")
        # scene.json rounds depths to nanometres
        numpy.testing.assert_allclose(found, total, rtol=0, atol=1e-4 * total.max())

    def test_fits_the_least_memory_that_is_named(self):
        self.simulate("roomy")
        said = self.command("simulate", "scene.toml", "-o", "none", "--memory", "1M")
        self.assertEqual(said.returncode, 5, said.stderr)
        least = size_in(said.stderr)
        self.simulate("tight", "--memory", least)
        roomy, tight = (self.read(f"{folder}/photons.ome.tif") for folder in ("roomy", "tight"))
        numpy.testing.assert_allclose(tight, roomy, rtol=0, atol=1e-5 * roomy.max())
        self.assertEqual(sorted(self.files("tight")), sorted(self.files("roomy")))

    def test_says_how_many_and_why(self):
        self.text("scene.toml", SCENE)
        said = self.command("simulate", "scene.toml", "--dry-run")
        self.assertIn("the PSF varies with depth: ", said.stdout)
        self.assertIn(" blurs are added up", said.stdout)
        result = self.simulate("set")
        self.assertEqual(result["psfs"], len(self.references("set")))
        kept = self.result_of("simulate", "scene.toml", "-o", "set", "--quiet", "--resume")
        self.assertTrue(kept["kept"])
        self.simulate("set", "--overwrite", "--set", "optics.depth_varying=false")
        self.assertIn("psf.ome.tif", self.files("set"))
        self.assertNotIn("psf.ref01.ome.tif", self.files("set"))

    def test_sheet_dims_where_it_is_thick(self):
        self.text("sheet.toml", SCENE.replace("depth_varying = true", "depth_varying = false")
                  .replace("na = 1.3", "na = 0.8") + SHEET)
        self.result_of("simulate", "sheet.toml", "-o", "set", "--quiet")
        rows = self.references("set")
        radii = [row["sheet_radius_um"] for row in rows]
        self.assertAlmostEqual(radii[0], 0.5, places=3)
        self.assertEqual(radii, sorted(radii))
        focus = [self.read(f"set/psf.ref{i + 1:02}.ome.tif")[23].sum() for i in range(len(rows))]
        numpy.testing.assert_allclose(focus, focus[0] * radii[0] / numpy.array(radii), rtol=0.02)

    def test_sheet_without_light_in_its_window_is_refused(self):
        self.text("sheet.toml", SCENE.replace("depth_varying = true", "depth_varying = false") +
                  SHEET + "size = [9, 15, 15]\nshift_nm = [50000, 0, 0]\n")
        for divisor in ("peak", "sum"):
            said = self.command("simulate", "sheet.toml", "-o", "set", "--set",
                                f"optics.normalization={divisor}")
            self.assertEqual(said.returncode, 2, said.stderr)
            self.assertIn("optics.size of 9x15x15 with optics.shift_nm [50000, 0, 0] contains no "
                          "light; choose a smaller shift", said.stderr)
            self.assertEqual(self.listing(), ["sheet.toml"])

    def test_what_does_not_go_together_is_refused(self):
        self.text("scene.toml", SCENE)
        for key, value, told in (("optics.model", "gaussian", "depth_varying is true"),
                                 ("optics.axial_origin", "nominal", "leave the axial origin out"),
                                 ("optics.sheet_along", "x", "sheet_along is x"),
                                 ("optics.reference_error", "0", "give 0.0005 to 0.5"),
                                 ("optics.cover_glass", "left", 'give "above" or "below"')):
            said = self.command("simulate", "scene.toml", "-o", "set", "--set", f"{key}={value}")
            self.assertEqual(said.returncode, 2, said.stderr)
            self.assertIn(told, said.stderr)


if __name__ == "__main__":
    main()
