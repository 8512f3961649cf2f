# SPDX-License-Identifier: MIT
# tests/python/simulate/cli_simulate.py — `simulate`, `psf` and `detect` agree with each other.
import csv
import json
import math
import os
import re
import signal

import numpy
import scipy.signal

from held_run import HeldTest, needs_held_runs
from program import ProgramTest, main

SCENE = """seed = 7
[grid]
size = [12, 48, 40]
pitch_nm = [300, 150, 150]
[nuclei]
count = 2
radius_um = 1.1
gap_um = 0.1
[background]
photons_per_pixel = 3
[optics]
na = 1.1
size = [9, 21, 21]
"""
USAGE = 2
FILES = ["image.ome.tif", "labels.ome.tif", "objects.csv", "photons.ome.tif", "preview.png",
         "psf.ome.tif", "scene.json", "scene.toml", "world.h5"]


class Simulate(HeldTest):

    def setUp(self):
        super().setUp()
        self.text("scene.toml", SCENE)

    def simulate(self, folder, *options):
        return self.result_of("simulate", "scene.toml", "-o", folder, "--quiet", *options)

    def bytes_of(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def objects(self, folder):
        with open(self.path(f"{folder}/objects.csv"), encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_writes_images_with_their_truth(self):
        result = self.simulate("out")
        self.assertEqual(sorted(os.listdir(self.path("out"))), FILES)
        labels, counts = self.read("out/labels.ome.tif"), self.read("out/image.ome.tif")
        self.assertEqual((labels.shape, labels.dtype), ((12, 48, 40), "uint16"))
        self.assertEqual((counts.shape, counts.dtype), ((12, 48, 40), "uint16"))
        self.assertEqual(set(numpy.unique(labels)), {0, 1, 2})
        with open(self.path("out/objects.csv"), encoding="utf-8") as file:
            objects = list(csv.DictReader(file))
        self.assertEqual([row["id"] for row in objects], ["1", "2"])
        self.assertEqual((result["objects"], result["seed"]), (2, 7))
        with open(self.path("out/scene.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["scene"]["seed"], 7)

    def test_gives_the_same_bytes_for_any_number_of_threads(self):
        self.simulate("one", "--threads", 1)
        self.simulate("three", "--threads", 3)
        for name in FILES:
            self.assertEqual(self.bytes_of(f"one/{name}"), self.bytes_of(f"three/{name}"), name)

    def test_gives_other_images_for_other_seeds(self):
        self.simulate("one")
        self.simulate("other", "--seed", 8)
        self.assertNotEqual(self.bytes_of("one/labels.ome.tif"),
                            self.bytes_of("other/labels.ome.tif"))

    def test_draws_and_records_a_seed_that_gives_the_same_images_again(self):
        self.text("scene.toml", SCENE.replace("seed = 7\n", ""))
        drawn = self.simulate("one")["seed"]
        self.assertNotEqual(drawn, self.simulate("other")["seed"])
        self.simulate("again", "--seed", drawn)
        self.assertEqual(self.bytes_of("one/image.ome.tif"), self.bytes_of("again/image.ome.tif"))

    def test_records_exactly_what_detect_makes_of_its_photons(self):
        self.simulate("out")
        self.text("camera.toml", self.succeed("simulate", "scene.toml", "--print-config"))
        self.succeed("detect", "out/photons.ome.tif", "--camera", "camera.toml", "--seed", 7, "-o",
                     "counts.tif")
        numpy.testing.assert_array_equal(self.read("counts.tif"), self.read("out/image.ome.tif"))

    def test_uses_the_psf_that_psf_writes(self):
        self.simulate("out")
        self.succeed("psf", "scene.toml", "-o", "psf.tif")
        psf = self.read("psf.tif")
        numpy.testing.assert_array_equal(psf, self.read("out/psf.ome.tif"))
        self.assertEqual(psf.shape, (9, 21, 21))
        self.assertEqual(self.result_of("info", "psf.tif")["kernel_center"], [4, 10, 10])

    def test_photons_are_those_of_the_phantom_spread_by_the_psf(self):
        self.simulate("out", "--set", "nuclei.texture_contrast=0")
        photons = self.read("out/photons.ome.tif").astype(float) - 3
        inside = self.read("out/labels.ome.tif") > 0
        blurred = scipy.signal.fftconvolve(inside.astype(float),
                                           self.read("out/psf.ome.tif").astype(float), mode="same")
        correlation = numpy.corrcoef(photons.ravel(), blurred.ravel())[0, 1]
        self.assertGreater(correlation, 0.999)

    def test_collects_as_much_light_as_the_aperture_takes_only_when_asked(self):
        """Nuclei in water, whose light an objective of small aperture takes little of."""
        taken = {}
        for na in (0.3, 0.75, 1.2):
            options = ("--set", f"optics.na={na}", "--set", "optics.size=[1, 3, 3]", "--set",
                       "optics.immersion_index=1.33", "--set", "optics.normalization=sum")
            of_all = self.simulate(f"all-{na}", *options)["photons"]
            light = self.simulate(f"aperture-{na}", *options, "--set",
                                  "optics.collection=aperture")["photons"]
            # The cone's height on a unit sphere, of its diameter
            part = (1 - math.cos(math.asin(na / 1.33))) / 2
            self.assertEqual(of_all["collected"], of_all["emitted"])
            self.assertAlmostEqual(light["emitted"] / of_all["emitted"], 1, places=6)
            self.assertAlmostEqual(light["collected"] / of_all["collected"] / part, 1, places=6)
            for folder in ("all", "aperture"):
                taken[folder, na] = self.read(f"{folder}-{na}/photons.ome.tif").astype(float) - 3
            ratio = taken["aperture", na].sum() / taken["all", na].sum()
            self.assertAlmostEqual(ratio / part, 1, places=3)
            numpy.testing.assert_array_equal(self.read(f"all-{na}/psf.ome.tif"),
                                             self.read(f"aperture-{na}/psf.ome.tif"))
        lowest = taken["aperture", 0.3].sum()
        self.assertAlmostEqual(taken["aperture", 0.75].sum() / lowest, 6.75, delta=0.05)
        self.assertAlmostEqual(taken["aperture", 1.2].sum() / lowest, 22.06, delta=0.1)

    def test_says_whether_its_light_is_what_is_emitted_or_collected(self):
        for collection, said in (("all", "photons collected; compared"),
                                 ("aperture", "photons emitted, ")):
            result = self.command("simulate", "scene.toml", "-o", collection, "--set",
                                  f"optics.collection={collection}")
            self.assertIn(said, result.stdout)
        self.assertIn("(21.9 %) collected by the aperture", result.stdout)  # 1.1 in 1.33

    def test_tells_the_signal_to_noise_of_each_object(self):
        # Pixels that are alike, so that exposures with other seeds have the same camera
        self.text("camera.toml", "read_noise_electrons = 3\nread_noise_spread = 0\n"
                                 "gain_spread = 0\noffset_spread_dn = 0\nexposure_seconds = 1\n")
        plain = [word for key in ("read_noise_electrons=3", "read_noise_spread=0", "gain_spread=0",
                                  "offset_spread_dn=0", "exposure_seconds=1")
                 for word in ("--set", f"camera.{key}")]
        result = self.simulate("out", *plain)
        photons, labels = (self.read(f"out/{name}.ome.tif") for name in ("photons", "labels"))
        # The defaults of sCMOS: quantum efficiency 0.85, 1.03 e-/s, 2 DN/e-
        electrons = 0.85 * photons.astype(float) + 1.03
        ratio = 2 * 0.85 * (photons - 3.0) / numpy.sqrt(4 * (electrons + 9) + 1 / 12)
        told = [float(row["snr"]) for row in self.objects("out")]
        expected = [ratio[labels == label].mean() for label in (1, 2)]
        numpy.testing.assert_allclose(told, expected, rtol=1e-3)
        self.assertAlmostEqual(result["snr"]["median"], numpy.median(expected), delta=1e-3)
        self.assertIn("signal to noise: ", self.succeed("simulate", "scene.toml", "-o", "said"))

        # The same from what the camera records
        exposures = []
        for seed in range(60):
            self.succeed("detect", "out/photons.ome.tif", "--camera", "camera.toml", "-o",
                         "one.tif", "--overwrite", "--seed", seed, "--quiet")
            exposures.append(self.read("one.tif").astype(float))
        dark = 100 + 2 * (0.85 * 3 + 1.03)
        measured = (numpy.mean(exposures, 0) - dark) / numpy.std(exposures, 0, ddof=1)
        for label, value in zip((1, 2), told):
            # The mean of 1 / sd is larger than 1 / mean sd: by 3 / (4 n) of 60 exposures
            self.assertAlmostEqual(measured[labels == label].mean() / value, 1 + 3 / 240,
                                   delta=0.01)

    def test_finds_the_dose_of_a_signal_to_noise_ratio(self):
        result = self.simulate("out", "--set", "illumination.snr=4")
        self.assertAlmostEqual(result["snr"]["median"], 4, delta=0.004)
        given = self.simulate("given", "--set", f"illumination.dose={result['snr']['dose']}")
        self.assertIsNone(given["snr"]["dose"])
        for file in ("image.ome.tif", "photons.ome.tif"):
            numpy.testing.assert_array_equal(self.read(f"out/{file}"), self.read(f"given/{file}"))
        self.assertEqual(self.bytes_of("out/objects.csv"), self.bytes_of("given/objects.csv"))

        # The set runs again, is known to be complete, and is found by a sweep
        self.succeed("simulate", "out/scene.toml", "-o", "again")
        self.assertEqual(self.bytes_of("again/image.ome.tif"), self.bytes_of("out/image.ome.tif"))
        self.assertIn("already complete", self.succeed(
            "simulate", "scene.toml", "-o", "out", "--resume", "--set", "illumination.snr=4"))
        self.text("sweep.toml", SCENE + "[sweep]\nsnr = [2, 8]\n")
        self.succeed("simulate", "sweep.toml", "-o", "sets")
        for snr in (2, 8):
            told = [float(row["snr"]) for row in self.objects(f"sets/snr-{snr}")]
            self.assertAlmostEqual(numpy.median(told) / snr, 1, delta=1e-3)

    def test_draws_a_picture_of_doses(self):
        said = self.command("simulate", "scene.toml", "--doses", "0.1,1", "-o", "doses.png").stdout
        self.assertEqual(len(re.findall("dose .*: signal to noise", said)), 2)
        self.assertGreater(os.path.getsize(self.path("doses.png")), 5000)
        rows = self.result_of("simulate", "scene.toml", "--doses", "0.1,1", "-o", "doses.png",
                              "--overwrite")["doses"]
        told = [float(row["snr"]) for row in self.objects_at_dose(1)]
        self.assertAlmostEqual(rows[1]["snr"]["median"] / numpy.median(told), 1, delta=1e-3)
        self.assertEqual(sorted(os.listdir(self.path("."))), ["doses.png", "one", "scene.toml"])

    def objects_at_dose(self, dose):
        self.simulate("one", "--set", f"illumination.dose={dose}")
        return self.objects("one")

    def test_refuses_doses_and_ratios_that_cannot_be(self):
        self.text("sweep.toml", SCENE + "[sweep]\nrepeats = 2\n")
        for words, said in (
                (("scene.toml", "-o", "a", "--set", "illumination.snr=900"),
                 "the largest possible is "),
                (("scene.toml", "-o", "a", "--set", "illumination.snr=3", "--set",
                  "illumination.dose=2"), "snr chooses the dose"),
                (("scene.toml", "-o", "a", "--set", "illumination.snr=3", "--set",
                  "light.nuclei=0"), "the median object is dark"),
                (("scene.toml", "-o", "a", "--set", "illumination.snr=0"), "give above 0"),
                (("scene.toml", "-o", "a", "--shard", "1/2", "--set", "illumination.snr=3"),
                 "no shard sees all objects"),
                (("scene.toml", "--doses", "1"), "--output is missing"),
                (("scene.toml", "--doses", "1", "-o", "folder"), "write -o folder.png"),
                (("scene.toml", "--doses", "0", "-o", "a.png"), "give doses above 0"),
                (("scene.toml", "--doses", "x", "-o", "a.png"), "'x'"),
                (("sweep.toml", "--doses", "1", "-o", "a.png"), "[sweep]"),
                (("scene.toml", "--doses", "1", "-o", "a.png", "--frames", "0-0"), "--frames"),
                (("scene.toml", "--doses", "1", "-o", "a.png", "--resume"), "--resume")):
            with self.subTest(words):
                self.refused(USAGE, [said], "simulate", *words)
        self.assertEqual(sorted(os.listdir(self.path("."))), ["scene.toml", "sweep.toml"])

    def test_warns_of_voxels_that_are_coarser_than_the_light(self):
        result = self.simulate("out", "--set", "grid.pitch_nm=600,150,150")
        said = " ".join(result["warnings"])
        # 520 nm / (4 * 1.1), and 520 nm / (2 (1.515 - sqrt(1.515^2 - 1.1^2)))
        for sampled in ("pixels of 0.15 um are larger than the Nyquist limit of 0.1182 um",
                        "0.6 um between planes is larger than the Nyquist limit of 0.5494 um"):
            self.assertIn(sampled, said)

    def test_prints_a_scene_that_means_the_same(self):
        printed = self.succeed("simulate", "scene.toml", "--print-config")
        self.text("printed.toml", printed)
        self.assertEqual(self.succeed("simulate", "printed.toml", "--print-config"), printed)
        changed = self.succeed("simulate", "scene.toml", "--print-config", "--set",
                               "optics.na=0.9", "--seed", 9)
        self.assertIn("na = 0.9\n", changed)
        self.assertIn("seed = 9\n", changed)
        self.assertEqual(self.listing(), ["printed.toml", "scene.toml"])

    @needs_held_runs
    def test_leaves_nothing_when_it_is_asked_to_stop(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                code, output, said = self.meet(number, "simulate", "scene.toml", "-o", "out",
                                               "--progress", "json", name="out.partial", at=1)
                self.assertEqual(code, 7, said)
                self.assertEqual(output, "")
                self.assertIn("was stopped", json.loads(said.splitlines()[-1])["error"])
                self.assertEqual(self.listing(), ["scene.toml"])


class Psf(ProgramTest):
    def test_options_change_the_scene_wherever_they_stand(self):
        self.text("scene.toml", SCENE)
        before = self.result_of("psf", "--size", "5,7,9", "scene.toml", "-o", "before.tif")
        after = self.result_of("psf", "scene.toml", "--size", "5,7,9", "-o", "after.tif")
        self.assertEqual((before["extent"], after["extent"]), ([5, 7, 9], [5, 7, 9]))
        numpy.testing.assert_array_equal(self.read("before.tif"), self.read("after.tif"))
        other = self.result_of("psf", "scene.toml", "--set", "optics.size=[3, 5, 5]", "-o", "o.tif")
        self.assertEqual(other["extent"], [3, 5, 5])

    def test_sums_to_what_was_asked(self):
        size = ("--size", "9,31,31", "--model", "gaussian")
        self.succeed("psf", *size, "--normalize", "sum", "-o", "sum.tif")
        self.assertAlmostEqual(float(self.read("sum.tif").sum(dtype=float)), 1, places=6)
        self.succeed("psf", *size, "--normalize", "peak", "-o", "peak.tif")
        self.assertEqual(float(self.read("peak.tif").max()), 1)

    def test_takes_a_measured_psf_from_a_file(self):
        """A bell on a camera's offset, off its middle by parts of a voxel."""
        z, y, x = numpy.indices((21, 31, 33))
        bell = numpy.exp(-(((z - 9.4) / 2.5)**2 + ((y - 16.3) / 3)**2 + ((x - 14.8) / 3)**2))
        self.write("bell.tif", (100 + 3000 * bell).astype("uint16"))
        file = ("--model", "file", "--file", "bell.tif", "--file-background", "auto")
        result = self.command("psf", *file, "-o", "psf.tif")
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn("file_pitch_nm", result.stderr)
        self.succeed("psf", *file, "--file-pitch-um", "0.2,0.1,0.1", "--voxel-um", "0.2,0.1,0.1",
                     "-o", "psf.tif", "--quiet")
        psf = self.read("psf.tif").astype(float)
        centre = [n // 2 for n in psf.shape]
        self.assertEqual(self.result_of("info", "psf.tif")["kernel_center"], centre)
        self.assertAlmostEqual(psf[centre[0]].sum(), 1, places=4)
        for axis, place in enumerate(numpy.indices(psf.shape)):
            weight = numpy.where(psf > 0.05 * psf.max(), psf, 0)
            self.assertAlmostEqual((weight * place).sum() / weight.sum(), centre[axis], delta=0.02)

    def test_a_scene_without_a_camera_is_not_taken_for_one(self):
        self.write("photons.tif", numpy.full((1, 8, 8), 50, "float32"))
        for text, name in ((SCENE, "[background]"), ("[grid]\nsize = [1, 8, 8]\n", "[grid]"),
                           ("frames = 2\n", "frames"), ("[sweep]\nrepeats = 2\n", "[sweep]")):
            self.text("other.toml", text)
            result = self.command("detect", "photons.tif", "--camera", "other.toml", "-o", "o.tif")
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertIn(f"it is a scene without a table [camera] (it has {name}); add one",
                          result.stderr)
        self.text("other.toml", 'kind = "ccd"\n')
        self.succeed("detect", "photons.tif", "--camera", "other.toml", "-o", "o.tif")

    def test_light_below_zero_is_told_by_detect(self):
        self.text("camera.toml", 'kind = "scmos"\n')
        for lowest, told in ((-1000, True), (-1e-4, False)):
            photons = numpy.full((1, 8, 8), 50, "float32")
            photons[0, :2] = lowest
            self.write("photons.tif", photons)
            said = " ".join(self.result_of("detect", "photons.tif", "--camera", "camera.toml", "-o",
                                           "o.tif", "--seed", 1, "--overwrite")["warnings"])
            self.assertEqual("16 pixels have fewer than 0 photons (lowest: -1000)" in said, told)

    def test_finds_the_file_of_a_scene_beside_the_scene(self):
        os.mkdir(self.path("lens"))
        self.succeed("psf", "--model", "gaussian", "--voxel-um", "0.3,0.15,0.15", "--na", "1.1",
                     "-o", "lens/psf.ome.tif", "--quiet")
        optics = '[optics]\nmodel = "file"\nfile = "psf.ome.tif"\n'
        self.text("lens/scene.toml", SCENE[:SCENE.index("[optics]")] + optics)
        result = self.result_of("simulate", "lens/scene.toml", "-o", "set", "--quiet")
        light = result["photons"]
        parts = light["image"] + light["lost_by_window"] + light["lost_by_field"]
        self.assertAlmostEqual(parts / light["unbounded"], 1, places=9)
        photons = self.read("set/photons.ome.tif").astype(float) - 3
        self.assertAlmostEqual(photons.sum() / light["image"], 1, places=3)

    def test_says_why_light_can_be_lost_below_zero(self):
        """A measured PSF whose background was taken out too well."""
        z, y, x = numpy.indices((9, 15, 15))
        bell = numpy.exp(-((y - 7)**2 + (x - 7)**2) / 8)
        for name, floor, told in (("even", 0, False), ("dark", -0.01, True)):
            self.write("psf.tif", numpy.where(bell < 0.02, floor, bell).astype("float32"))
            optics = ('[optics]\nmodel = "file"\nfile = "psf.tif"\n'
                      'file_pitch_nm = [300, 150, 150]\n')
            self.text("scene.toml", SCENE[:SCENE.index("[optics]")] + optics)
            result = self.command("simulate", "scene.toml", "-o", name)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("light: ", result.stdout + result.stderr)
            self.assertEqual("shares below 0" in result.stdout + result.stderr, told, name)

    def test_is_centred_by_convolve_on_its_own_word(self):
        self.succeed("psf", "--size", "5,9,9", "--model", "gaussian", "-o", "psf.tif", "--quiet")
        points = numpy.zeros((11, 21, 21), "float32")
        points[5, 10, 10] = 1
        self.write("points.tif", points)
        self.succeed("convolve", "points.tif", "psf.tif", "-o", "out.tif")
        found = self.read("out.tif")
        self.assertEqual(numpy.unravel_index(found.argmax(), found.shape), (5, 10, 10))


if __name__ == "__main__":
    main()
