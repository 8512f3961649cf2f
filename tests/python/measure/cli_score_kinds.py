# SPDX-License-Identifier: MIT
# tests/python/measure/cli_score_kinds.py — scores of tracks, spots and restored images.
import csv
import json
import os

from program import TINY_SCENE, ProgramTest, main, numpy, scipy, tifffile

USAGE, INPUT = 2, 3
MOVIE = "frames = 4\n" + TINY_SCENE + "[time]\ninterval_seconds = 60\nspeed_um_per_second = 0.001\n"
BEADS = """seed = 3
[grid]
size = [16, 64, 64]
pitch_nm = [200, 100, 100]
[beads]
count = 12
diameter_um = 0.3
gap_um = 0.6
[optics]
na = 1.2
size = [15, 25, 25]
"""


class KindTest(ProgramTest):
    def score(self, truth, result, *options):
        return json.loads(self.succeed("score", truth, result, "--json", *options))

    def simulate(self, scene, *options):
        self.text("scene.toml", scene)
        self.succeed("simulate", "scene.toml", "-o", "set", "--quiet", *options)


class TracksTest(KindTest):
    def setUp(self):
        super().setUp()
        self.simulate(MOVIE, "--truth-layout", "ctc")

    def result(self, change=lambda masks: masks):
        """A folder of the challenge with the true tracks, and masks that were changed."""
        os.makedirs(self.path("01_RES"), exist_ok=True)
        for frame in range(4):
            masks = tifffile.imread(self.path(f"set/01_GT/TRA/man_track00{frame}.tif"))
            self.write(f"01_RES/mask00{frame}.tif", change(masks))
        with open(self.path("set/01_GT/TRA/man_track.txt"), encoding="utf8") as table:
            self.text("01_RES/res_track.txt", table.read())
        return "01_RES"

    def test_of_the_truth_itself_are_one(self):
        for truth in ("set", "set/01_GT"):
            scores = self.score(truth, self.result())
            self.assertEqual(scores["kind"], "tracks")
            tracks = scores["tracks"]
            for name in ("det", "seg", "tra", "lnk", "ct", "tf", "chota"):
                self.assertEqual(tracks[name], 1, name)
            self.assertEqual(tracks["aogm"]["total"], 0)

    def test_say_what_is_missing_and_when(self):
        self.result()
        first = tifffile.imread(self.path("01_RES/mask000.tif"))
        self.write("01_RES/mask000.tif", numpy.where(first == 1, 0, first).astype("u2"))
        lines = self.read_text("01_RES/res_track.txt").splitlines()
        self.text("01_RES/res_track.txt", "\n".join(
            "1 1 3 0" if line.startswith("1 ") else line for line in lines) + "\n")
        tracks = self.score("set", "01_RES", "-o", "tracks.html")["tracks"]
        self.assertEqual((tracks["aogm"]["fn"], tracks["aogm"]["ea"]), (1, 1))
        self.assertEqual(tracks["by_frame"]["fn"], [1, 0, 0, 0])
        self.assertIn("Errors over time", self.read_text("tracks.html"))

    def read_text(self, name):
        with open(self.path(name), encoding="utf8") as file:
            return file.read()

    def test_refuse_what_has_none(self):
        self.simulate(TINY_SCENE, "--overwrite")
        self.refused(USAGE, ["independent", "--kind labels"], "score", "set", "set", "--kind",
                     "tracks")
        os.makedirs(self.path("empty"))
        self.refused(USAGE, ["no table of tracks", "res_track.txt"], "score", "empty", "empty",
                     "--kind", "tracks")


