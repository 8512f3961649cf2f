# SPDX-License-Identifier: MIT
# tests/python/api/package_words_files.py — textures of folders of images, from Python against the
# program.
"""Usage: package_words_files.py FOLDER PROGRAM; FOLDER holds the package synthoscope."""
import filecmp
import json
import os
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings

from package import or_skipped

with or_skipped():
    import numpy as np
    import tifffile
    from synthoscope import words

PROGRAM = os.path.abspath(sys.argv[2])
PERIODS = {"fine": 4, "middle": 8, "wide": 16}
SMALL = {"words": 20, "samples": 200, "seed": 3}

# Options, of files of one plane but where they look at the middle of stacks.
OPTIONS = (
    {},
    {"bank": "schmid", "distance": "euclidean"},
    {"bank": "lm", "standardize": False, "contrast_normalize": True},
    {"bank": "invariants", "distance": "intersection", "iterations": 2},
    {"patch": (30, 20), "levels": 1},
    {"patch": (1, 32, 32), "planes": "middle"},
)


def stripes(period, seed, shape=(64, 64)):
    """Stripes that are turned any way, with noise."""
    generator = np.random.default_rng(seed)
    y, x = np.mgrid[:shape[0], :shape[1]]
    turn = generator.uniform(0, np.pi)
    wave = np.sin(2 * np.pi * (np.cos(turn) * x + np.sin(turn) * y) / period)
    return np.rint(1000 + 200 * wave + 60 * generator.normal(size=shape)).astype(np.uint16)


def as_words(options):
    """Arguments as the command line has them."""
    said = []
    for name, value in options.items():
        if isinstance(value, bool):
            value = "on" if value else "off"
        elif isinstance(value, tuple):
            value = ",".join(map(str, value))
        said += [f"--{name.replace('_', '-')}", str(value)]
    return said


