# SPDX-License-Identifier: MIT
# tests/python/measure/cli_score.py — scores of results beside the truth.
import json
import os
import re

from program import TINY_SCENE, ProgramTest, main, numpy, scipy, tifffile

USAGE, INPUT, IO, MEMORY = 2, 3, 4, 5
SWEEP = TINY_SCENE + "[sweep]\nillumination.dose = [0.1, 1]\nnuclei.count = [2, 3]\n"
MOVIE = "frames = 3\n" + TINY_SCENE + "[time]\ninterval_seconds = 60\nspeed_um_per_second = 0.001\n"
FRAMES = "frames = 3\n" + TINY_SCENE


def blocks(shape=(6, 30, 40), dtype="uint16"):
    """Six blocks of labels in two rows."""
    labels = numpy.zeros(shape, dtype)
    for i in range(6):
        y, x = 3 + 14 * (i // 3), 2 + 13 * (i % 3)
        labels[..., y:y + 8, x:x + 8] = i + 1
    return labels


class ScoreTest(ProgramTest):
    def score(self, truth, result, *options):
        return json.loads(self.succeed("score", truth, result, "--json", *options))


class LabelsTest(ScoreTest):
    def test_have_the_keys_that_scripts_rely_on(self):
        found = blocks()
        found[found == 2] = 0
        scores = self.score(self.write("truth.tif", blocks()), self.write("found.tif", found))
        self.assertEqual((scores["kind"], scores["truth"], scores["results"]), ("labels", 6, 5))
        labels = scores["labels"]
        self.assertEqual([round(t, 2) for t in labels["thresholds"]],
                         [round(0.1 + 0.05 * i, 2) for i in range(18)])
        for name in ("tp", "fp", "fn", "precision", "recall", "f1", "ap"):
            self.assertEqual(len(labels[name]), 18, name)
        self.assertEqual((labels["tp"][8], labels["fp"][8], labels["fn"][8]), (5, 0, 1))
        for name, value in (("mean_ap", 5 / 6), ("mean_iou", 1), ("pq", 5 / 5.5), ("seg", 5 / 6),
                            ("dice", 10 / 11), ("vi_merge_foreground", 0)):
            self.assertAlmostEqual(labels[name], value, 12, name)
        self.assertIn("vi_split", labels)
        self.assertIn("adapted_rand_error", labels)

    def test_do_not_depend_on_threads_or_memory_or_the_type_of_labels(self):
        self.write("truth.tif", blocks())
        found = numpy.roll(blocks(), 2, -1)
        answers = set()
        for i, dtype in enumerate(("uint8", "uint16", "int32", "uint32", "float32", "float64",
                                   "int64")):
            self.write(f"found{i}.tif", found.astype(dtype))
            for options in ((), ("--threads", "1", "--memory", "30M"), ("--threads", "3")):
                answers.add(json.dumps(self.score("truth.tif", f"found{i}.tif", *options)))
        self.assertEqual(len(answers), 1)

    def test_of_two_empty_images_are_one_and_of_one_zero(self):
        self.write("truth.tif", blocks())
        self.write("empty.tif", numpy.zeros((6, 30, 40), "u2"))
        both = self.score("empty.tif", "empty.tif")["labels"]
        self.assertEqual((both["mean_ap"], both["mean_iou"], both["pq"]), (1, 1, 1))
        for pair in (("truth.tif", "empty.tif"), ("empty.tif", "truth.tif")):
            one = self.score(*pair)["labels"]
            self.assertEqual((one["mean_ap"], one["mean_iou"], one["pq"], one["dice"]),
                             (0, 0, 0, 0))

    def test_leave_out_what_touches_the_border_or_is_small(self):
        truth = blocks()
        truth[:, 0:2, 0:2] = 7
        self.write("truth.tif", truth)
        self.write("found.tif", truth)
        self.assertEqual(self.score("truth.tif", "found.tif")["truth"], 7)
        self.assertEqual(self.score("truth.tif", "found.tif", "--min-volume", "100")["truth"], 6)
        inside = self.score("truth.tif", "found.tif", "--ignore-border")
        self.assertEqual(inside["truth"], 0, "blocks reach from the first to the last plane")

    def test_measure_surfaces_in_micrometres(self):
        self.write("truth.tif", blocks())
        self.write("found.tif", numpy.roll(blocks(), 1, -1))
        options = ("--voxel-um", "0.5,0.2,0.2", "--surfaces", "--tolerance-um", "0.2")
        surfaces = self.score("truth.tif", "found.tif", *options)["surfaces"]
        self.assertEqual((surfaces["pairs"], surfaces["unit"]), (6, "um"))
        self.assertAlmostEqual(surfaces["hausdorff"], 0.2, 12)
        self.assertAlmostEqual(surfaces["boundary_f"], 1, 12)
        self.assertAlmostEqual(surfaces["mean_distance"], self.mean_distance(), 12)

    def mean_distance(self):
        """The same by scipy, of one block."""
        truth = blocks() == 1
        sides = []
        for a, b in ((truth, numpy.roll(truth, 1, -1)), (numpy.roll(truth, 1, -1), truth)):
            rims = [m & ~scipy.ndimage.binary_erosion(m) for m in (a, b)]
            away = scipy.ndimage.distance_transform_edt(~rims[1], sampling=(0.5, 0.2, 0.2))
            sides.append(away[rims[0]].mean())
        return numpy.mean(sides)


    def test_warn_of_an_image_that_is_none_of_labels(self):
        self.write("truth.tif", blocks())
        light = numpy.random.default_rng(1).integers(1, 60000, (6, 30, 40)).astype("u2")
        result = self.command("score", "truth.tif", self.write("light.tif", light))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("image of light", result.stderr)


class DataSetsTest(ScoreTest):
    def test_are_their_own_best_result_in_every_layout(self):
        for scene in (TINY_SCENE, FRAMES, MOVIE):
            self.text("scene.toml", scene)
            for layout in ("native", "ctc", "stardist", "cellpose"):
                self.succeed("simulate", "scene.toml", "-o", "set", "--truth-layout", layout,
                             "--overwrite", "--quiet")
                scores = self.score("set", "set")
                self.assertEqual(scores["labels"]["mean_ap"], 1, layout)
                self.assertEqual(scores["labels"]["images"], 1 if scene == TINY_SCENE else 3)

    def test_take_a_file_a_folder_or_a_stack_with_all_frames(self):
        self.text("scene.toml", FRAMES)
        self.succeed("simulate", "scene.toml", "-o", "set", "--truth-layout", "stardist",
                     "--quiet")
        frames = [tifffile.imread(self.path(f"set/masks/t00{i}.tif")) for i in range(3)]
        os.makedirs(self.path("found"))
        for i, frame in enumerate(frames):
            self.write(f"found/mask_{i + 1}.tif", frame)
        self.write("found.tif", numpy.stack(frames), metadata={"axes": "TZYX"})
        for result in ("found", "found.tif", "set/masks"):
            self.assertEqual(self.score("set", result)["labels"]["mean_ap"], 1, result)

    def test_say_how_recall_depends_on_light(self):
        scene = TINY_SCENE.replace("count = 2", "count = 10").replace("48, 40", "90, 90")
        self.text("scene.toml", scene)
        self.succeed("simulate", "scene.toml", "-o", "set", "--quiet")
        found = tifffile.imread(self.path("set/labels.ome.tif"))
        found[found > 5] = 0
        scores = self.score("set", self.write("found.tif", found))
        strata = [s for s in scores["strata"] if s["by"] == "snr"]
        self.assertEqual(sum(s["truth"] for s in strata), 10)
        for stratum in scores["strata"]:
            self.assertLessEqual(stratum["recall_low"], stratum["recall"])
            self.assertGreaterEqual(stratum["recall_high"], stratum["recall"])
        self.assertTrue({"volume", "depth", "nearest", "snr"} <= {s["by"] for s in
                                                                  scores["strata"]})

    def test_of_a_sweep_have_a_row_each(self):
        self.text("scene.toml", SWEEP)
        self.succeed("simulate", "scene.toml", "-o", "sweep", "--quiet")
        sets = sorted(name for name in os.listdir(self.path("sweep"))
                      if os.path.isdir(self.path(f"sweep/{name}")))
        os.makedirs(self.path("found"))
        for name in sets:
            labels = tifffile.imread(self.path(f"sweep/{name}/labels.ome.tif"))
            labels[labels == 1] = 0
            self.write(f"found/{name}.tif", labels)
        scores = self.score("sweep", "found", "-o", "page.html")
        self.assertEqual([s["folder"] for s in scores["sets"]], sets)
        for one in scores["sets"]:
            count = one["nuclei.count"]
            self.assertEqual(one["labels"]["tp"][8], count - 1)
            self.assertIn("illumination.dose", one)
        self.assertEqual(scores["truth"], 2 + 2 + 3 + 3)
        page = open(self.path("page.html"), encoding="utf8").read()
        self.assertIn("illumination.dose", page)
        os.remove(self.path(f"found/{sets[0]}.tif"))
        self.refused(USAGE, ["no result of the data set", sets[0]], "score", "sweep", "found")


class PageTest(ScoreTest):
    def test_needs_no_other_files_and_shows_the_worst_objects(self):
        self.text("scene.toml", TINY_SCENE)
        self.succeed("simulate", "scene.toml", "-o", "set", "--quiet")
        found = tifffile.imread(self.path("set/labels.ome.tif"))
        found[found == 1] = 0
        found[0, :3, :3] = 9
        self.write("found.tif", found)
        self.succeed("score", "set", "found.tif", "-o", "page.html", "--surfaces")
        page = open(self.path("page.html"), encoding="utf8").read()
        for words in ("object 1 was missed", "result 9 is no true object", "TP / (TP + FP + FN)",
                      "Hausdorff"):
            self.assertIn(words, page)
        self.assertEqual(page.count("data:image/png;base64,"), 2)
        self.assertFalse(re.search(r"(src|href)=['\"](?!data:)", page))
        self.refused(USAGE, ["page.html", "--overwrite"], "score", "set", "found.tif", "-o",
                       "page.html")

    def test_prints_the_same_numbers_as_a_table(self):
        self.write("truth.tif", blocks())
        found = blocks()
        found[found == 2] = 0
        text = self.succeed("score", "truth.tif", self.write("found.tif", found))
        for words in ("5 at IoU 0.5, 1 missed, 0 false", "recall 0.833", "SEG 0.833"):
            self.assertIn(words, text)


class BadInputTest(ScoreTest):
    def test_is_told_in_one_sentence(self):
        self.text("scene.toml", FRAMES)
        self.succeed("simulate", "scene.toml", "-o", "set", "--quiet")
        stack = tifffile.imread(self.path("set/labels_t000.ome.tif"))
        self.write("truth.tif", blocks())
        self.write("plane.tif", blocks()[0])
        self.write("small.tif", blocks()[:, :20])
        self.write("halves.tif", blocks().astype("f4") + 0.5)
        self.write("nan.tif", numpy.full((6, 30, 40), numpy.nan, "f4"))
        self.write("one.tif", stack)
        os.makedirs(self.path("two"))
        os.makedirs(self.path("empty"))
        for number in (0, 2):
            self.write(f"two/m{number}.tif", stack)
        cases = (
            (USAGE, ["plane.tif", "1x30x40", "6x30x40"], "truth.tif", "plane.tif"),
            (USAGE, ["small.tif", "6x20x40", "6x30x40"], "truth.tif", "small.tif"),
            (INPUT, ["halves.tif", "0.5", "whole numbers"], "truth.tif", "halves.tif",
             "--kind", "labels"),
            (INPUT, ["nan.tif", "nan", "whole numbers"], "truth.tif", "nan.tif",
             "--kind", "labels"),
            (USAGE, ["one.tif", "1 frame", "3 frames", "--axes"], "set", "one.tif"),
            (USAGE, ["two", "3 frames", "2 images", "number 1"], "set", "two"),
            (USAGE, ["empty", "no images"], "empty", "truth.tif"),
            (IO, ["missing.tif"], "truth.tif", "missing.tif"),
            (IO, ["missing"], "missing", "truth.tif"),
            (USAGE, ["--min-volume"], "truth.tif", "plane.tif", "--min-volume", "many"),
            (USAGE, ["--min-volume is -2"], "truth.tif", "truth.tif", "--min-volume", "-2"),
            (USAGE, ["--tolerance-um is -1"], "truth.tif", "truth.tif", "--tolerance-um", "-1"),
        )
        for code, words, *command in cases:
            with self.subTest(command=command):
                self.refused(code, words, "score", *command)

    def test_names_the_memory_that_is_enough(self):
        self.write("truth.tif", blocks((4, 400, 400)))
        self.refused(MEMORY, ["--memory"], "score", "truth.tif", "truth.tif", "--memory", "1M")


main()
