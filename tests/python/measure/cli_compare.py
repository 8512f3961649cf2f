# SPDX-License-Identifier: MIT
# tests/python/measure/cli_compare.py — real and synthetic images compared, as a user meets it.
import json
import os
import shutil
import unittest

from program import ProgramTest, main, numpy, scipy

USAGE, INPUT, IO, MEMORY = 2, 3, 4, 5
DATA = os.environ.get("SYNTHOSCOPE_TEST_DATA", "")
SCENE = """
[grid]
size = [19, 96, 96]
pitch_nm = [300, 130, 130]
[nuclei]
kind = "fibroblast"
count = 1
radius_um = 3
axis_ratios = [1, 1.5, 2]
photons_per_um3 = 20000
[background]
photons_per_pixel = 100
[optics]
na = 1.3
wavelength_nm = 461
size = [19, 31, 31]
"""


def field(seed, coarse=2.0, level=1000, shape=(144, 144), dtype="uint16"):
    """A bright disc with a grain, on a dark field."""
    draw = numpy.random.default_rng(seed)
    y, x = numpy.mgrid[:shape[0], :shape[1]]
    disc = numpy.hypot(y - shape[0] / 2, x - shape[1] / 2) < 0.42 * min(shape)
    grain = scipy.ndimage.gaussian_filter(draw.normal(size=shape), coarse)
    image = level * (0.1 + disc * (1 + 0.2 * grain / grain.std()))
    image = scipy.ndimage.gaussian_filter(image, 1)
    return numpy.clip(image + level * 0.02 * draw.normal(size=shape), 0, 65535).astype(dtype)


class CompareTest(ProgramTest):
    def make_fields(self, folder, first_seed, count, **how):
        os.makedirs(self.path(folder), exist_ok=True)
        for i in range(count):
            self.write(f"{folder}/{i:02}.tif", field(first_seed + i, **how))

    def compare(self, *words):
        return json.loads(self.succeed("compare", *words, "--json", "--quiet"))

    def make_sets(self, folder, first_seed, count, *options):
        self.text("scene.toml", SCENE)
        os.makedirs(self.path(folder))
        for i in range(count):
            self.succeed("simulate", "scene.toml", "--seed", first_seed + i, "-o",
                         f"{folder}/{i:02}", "--quiet", *options)


