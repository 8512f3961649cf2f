# SPDX-License-Identifier: MIT
# tests/python/simulate/cli_beads.py — a PSF from an image of beads, and what `measure` tells of
# PSFs.
import csv
import os

from program import ProgramTest, main, numpy, random_volume

USAGE, INPUT, MEMORY = 2, 3, 5
OPTICS = """[optics]
model = "gibson-lanni"
na = 1.1
immersion_index = 1.333
sample_index = 1.333
coverslip_um = 0
wavelength_nm = 520
"""
SCENE = """seed = 3
[grid]
size = [32, 220, 220]
pitch_nm = [250, 100, 100]
[beads]
count = 24
diameter_um = 0.05
diameter_spread = 0
photons = 20000
gap_um = 0.2
[background]
photons_per_pixel = 5
[camera]
kind = "scmos"
""" + OPTICS


class Beads(ProgramTest):

    def setUp(self):
        super().setUp()
        self.text("scene.toml", SCENE)
        # Bodies between voxels: each voxel adds up the light of its parts
        self.succeed("simulate", "scene.toml", "-o", "set", "--set", "optics.oversample=3")

    def widths(self, file, *options):
        return self.result_of("measure", file, *options)["fwhm_um"]

    def test_have_the_psf_that_made_them(self):
        result = self.result_of("psf", "--from-beads", "set/image.ome.tif", "-o", "psf.ome.tif",
                                "--bead-um", "0.05", "--table", "beads.csv", "--spread", "sd.tif")
        self.succeed("psf", "scene.toml", "--pixel-integration", "on", "-o", "true.ome.tif")
        numpy.testing.assert_allclose(result["fwhm_um"],
                                      self.widths("true.ome.tif", "--background", "none"),
                                      rtol=0.02)
        numpy.testing.assert_allclose(self.widths("psf.ome.tif"), result["fwhm_um"], rtol=0.02)
        psf = self.read("psf.ome.tif")
        self.assertEqual(list(psf.shape), list(self.read("sd.tif").shape))
        self.assertAlmostEqual(psf[len(psf) // 2].sum(), 1, delta=1e-4)

        # Every bead is in the table, and those that touch or leave the image are refused
        with open(self.path("beads.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        with open(self.path("set/objects.csv"), encoding="utf-8") as file:
            true = [[float(row[f"centroid_{axis}_um"]) for axis in "zyx"]
                    for row in csv.DictReader(file)]
        pitch, window = numpy.array([0.25, 0.1, 0.1]), numpy.array(psf.shape)
        used = [row for row in rows if row["used"] == "1"]
        self.assertEqual(len(used), result["used"])
        self.assertGreater(len(used), 5)
        for row in used:
            place = numpy.array([float(row[f"{axis}_um"]) for axis in "zyx"])
            # A bead at the middle of the first voxel is at half a pitch from the corner
            apart = numpy.abs(numpy.array(true) - (place + pitch / 2)) / pitch
            inside = (apart <= window / 2).all(axis=1)
            self.assertEqual(inside.sum(), 1, row)
            # The scene places light in whole planes, and in thirds of pixels
            self.assertTrue((apart[inside][0] < [0.7, 0.4, 0.4]).all(), row)
        self.assertEqual({row["refused"] == "" for row in used}, {True})

        # It blurs a scene as any measured PSF
        self.succeed("psf", "--model", "file", "--file", "psf.ome.tif", "-o", "again.tif",
                     "--voxel-um", "0.25,0.1,0.1")

    def test_of_little_light_have_that_width_too(self):
        self.succeed("simulate", "scene.toml", "-o", "dim", "--set", "optics.oversample=3",
                     "--set", "illumination.snr=8")
        result = self.result_of("psf", "--from-beads", "dim/image.ome.tif", "-o", "dim.ome.tif",
                                "--bead-um", "0.05")
        self.succeed("psf", "scene.toml", "--pixel-integration", "on", "-o", "true.ome.tif")
        true = self.widths("true.ome.tif", "--background", "none")
        numpy.testing.assert_allclose(result["fwhm_um"], true, rtol=0.03)
        numpy.testing.assert_allclose(self.widths("dim.ome.tif"), true, rtol=0.04)

    def test_are_told_from_one_bead(self):
        self.assertIn("several beads", self.command("measure", "set/image.ome.tif").stderr)
        said = self.command("psf", "--model", "file", "--file", "set/image.ome.tif", "-o", "a.tif",
                            "--voxel-um", "0.25,0.1,0.1", "--file-background", "auto", "--size",
                            "15,31,31").stderr
        self.assertIn("psf --from-beads", said)

    def test_keep_their_promise_of_memory(self):
        command = ("psf", "--from-beads", "set/image.ome.tif", "-o", "psf.tif", "--threads", "2")
        result = self.command(*command, "--memory", "1M")
        self.assertEqual(result.returncode, MEMORY, result.stderr)
        self.assertFalse(os.path.exists(self.path("psf.tif")))

    def test_refuse_what_does_not_fit(self):
        beads = ("psf", "--from-beads", "set/image.ome.tif", "-o", "p.tif")
        for code, said, words in (
                (USAGE, "beads are measured", (*beads, "--na", "1.2")),
                (USAGE, "a scene", ("psf", "scene.toml", *beads[1:])),
                (USAGE, "with --from-beads", ("psf", "--na", "1", "-o", "p.tif", "--bead-um", "1")),
                (USAGE, "from 0 to 100", (*beads, "--bead-um", "-1")),
                (USAGE, "three odd numbers", (*beads, "--size", "10,21,21")),
                (USAGE, "more than 8 voxels", (*beads, "--bead-um", "2")),
                (INPUT, "none of ", (*beads, "--size", "31,201,201")),
                (INPUT, "no spot stands out", ("psf", "--from-beads", "noise.tif", "-o", "p.tif",
                                               "--voxel-um", "0.2,0.1,0.1")),
                (USAGE, "size of its voxels", ("measure", "plain.tif")),
                (USAGE, "both --na and", ("measure", "set/psf.ome.tif", "--na", "1.1")),
                (USAGE, "no ideal PSF", ("measure", "set/psf.ome.tif", "--model", "file")),
                (INPUT, "voxels are zero", ("measure", "zeros.tif", "--voxel-um", "1"))):
            with self.subTest(words):
                self.plain_files()
                result = self.command(*words)
                self.assertEqual(result.returncode, code, result.stderr)
                self.assertIn(said, result.stderr)
                self.assertFalse(os.path.exists(self.path("p.tif")))

    def plain_files(self):
        self.write("plain.tif", numpy.ones((5, 9, 9), "f4"))
        self.write("noise.tif", random_volume((8, 40, 40), 3))
        self.write("zeros.tif", numpy.zeros((5, 9, 9), "f4"))

    def test_measure_tells_the_strehl_ratio(self):
        lens = ("--na", "1.1", "--wavelength-nm", "520", "--immersion-index", "1.333")
        for name, terms, least, most in (("sharp", (), 0.97, 1.03),
                                         ("blurred", ("--zernike", "11:0.1"), 0.5, 0.8)):
            self.succeed("psf", "scene.toml", "-o", f"{name}.ome.tif", "--pixel-integration", "on",
                         *terms)
            strehl = self.result_of("measure", f"{name}.ome.tif", "--background", "none",
                                    *lens)["strehl"]
            self.assertTrue(least < strehl < most, (name, strehl))
        # exp(-(2 pi rms)^2), Marechal's approximation: 0.67 for a tenth of a wave
        self.assertIn("Strehl", self.succeed("measure", "blurred.ome.tif", *lens))


if __name__ == "__main__":
    main()