def run(*arguments):
    done = subprocess.run([PROGRAM, "words", *map(str, arguments)], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        raise AssertionError(done.stderr)
    return done.stdout


def as_line(verdict):
    """The row that the program's table has."""
    row = [verdict.image] + ([verdict.known] if verdict.known else [])
    row += [verdict.class_name, f"{verdict.distance:.4f}", f"{verdict.margin:.2f}",
            verdict.ranking[1].class_name]
    if verdict.patches > 1:
        row.append(f"{verdict.votes[verdict.class_name]}/{verdict.patches}")
    return ",".join(row)


class InFolders(unittest.TestCase):
    """Each test stands in a folder of its own that holds images of three classes, twice."""

    def setUp(self):
        scratch, before = tempfile.TemporaryDirectory(), os.getcwd()
        self.addCleanup(scratch.cleanup)
        self.addCleanup(os.chdir, before)
        os.chdir(scratch.name)
        for folder, first in (("train", 0), ("test", 100)):
            for name, period in PERIODS.items():
                os.makedirs(f"{folder}/{name}")
                for i in range(4):
                    self.write(f"{folder}/{name}/{i}.tif", stripes(period, first + i))

    @staticmethod
    def write(name, voxels, **options):
        tifffile.imwrite(name, voxels, **{"photometric": "minisblack", **options})


class Models(InFolders):
    def test_are_the_programs_byte_for_byte(self):
        for options in OPTIONS:
            with self.subTest(options):
                words.train("train", **{**SMALL, **options}).save("ours.h5", overwrite=True)
                run("train", "train", "-o", "theirs.h5", "--overwrite",
                    *as_words({**SMALL, **options}))
                self.assertTrue(filecmp.cmp("ours.h5", "theirs.h5", shallow=False))

    def test_have_the_defaults_of_the_program(self):
        words.train("train", seed=7).save("ours.h5")
        run("train", "train", "-o", "theirs.h5", "--seed", 7)
        self.assertTrue(filecmp.cmp("ours.h5", "theirs.h5", shallow=False))

    def test_say_what_they_are(self):
        run("train", "train", "-o", "model.h5", *as_words({**SMALL, "patch": (1, 32, 32)}))
        model = words.load("model.h5")
        self.assertEqual(model.classes, list(PERIODS))
        self.assertEqual(model.images[4:6], ["train/middle/0.tif", "train/middle/1.tif"])
        self.assertEqual(model.image_classes[4:6], ["middle", "middle"])
        self.assertEqual((model.bank, model.distance, model.planes), ("mr8", "chi-square", "all"))
        self.assertEqual((model.standardize, model.contrast_normalize), (True, False))
        self.assertEqual((model.patch, model.levels, model.seed), ((1, 32, 32), 0, 3))
        self.assertEqual(model.words.centroids.shape, (20, 8))
        self.assertEqual(model.words.sizes.sum(), model.samples)
        self.assertEqual(model.histograms.shape, (48, 20))
        self.assertEqual(model.histogram_images.tolist(), [i // 4 for i in range(48)])
        self.assertEqual(model.spacing_um, (None, None, None))
        self.assertIn("12 images of 3 classes by 20 words of 8 features", repr(model))
        said = json.loads(run("train", "train", "-o", "again.h5", "--json", *as_words(SMALL)))
        self.assertEqual(words.load("again.h5").left_out_accuracy(), said["left_out_accuracy"])

    def test_seeds_that_are_drawn_are_said(self):
        model = words.train("train", words=5, samples=50)
        words.train("train", words=5, samples=50, seed=model.seed).save("again.h5")
        model.save("drawn.h5")
        self.assertTrue(filecmp.cmp("drawn.h5", "again.h5", shallow=False))

    def test_depend_neither_on_threads_nor_on_memory(self):
        words.train("train", **SMALL, workers=1).save("one.h5")
        words.train("train", **SMALL, workers=3, memory="20M").save("three.h5")
        self.assertTrue(filecmp.cmp("one.h5", "three.h5", shallow=False))


class Verdicts(InFolders):
    def test_are_the_programs_line_for_line(self):
        for options in OPTIONS:
            with self.subTest(options):
                model = words.train("train", **{**SMALL, **options})
                model.save("model.h5", overwrite=True)
                told = run("classify", "test/wide", "test/fine/2.tif", "--model", "model.h5",
                           "--csv").splitlines()
                found = model.classify(["test/wide", "test/fine/2.tif"])
                self.assertEqual([as_line(verdict) for verdict in found], told[1:])
                told = json.loads(run("classify", "--classes", "test", "--model", "model.h5",
                                      "--json"))
                found = model.classify(classes="test")
                for one, other in zip(found, told["images"]):
                    self.assertEqual((one.image, one.known, one.votes, one.patches),
                                     (other["image"], other["known"], other["votes_by_class"],
                                      other["patches"]))
                    for nearest, theirs in zip(one.ranking, (other, other["next"])):
                        self.assertEqual((nearest.class_name, nearest.distance, nearest.image),
                                         (theirs["class"], theirs["distance"], theirs["nearest"]))
                share, (low, high) = words.accuracy(found)
                right, of_all, *interval = told["accuracy"].values()
                self.assertEqual((share, [low, high]), (right / of_all, interval))

    def test_rank_every_class_and_arrays_are_files_of_their_voxels(self):
        model = words.train("train", **SMALL)
        voxels = tifffile.imread("test/fine/1.tif")
        of_file, of_array, of_floats = model.classify(["test/fine/1.tif", voxels,
                                                       voxels.astype(float)])
        self.assertEqual(of_file.ranking, of_array.ranking)
        self.assertEqual(of_file.ranking, of_floats.ranking)
        self.assertEqual(of_array.image, "images[1]")
        self.assertEqual({nearest.class_name for nearest in of_file.ranking}, set(PERIODS))
        distances = [nearest.distance for nearest in of_file.ranking]
        self.assertEqual(distances, sorted(distances))
        for nearest in of_file.ranking:  # the least of those of its class
            same = [words.distance(model.histogram(voxels), known) for known, name in
                    zip(model.histograms, model.image_classes) if name == nearest.class_name]
            self.assertAlmostEqual(nearest.distance, min(same), places=12)
        self.assertEqual(model.classify(voxels)[0].ranking, of_file.ranking)
        self.assertEqual(model.classify([]), [])

    def test_of_volumes_know_the_voxel_size_of_arrays(self):
        generator = np.random.default_rng(2)
        for name in ("a", "b"):
            os.makedirs(f"stacks/{name}")
            self.write(f"stacks/{name}/0.tif",
                       generator.normal(0, 1, (9, 24, 24)).astype(np.float32), imagej=True,
                       resolution=(2, 2), metadata={"spacing": 1.5, "unit": "um", "axes": "ZYX"})
        model = words.train("stacks", bank="invariants", **SMALL)
        self.assertEqual(model.spacing_um, (1.5, 0.5, 0.5))
        voxels = tifffile.imread("stacks/a/0.tif")
        known = model.histograms[0]
        np.testing.assert_array_equal(model.histogram(voxels, spacing_um=(1.5, 0.5, 0.5)), known)
        self.assertFalse(np.array_equal(model.histogram(voxels), known))
        with self.assertWarnsRegex(UserWarning, "0.7 um apart"):
            model.histogram(voxels, spacing_um=(1.5, 0.7, 0.7))


class Words(InFolders):
    def test_of_voxels_are_those_that_the_program_assigns(self):
        self.write("stack.tif", np.stack([stripes(6, seed) for seed in range(5)]))
        for planes, shape in (("all", (5, 64, 64)), ("middle", (64, 64))):
            model = words.train("train", planes=planes, **SMALL)
            model.save("model.h5", overwrite=True)
            run("assign", "stack.tif", "--model", "model.h5", "-o", "map.tif", "--overwrite")
            found = model.word_map("stack.tif")
            self.assertEqual((found.shape, found.dtype), (shape, np.uint8))
            np.testing.assert_array_equal(found, tifffile.imread("map.tif"))
            np.testing.assert_array_equal(found, model.word_map(tifffile.imread("stack.tif")))
            shares = np.bincount(found.ravel(), minlength=20) / found.size
            np.testing.assert_allclose(model.histogram("stack.tif"), shares, atol=1e-6)
        plane = tifffile.imread("train/wide/0.tif")
        model = words.train("train", **SMALL)
        np.testing.assert_array_equal(model.word_map(plane), words.word_map(plane, model.words))
        self.assertEqual(model.word_map("train/wide/0.tif").shape, (64, 64))
        self.assertEqual(model.word_map(plane[None]).shape, (1, 64, 64))

    def test_of_patches_have_a_histogram_each(self):
        model = words.train("train", patch=(32, 32), **SMALL)
        found = model.histogram("train/middle/2.tif")
        np.testing.assert_array_equal(found, model.histograms[model.histogram_images == 6])


class Comparisons(InFolders):
    def test_are_the_programs(self):
        model = words.train("train", **SMALL)
        model.save("model.h5")
        for options, by in (
                ({**SMALL, "permutations": 99}, {}),
                ({"seed": 2, "permutations": 49}, {"model": model}),
                ({"seed": 2, "patch": (32, 32)}, {"model": "model.h5"}),
                ({**SMALL, "patch": (20, 30), "levels": 1, "distance": "intersection"}, {})):
            with self.subTest(options):
                told = json.loads(run("compare", "train/fine", "test/wide", "--json",
                                      *as_words(options),
                                      *(["--model", "model.h5"] if by else [])))
                found = words.compare("train/fine", "test/wide", **options, **by)
                for name in ("within_a", "within_b", "between", "energy", "p_energy", "accuracy",
                             "accuracy_by_chance", "p_accuracy", "permutations", "by_images",
                             "seed"):
                    self.assertEqual(getattr(found, name), told[name], name)
                self.assertEqual(found.model.words.inertia, told["training"]["inertia"])

    def test_have_a_row_for_each_image(self):
        found = words.compare("train/fine", "test/wide", **SMALL)
        table = found.images
        self.assertEqual(table["image"].tolist()[3:5], ["train/fine/3.tif", "test/wide/0.tif"])
        self.assertEqual(table["set"].tolist(), ["a"] * 4 + ["b"] * 4)
        self.assertEqual(table["textures"].tolist(), [1] * 8)
        # Means over sets of as many images
        self.assertAlmostEqual(table["to_own"][:4].mean(), found.within_a, places=12)
        self.assertAlmostEqual(table["to_own"][4:].mean(), found.within_b, places=12)
        self.assertAlmostEqual(table["to_other"].mean(), found.between, places=12)
        self.assertAlmostEqual(table["nearest_of_own"].mean(), found.accuracy, places=12)

    def test_of_patches_of_few_images_warn(self):
        with self.assertWarnsRegex(UserWarning, "p is then too small"):
            found = words.compare("train/fine/0.tif", "test/wide/0.tif", patch=(32, 32), **SMALL)
        self.assertFalse(found.by_images)


class Calls(InFolders):
    def test_tell_progress_and_end_where_it_raises(self):
        stages = []
        words.train("train", words=60, samples=2000, seed=1,
                    progress=lambda done, total, stage: stages.append((stage, done, total)))
        self.assertEqual(stages[-1], ("count words", 12, 12))

        class Enough(Exception):
            pass

        def listen(done, total, stage):
            raise Enough
        with self.assertRaises(Enough):
            words.train("train", words=60, samples=2000, seed=1, progress=listen)

    def test_share_a_model_between_threads(self):
        model = words.train("train", **SMALL)
        expected = model.classify("test/fine")
        found = [None] * 4

        def ask(i):
            found[i] = model.classify("test/fine", workers=1)
        threads = [threading.Thread(target=ask, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [expected] * 4)

    def test_refuse_what_is_wrong_in_a_sentence(self):
        model = words.train("train", **SMALL)
        model.save("model.h5")
        learned = words.compare("train/fine", "test/fine", **SMALL).model
        os.makedirs("lonely/class")
        self.write("lonely/class/0.tif", stripes(4, 1))
        for error, says, call in (
                (OSError, "none: it is not a folder", lambda: words.train("none")),
                (ValueError, "two or more classes", lambda: words.train("lonely")),
                (ValueError, "1 to 65536", lambda: words.train("train", words=70000)),
                (ValueError, "seed is -1", lambda: words.train("train", seed=-1)),
                (ValueError, "bank is 'gabor'", lambda: words.train("train", bank="gabor")),
                (ValueError, "planes is 'last'", lambda: words.train("train", planes="last")),
                (ValueError, "patch has 1 sizes", lambda: words.train("train", patch=(7,))),
                (ValueError, "the size 0", lambda: words.train("train", patch=(0, 8, 8))),
                (ValueError, "smaller", lambda: words.train("train", patch=(99, 99))),
                (ValueError, "1 to 1000000",
                 lambda: words.train("train", iterations=0)),
                (MemoryError, "raise memory", lambda: words.train("train", memory="100K")),
                (ValueError, "overwrite=True", lambda: model.save("model.h5")),
                (OSError, "none.h5", lambda: words.load("none.h5")),
                (ValueError, "train/fine/0.tif", lambda: words.load("train/fine/0.tif")),
                (OSError, "no such file", lambda: model.classify("none.tif")),
                (ValueError, "one of the two", model.classify),
                (ValueError, "NaN", lambda: model.classify(np.full((40, 40), np.nan))),
                (ValueError, "shape \\(40,\\)", lambda: model.classify([np.zeros(40)])),
                (ValueError, "looks like colours",
                 lambda: model.histogram(np.zeros((40, 40, 3), np.uint8))),
                (ValueError, "spacing_um has the value 0",
                 lambda: model.word_map(np.zeros((40, 40)), spacing_um=(1, 1, 0))),
                (ValueError, "but no textures", lambda: learned.classify("test/fine")),
                (ValueError, "words is for words that are learned",
                 lambda: words.compare("train/fine", "test/fine", model=model, words=30)),
                (ValueError, "permutations", lambda: words.compare("train", "test",
                                                                   permutations=0)),
                (ValueError, "two or more of each",
                 lambda: words.compare("train/fine/0.tif", "test/fine/0.tif", **SMALL))):
            with self.subTest(says), self.assertRaisesRegex(error, says):
                call()
        self.assertEqual(sorted(os.listdir()), ["lonely", "model.h5", "test", "train"])


if __name__ == "__main__":
    warnings.simplefilter("error")
    unittest.main(argv=sys.argv[:1])