class AnswersTest(CompareTest):
    def test_images_of_one_kind_lie_inside_the_null_whatever_their_dose(self):
        # As floating point: whole numbers have finer steps at a larger dose
        self.make_fields("synthetic", 0, 20, dtype="float32")
        self.make_fields("real", 50, 2, level=7000, dtype="float32")
        found = self.compare("real", "synthetic", "--where", "inside")
        for name in ("auc_logistic_regression", "auc_random_forest", "energy_distance",
                     "sliced_wasserstein"):
            self.assertEqual(found[name]["place"], "inside", name)
        self.assertEqual((found["real"]["images"], found["synthetic"]["images"]), (2, 20))
        self.assertIn("no better than", found["verdict"])
        self.assertGreater(found["energy_p"], 0.05)
        self.assertEqual(len(found["statistics"]), 37)

    def test_a_coarser_grain_is_named(self):
        self.make_fields("synthetic", 0, 20, coarse=3.5)
        self.make_fields("real", 50, 1)
        found = self.compare("real", "synthetic", "--where", "inside")
        self.assertEqual(found["auc_random_forest"]["place"], "above")
        self.assertGreater(found["auc_random_forest"]["value"], 0.9)
        self.assertAlmostEqual(found["energy_p"], 1 / 21)
        self.assertAlmostEqual(found["energy_least_p"], 1 / 21)
        by_name = {row["statistic"]: row for row in found["statistics"]}
        self.assertTrue(by_name["log_power_2"]["gives_away"])
        self.assertLess(by_name["log_power_2"]["difference"], -0.3)
        self.assertEqual(by_name["log_power_2"]["synthetic_images_have"],
                         "less power in waves of 4 to 5.7 px")
        text = self.succeed("compare", "real", "synthetic", "--where", "inside", "--quiet")
        for words in ("AUC, random forest", "above, 20 of 20 below", "better than",
                      "One real image stands for itself alone", "less power in waves"):
            self.assertIn(words, text)

    def test_few_synthetic_images_cannot_conclude(self):
        self.make_fields("synthetic", 0, 5)
        self.make_fields("real", 50, 1)
        found = self.compare("real", "synthetic")
        self.assertEqual(found["auc_random_forest"]["place"], "open")
        self.assertEqual(len(found["auc_random_forest"]["null"]), 5)
        self.assertTrue(found["verdict"].startswith("Cannot conclude: 5 synthetic images are too"))
        self.assertIn("cannot be less than 0.17", found["verdict"])
        one = self.compare("real", "synthetic/00.tif")
        self.assertEqual((one["auc_random_forest"]["null"], one["energy_least_p"]), ([], 1))

    def test_data_sets_with_other_seeds_are_alike_and_other_contrast_is_not(self):
        self.text("scene.toml", SCENE)
        for name, seed, options in (("synthetic", 1, ["frames=20"]), ("same", 100, ["frames=3"]),
                                    ("other", 200, ["frames=3", "nuclei.texture_contrast=0.1"])):
            words = [word for option in options for word in ("--set", option)]
            self.succeed("simulate", "scene.toml", "--seed", seed, *words, "-o", name, "--quiet")
        same = self.compare("same", "synthetic")
        self.assertEqual(same["objects"], "labels")
        self.assertAlmostEqual(same["real"]["pixel_um"], 0.13)
        for name in ("auc_logistic_regression", "auc_random_forest"):
            self.assertEqual(same[name]["place"], "inside", name)
        other = self.compare("other", "synthetic", "--where", "inside", "--patch", "16")
        self.assertEqual(other["auc_random_forest"]["place"], "above")
        self.assertIn("um", json.dumps(other["statistics"]))