class SpotsTest(KindTest):
    def setUp(self):
        super().setUp()
        self.simulate(BEADS)
        with open(self.path("set/objects.csv"), encoding="utf8") as table:
            rows = list(csv.DictReader(table))
        self.truth = numpy.array([[float(row[f"centroid_{axis}_um"]) for axis in "zyx"]
                                  for row in rows])

    def table(self, positions, header="z_um,y_um,x_um", scale=1.0, shift=0.0):
        lines = [",".join(f"{value * scale + shift:.9g}" for value in one) for one in positions]
        return self.text("spots.csv", "\n".join([header, *lines]) + "\n")

    def test_are_matched_within_the_radius(self):
        moved = self.truth + [0.05, 0.03, -0.02]
        moved[0] += 5
        scores = self.score("set", self.table(moved), "--radius-um", "0.2")
        spots = scores["spots"]
        self.assertEqual((scores["kind"], spots["truth"], spots["matched"]), ("spots", 12, 11))
        self.assertAlmostEqual(spots["recall"], 11 / 12, 12)
        self.assertAlmostEqual(spots["jaccard"], 11 / 13, 12)
        for got, put in zip(spots["rmse_um"], (0.05, 0.03, 0.02)):
            self.assertAlmostEqual(got, put, 6)
        for got, put in zip(spots["bias_um"], (0.05, 0.03, -0.02)):
            self.assertAlmostEqual(got, put, 6)

    def test_have_an_efficiency_beside_the_bound(self):
        spots = self.score("set", self.table(self.truth + 0.01))["spots"]
        self.assertEqual(spots["bounded"], 12)
        for axis in range(3):
            self.assertAlmostEqual(spots["efficiency"][axis],
                                   spots["bound_um"][axis] / spots["bounded_rmse_um"][axis], 9)
            self.assertTrue(0.0005 < spots["bound_um"][axis] < 0.05)

    def test_may_be_in_other_units_and_columns(self):
        in_um = self.score("set", self.table(self.truth))["spots"]
        self.assertLess(max(in_um["rmse_um"]), 1e-6)
        tables = (("z [nm],y [nm],x [nm]", 1000, ()),
                  ("a,b,c", 1, ("--columns", "z=a,y=b,x=c", "--unit", "um")))
        for header, scale, options in tables:
            spots = self.score("set", self.table(self.truth, header, scale), *options)["spots"]
            self.assertLess(max(spots["rmse_um"]), 1e-6, header)

    def test_have_strata_of_the_light_that_they_give(self):
        highs = []
        for dose in ("1", "0.1"):
            self.simulate(BEADS, "--overwrite", "--set", f"illumination.dose={dose}")
            strata = self.score("set", self.table(self.truth))["strata"]
            highs.append([one["high"] for one in strata if one["by"] == "photons"][-1])
        self.assertAlmostEqual(highs[1] / highs[0], 0.1, 6)

    def test_are_told_in_a_table_and_on_a_page(self):
        text = self.succeed("score", "set", self.table(self.truth), "-o", "page.html")
        for words in ("12 within 0.5 um", "recall 1.000", "efficiency"):
            self.assertIn(words, text)
        with open(self.path("page.html"), encoding="utf8") as page:
            self.assertIn("Cramér-Rao bound", page.read())

    def test_refuse_tables_that_say_nothing(self):
        self.refused(INPUT, ["spots.csv", "line 3"], "score", "set",
                     self.text("spots.csv", "z_um,y_um,x_um\n1,2,3\n1,nan,3\n"))
        self.refused(INPUT, ["spots.csv"], "score", "set", self.text("spots.csv", "a,b\n1,2\n"))
        self.write("labels.tif", numpy.ones((2, 3, 4), "u2"))
        self.refused(USAGE, ["labels.tif", "data set"], "score", "labels.tif",
                     self.table(self.truth))


class ImagesTest(KindTest):
    def setUp(self):
        super().setUp()
        self.simulate(TINY_SCENE + "[output]\nlight = true\n")
        self.photons = tifffile.imread(self.path("set/photons.ome.tif"))

    def test_of_the_truth_itself_are_the_best(self):
        image = self.score("set", "set/photons.ome.tif", "--kind", "image")["image"]
        self.assertEqual(image["nrmse"], 0)
        self.assertAlmostEqual(image["ssim"], 1, 9)
        self.assertAlmostEqual(image["pearson"], 1, 9)
        self.assertIsNone(image["psnr"], "it is infinite")

    def test_are_those_of_numpy(self):
        result = scipy.ndimage.gaussian_filter(self.photons, 1) * 2 + 3
        self.write("result.tif", result)
        image = self.score("set", "result.tif", "-o", "page.html")["image"]
        truth, result = self.photons.astype(float), result.astype(float)
        nrmse = numpy.sqrt(((truth - result) ** 2).mean() / (truth ** 2).mean())
        self.assertAlmostEqual(image["nrmse"], nrmse, 9)
        gain, offset = numpy.polyfit(result.ravel(), truth.ravel(), 1)
        self.assertAlmostEqual(image["gain"], gain, 6)
        fitted = numpy.sqrt(((truth - gain * result - offset) ** 2).mean() / (truth ** 2).mean())
        self.assertAlmostEqual(image["fitted"]["nrmse"], fitted, 6)
        with open(self.path("page.html"), encoding="utf8") as page:
            self.assertIn("Fourier correlation", page.read())

    def test_may_be_compared_with_the_light_before_the_lens(self):
        image = self.score("set", "set/light.ome.tif", "--kind", "image", "--beside", "light")
        self.assertEqual(image["image"]["nrmse"], 0)
        self.simulate(TINY_SCENE, "--overwrite")
        self.refused(INPUT, ["output.light"], "score", "set", "set/photons.ome.tif", "--kind",
                     "image", "--beside", "light")

    def test_refuse_other_grids_and_what_is_not_finite(self):
        self.write("small.tif", self.photons[:, :20])
        self.refused(USAGE, ["small.tif", "12x20x40", "12x48x40"], "score", "set", "small.tif",
                     "--kind", "image")
        broken = self.photons.copy()
        broken[3, 4, 5] = numpy.inf
        self.write("broken.tif", broken)
        self.refused(INPUT, ["broken.tif", "(3, 4, 5)"], "score", "set", "broken.tif", "--kind",
                     "image")


main()