class InputsTest(CompareTest):
    def test_neither_threads_nor_memory_change_a_number(self):
        self.make_fields("synthetic", 0, 6)
        self.make_fields("real", 50, 1)
        answers = {self.succeed("compare", "real", "synthetic", "--json", "--quiet", *options)
                   for options in ((), ("--threads", 1), ("--threads", 3, "--memory", "200M"))}
        self.assertEqual(len(answers), 1)
        other = self.compare("real", "synthetic", "--seed", "5")
        self.assertNotEqual(json.dumps(other), next(iter(answers)))

    def test_places_are_files_folders_data_sets_sweeps_and_frames(self):
        self.make_sets("sets", 1, 2)
        self.text("sweep.toml", SCENE + "[sweep]\nnuclei.photons_per_um3 = [10000, 20000]\n")
        self.succeed("simulate", "sweep.toml", "--seed", 3, "-o", "sweep", "--quiet")
        self.text("frames.toml", "frames = 3\n" + SCENE)
        self.succeed("simulate", "frames.toml", "--seed", 4, "-o", "frames", "--quiet")
        self.make_fields("files", 0, 2)
        for place, images in (("sets", 2), ("sets/00", 1), ("sweep", 2), ("frames", 3),
                              ("files", 2), ("files/00.tif", 1)):
            with self.subTest(place=place):
                found = self.compare("files/01.tif", place)
                self.assertEqual(found["synthetic"]["images"], images)
                self.assertEqual(found["objects"], "bright")
        found = self.compare("files", "sets", "--more-real", "frames", "--more-synthetic", "sweep",
                             "files/01.tif")
        self.assertEqual((found["real"]["images"], found["synthetic"]["images"]), (5, 5))
        self.assertEqual(self.compare("frames", "frames", "--frame", "1")["synthetic"]["images"], 1)

    def test_labels_choose_patches_of_both_sets(self):
        self.make_fields("real", 0, 2)
        self.make_fields("synthetic", 50, 3)
        y, x = numpy.mgrid[:144, :144]
        small = (numpy.hypot(y - 72, x - 72) < 40).astype("u1")
        os.makedirs(self.path("labels"))
        for i in range(3):
            self.write(f"labels/{i}.tif", small)
        bright = self.compare("real", "synthetic", "--where", "inside")
        labelled = self.compare("real", "synthetic", "--where", "inside", "--labels-real",
                                "labels/0.tif", "labels/1.tif", "--labels-synthetic", "labels")
        self.assertEqual((bright["objects"], labelled["objects"]), ("bright", "labels"))
        self.assertLess(labelled["real"]["patches"], bright["real"]["patches"])
        self.refused(USAGE, ["2 images and 3 label images"], "compare", "real", "synthetic",
                     "--labels-real", "labels", "--labels-synthetic", "labels")
        self.refused(USAGE, ["give labels of the synthetic images as well"], "compare", "real",
                     "synthetic", "--labels-real", "labels/0.tif", "labels/1.tif")

    def test_stacks_give_their_sharpest_plane(self):
        stack = numpy.stack([scipy.ndimage.gaussian_filter(field(1).astype(float), s)
                             for s in (4, 2, 0, 3)]).astype("f4")
        self.write("stack.tif", stack, metadata={"axes": "ZYX"})
        self.write("plane.tif", stack[2])
        self.make_fields("synthetic", 50, 3)
        sharp, alone = (self.compare(name, "synthetic") for name in ("stack.tif", "plane.tif"))
        self.assertEqual(sharp["energy_distance"], alone["energy_distance"])
        blurred = self.compare("stack.tif", "plane.tif", "--plane", "0")
        self.assertGreater(blurred["energy_distance"]["value"], 0)
        self.refused(USAGE, ["no plane 4", "0 to 3"], "compare", "stack.tif", "synthetic",
                     "--plane", "4")

    def test_what_cannot_be_compared_is_refused_by_name(self):
        self.make_fields("real", 0, 1)
        self.make_fields("synthetic", 50, 2)
        os.mkdir(self.path("empty"))
        broken = field(3).astype("f4")
        broken[5, 5] = numpy.nan
        self.write("nan.tif", broken)
        self.write("flat.tif", numpy.full((96, 96), 7, "u2"))
        self.write("small.tif", field(3)[:20])
        for name, pixel in (("fine.tif", 0.1), ("wide.tif", 0.2)):
            self.write(name, field(4), resolution=(1e4 / pixel, 1e4 / pixel),
                       resolutionunit="CENTIMETER", imagej=True,
                       metadata={"unit": "um", "spacing": 1})
        self.write("oblong.tif", field(4), resolution=(1e4 / 0.1, 1e4 / 0.2), imagej=True,
                   metadata={"unit": "um", "spacing": 1})
        for code, said, words in (
                (USAGE, ["holds none"], ["real", "empty"]),
                (IO, ["no such file"], ["real", "missing.tif"]),
                (INPUT, ["nan.tif", "NaN"], ["nan.tif", "synthetic"]),
                (INPUT, ["flat.tif", "pixels belong to objects"], ["real", "flat.tif"]),
                (USAGE, ["small.tif", "20 x 144", "--patch"], ["small.tif", "synthetic"]),
                (USAGE, ["pixels are 0.1 um", "0.2 um"], ["fine.tif", "wide.tif"]),
                (USAGE, ["square"], ["oblong.tif", "synthetic"]),
                (USAGE, ["side is 8", "16 to 256"], ["real", "synthetic", "--patch", "8"]),
                (USAGE, ["square, such as"], ["real", "synthetic", "--patch", "32,16"]),
                (USAGE, ["no image has 4 patches inside of objects"],
                 ["real", "synthetic", "--where", "inside", "--patch", "128"]),
                (USAGE, ["there is no frame 3"], ["real", "set", "--frame", "3"]),
                (USAGE, ["--words has an effect only with --features words"],
                 ["real", "synthetic", "--words", "20"]),
                (USAGE, ["--where has an effect only with --features statistics"],
                 ["real", "synthetic", "--features", "words", "--where", "edge"]),
                (USAGE, ["leave it out"],
                 ["real", "synthetic", "--features", "words", "-o", "page.html"]),
                (MEMORY, ["--memory"], ["real", "synthetic", "--memory", "1M"]),
        ):
            if "set" in words:
                self.text("scene.toml", SCENE)
                self.succeed("simulate", "scene.toml", "--seed", 1, "-o", "set", "--quiet")
            with self.subTest(words=words):
                self.refused(code, said, "compare", *words)

    def test_unknown_pixel_sizes_and_images_that_are_left_out_are_warned_of(self):
        self.make_fields("real", 0, 1)
        self.make_fields("synthetic", 50, 2)
        found = self.compare("real", "synthetic")
        self.assertIn("no image says how large its pixels are", found["warnings"][0])
        said = self.compare("real", "synthetic", "--voxel-um", "1,0.2,0.2")
        self.assertEqual((said["warnings"], said["real"]["pixel_um"]), ([], 0.2))
        self.write("synthetic/other.tif", field(9, shape=(36, 300)))
        found = self.compare("real", "synthetic", "--where", "inside")
        self.assertEqual(found["synthetic"]["left_out"], ["synthetic/other.tif"])
        self.assertIn("1 synthetic image is left out", " ".join(found["warnings"]))


class PageTest(CompareTest):
    def test_shows_numbers_patches_and_distributions(self):
        self.make_fields("synthetic", 0, 20, coarse=3.5)
        self.make_fields("real", 50, 1)
        words = ("compare", "real", "synthetic", "--where", "inside", "-o", "page.html")
        self.succeed(*words, "--quiet")
        with open(self.path("page.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertEqual(page.count("data:image/png"), 2)
        self.assertGreaterEqual(page.count("<svg"), 7)
        for said in ("synthetic beside real", "better than", "less power in waves", "AUC, random",
                     "0.5 by chance", "Patches of real images"):
            self.assertIn(said, page)
        self.assertNotIn("http", page)
        self.refused(USAGE, ["page.html", "--overwrite"], *words)
        self.succeed(*words, "--quiet", "--overwrite", "--threads", "1")
        with open(self.path("page.html"), encoding="utf-8") as file:
            self.assertEqual(file.read(), page)


class WordsTest(CompareTest):
    def test_are_those_of_words_compare(self):
        self.make_fields("a", 0, 4)
        self.make_fields("b", 50, 4, coarse=4)
        options = ("--seed", "1", "--words", "10", "--samples", "100", "--permutations", "99",
                   "--json", "--quiet")
        ours = json.loads(self.succeed("compare", "a", "b", "--features", "words", *options))
        theirs = json.loads(self.succeed("words", "compare", "a", "b", *options))
        self.assertEqual(ours, theirs)
        self.assertIn("energy", ours)


@unittest.skipUnless(os.path.exists(os.path.join(DATA, "dapi_40x201x101_u16.tif")),
                     "SYNTHOSCOPE_TEST_DATA has no real nucleus")
class RealNucleusTest(CompareTest):
    def test_is_told_apart_from_discs(self):
        self.make_fields("synthetic", 0, 20, shape=(160, 160))
        shutil.copy(os.path.join(DATA, "dapi_40x201x101_u16.tif"), self.path("real.tif"))
        found = self.compare("real.tif", "synthetic", "--where", "inside")
        self.assertEqual(found["real"]["images"], 1)
        self.assertEqual(found["auc_random_forest"]["place"], "above")


main()
