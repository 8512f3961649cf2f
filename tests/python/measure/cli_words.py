# SPDX-License-Identifier: MIT
# tests/python/measure/cli_words.py — visual words as a user meets them: train, assign, classify,
# compare.
import csv
import io
import json
import os
import sys

from program import SKIPPED, SOURCE, ProgramTest, main, numpy, scipy

try:
    import h5py
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(SKIPPED)

USAGE, INPUT, IO, MEMORY = 2, 3, 4, 5
SCENES = os.path.join(SOURCE, "examples", "textures")


def stripes(period, seed, shape=(64, 64)):
    """Stripes that are turned any way, with noise."""
    generator = numpy.random.default_rng(seed)
    y, x = numpy.mgrid[:shape[0], :shape[1]]
    turn = generator.uniform(0, numpy.pi)
    wave = numpy.sin(2 * numpy.pi * (numpy.cos(turn) * x + numpy.sin(turn) * y) / period)
    return numpy.rint(1000 + 200 * wave + 60 * generator.normal(size=shape)).astype(numpy.uint16)


class WordsTest(ProgramTest):
    def make_set(self, folder, first_seed, count=4):
        for name, period in (("fine", 4), ("middle", 8), ("wide", 16)):
            os.makedirs(self.path(f"{folder}/{name}"), exist_ok=True)
            for i in range(count):
                self.write(f"{folder}/{name}/{i}.tif", stripes(period, first_seed + i))

    def train(self, *options, model="model.h5", words=20, samples=200):
        return self.result_of("words", "train", "train", "-o", model, "--seed", 3, "--words", words,
                              "--samples", samples, *options)

    def refuse(self, code, said, *words):
        result = self.command("words", *words)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertIn(said, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)

    def features(self, name):
        """What tells a voxel: responses of the bank over the image's standard deviation."""
        self.succeed("filter", name, "--bank", "mr8", "-o", "responses.tif", "--output-type",
                     "float32", "--overwrite")
        image = self.read(name)
        responses = self.read("responses.tif").reshape(-1, 8, *image.shape[-2:])
        return responses / image.std()

    def test_images_get_the_class_they_are_of(self):
        self.make_set("train", 0)
        self.make_set("test", 100)
        trained = self.train()
        self.assertEqual([c["name"] for c in trained["classes"]], ["fine", "middle", "wide"])
        self.assertEqual((trained["words"], trained["features"], trained["samples"]),
                         (20, 8, 12 * 200))
        self.assertEqual(trained["left_out_accuracy"], 1)
        told = json.loads(self.succeed("words", "classify", "--classes", "test", "--model",
                                       "model.h5", "--json"))
        self.assertEqual(told["accuracy"]["right"], 12)
        self.assertAlmostEqual(told["accuracy"]["low"], 0.7575, 4)  # of 12 of 12, by Wilson
        for image in told["images"]:
            self.assertEqual(image["class"], image["known"])
            self.assertGreater(image["next"]["distance"], image["distance"])
        table = self.succeed("words", "classify", "--classes", "test", "--model", "model.h5")
        self.assertIn("12 of 12 are classified correctly: 100.0 %", table)
        rows = list(csv.DictReader(io.StringIO(self.succeed(
            "words", "classify", "test/fine", "test/wide/1.tif", "--model", "model.h5", "--csv"))))
        self.assertEqual([row["class"] for row in rows], ["fine"] * 4 + ["wide"])
        self.assertEqual(rows[-1]["image"], "test/wide/1.tif")

    def test_words_are_those_nearest_to_the_features_and_histograms_count_them(self):
        self.make_set("train", 0)
        self.train(samples=300)
        with h5py.File(self.path("model.h5")) as model:
            centroids = model["dictionary/centroid"][()]
            histograms = model["texture/histogram"][()]
            record = json.loads(model.attrs["provenance"])
        self.assertEqual(record["classes"], ["fine", "middle", "wide"])
        self.assertEqual(record["images"][5], "train/middle/1.tif")
        self.succeed("words", "assign", "train/middle/1.tif", "--model", "model.h5", "-o",
                     "words.tif")
        words = self.read("words.tif")
        self.assertEqual(words.dtype, numpy.uint8)
        features = numpy.moveaxis(self.features("train/middle/1.tif")[0], 0, -1)
        distances = ((features[..., None, :] - centroids.astype(float))**2).sum(-1)
        found = numpy.take_along_axis(distances, words[..., None].astype(int), -1)[..., 0]
        self.assertLessEqual((found - distances.min(-1)).max(), 1e-5 * distances.max())
        self.assertLess((words != distances.argmin(-1)).mean(), 1e-3)  # but for rounding
        counts = numpy.bincount(words.ravel(), minlength=20) / words.size
        self.assertLess(abs(counts - histograms[5]).max(), 1e-6)

    def test_neither_threads_nor_memory_change_a_byte(self):
        self.make_set("train", 0, 2)
        self.train("--threads", "1", model="one.h5")
        self.train("--threads", "3", "--memory", "200M", model="three.h5")
        files = self.files(".")
        self.assertEqual(files["one.h5"], files["three.h5"])
        for model, words in (("one.h5", "a.tif"), ("three.h5", "b.tif")):
            self.succeed("words", "assign", "train/fine/0.tif", "--model", model, "-o", words,
                         "--tiff-flavor", "plain")
        self.assertTrue(numpy.array_equal(self.read("a.tif"), self.read("b.tif")))

    def test_sets_of_one_texture_are_alike_and_others_are_not(self):
        for folder, period, seed in (("a", 8, 0), ("b", 8, 50), ("c", 11, 90)):
            os.makedirs(self.path(folder))
            for i in range(6):
                self.write(f"{folder}/{i}.tif", stripes(period, seed + i))
        compare = lambda *words: json.loads(self.succeed(
            "words", "compare", *words, "--json", "--seed", "1", "--permutations", "199"))
        learning = ("--words", "20", "--samples", "200")
        alike, apart = compare("a", "b", *learning), compare("a", "c", *learning)
        self.assertTrue(alike["by_images"])
        self.assertGreater(alike["p_energy"], 0.05)
        self.assertLess(alike["accuracy"], 0.9)
        self.assertLessEqual(apart["p_energy"], 0.02)
        self.assertEqual(apart["accuracy"], 1)
        self.assertGreater(apart["between"], 2 * apart["within_a"])
        text = self.succeed("words", "compare", "a/0.tif", "c/0.tif", "--patch", "32,32", "--seed",
                            "1", "--words", "20", "--samples", "500")
        self.assertIn("A: 1 image, cut into 4 patches", text)
        self.make_set("train", 0)
        self.train()
        self.assertEqual(compare("a", "c", "--model", "model.h5")["accuracy"], 1)

    def test_images_that_are_alone_in_their_class_are_not_asked_for_it(self):
        for name, period in (("fine", 4), ("wide", 16)):
            os.makedirs(self.path(f"train/{name}"))
            self.write(f"train/{name}/0.tif", stripes(period, 7))
        trained = self.train()
        self.assertIsNone(trained["left_out_accuracy"])
        self.assertEqual(trained["alone_in_class"], 2)
        self.write("train/fine/1.tif", stripes(4, 8))
        said = self.succeed("words", "train", "train", "-o", "model.h5", "--overwrite", "--words",
                            "10", "--samples", "200")
        self.assertIn("100.0 % of them are classified correctly by the others, without 1, each",
                      said)

    def test_stacks_colours_and_patches(self):
        generator = numpy.random.default_rng(1)
        for name, period in (("fine", 4), ("wide", 16)):
            os.makedirs(self.path(f"train/{name}"))
            grey = stripes(period, 7)
            colour = numpy.stack([grey / 8, grey / 16, generator.uniform(0, 9, grey.shape)], -1)
            self.write(f"train/{name}/0.tif", colour.astype(numpy.uint8), photometric="rgb")
            self.write(f"train/{name}/1.tif", numpy.stack([stripes(period, s) for s in (1, 2, 3)]))
        trained = self.train("--patch", "1,32,32", "--planes", "middle", "--levels", "1")
        self.assertEqual(trained["textures"], 4 * 4)
        told = json.loads(self.succeed("words", "classify", "train/wide/1.tif", "--model",
                                       "model.h5", "--json"))["images"][0]
        self.assertEqual((told["class"], told["patches"], told["votes"]), ("wide", 4, 4))
        self.succeed("words", "assign", "train/fine/0.tif", "--model", "model.h5", "-o", "w.tif")
        self.assertEqual(self.read("w.tif").shape, (64, 64))

    def test_volumes_are_told_by_turning_invariants(self):
        generator = numpy.random.default_rng(5)
        for name, sigma in (("fine", 0.8), ("coarse", 2.5)):
            os.makedirs(self.path(f"train/{name}"))
            for i in range(3):
                blobs = scipy.ndimage.gaussian_filter(generator.normal(size=(12, 40, 40)), sigma)
                self.write(f"train/{name}/{i}.tif", blobs.astype(numpy.float32))
        trained = self.train("--bank", "invariants", samples=500)
        self.assertEqual(trained["features"], 14)
        self.assertEqual(trained["left_out_accuracy"], 1)

    def test_what_is_wrong_is_said(self):
        self.make_set("train", 0, 2)
        self.train()
        os.makedirs(self.path("one/class"))
        self.write("one/class/0.tif", stripes(4, 1))
        self.write("nan.tif", numpy.full((40, 40), numpy.nan, numpy.float32))
        self.text("text.h5", "no model")
        for code, said, *words in (
                (IO, "none", "train", "none", "-o", "m.h5"),
                (USAGE, "two or more classes", "train", "one", "-o", "m.h5"),
                (USAGE, "exists", "train", "train", "-o", "model.h5"),
                (USAGE, "words", "train", "train", "-o", "m.h5", "--words", "70000"),
                (USAGE, "Y,X", "train", "train", "-o", "m.h5", "--patch", "7,7,7,7"),
                (USAGE, "smaller", "train", "train", "-o", "m.h5", "--patch", "99,99"),
                (MEMORY, "--memory", "train", "train", "-o", "m.h5", "--samples", "4000",
                 "--memory", "9M"),
                (IO, "none.h5", "classify", "nan.tif", "--model", "none.h5"),
                (INPUT, "text.h5", "classify", "nan.tif", "--model", "text.h5"),
                (INPUT, "NaN", "classify", "nan.tif", "--model", "model.h5"),
                (USAGE, "--classes", "classify", "--model", "model.h5"),
                (USAGE, "--words has an effect only without --model", "compare", "train/fine",
                 "train/wide", "--model", "model.h5", "--words", "30"),
                (USAGE, "--planes has an effect only without --model", "compare", "train/fine",
                 "train/wide", "--model", "model.h5", "--planes", "middle"),
                (USAGE, "two or more of each", "compare", "train/fine/0.tif", "train/wide/0.tif"),
                (USAGE, "words train, words assign", "trian", "train"),
        ):
            with self.subTest(words=words):
                self.refuse(code, said, *words)
        self.assertNotIn("m.h5", self.listing())
        self.assertIn("words compare", self.succeed("words", "--help"))

    def test_five_kinds_of_simulated_cells_are_told_apart(self):
        kinds = ("tissue", "rna_spots", "vesicles", "chromatin_hl60", "chromatin_granulocyte")
        os.mkdir(self.path("made"))
        for kind in kinds:
            self.succeed("simulate", os.path.join(SCENES, f"{kind}.toml"), "--set", "frames=8",
                         "--set", "grid.size=[7,128,128]", "--set", "optics.size=[13,33,33]",
                         *self.fewer(kind), "--truth-layout", "stardist", "-o", f"made/{kind}")
            for part in ("train", "test"):
                os.makedirs(self.path(f"{part}/{kind}"))
            images = self.path(f"made/{kind}/images")
            for i, name in enumerate(sorted(os.listdir(images))):
                os.rename(os.path.join(images, name),
                          self.path(f"{'test' if i % 2 else 'train'}/{kind}/{name}"))
        self.train("--planes", "middle", words=50, samples=1000)
        told = json.loads(self.succeed("words", "classify", "--classes", "test", "--model",
                                       "model.h5", "--json"))["accuracy"]
        self.assertEqual(told["all"], 20)
        self.assertGreaterEqual(told["right"], 19)

    @staticmethod
    def fewer(kind):
        """Objects for a field of less than half the area."""
        few = {"tissue": "tissue.count=25", "chromatin_hl60": "nuclei.count=2",
               "chromatin_granulocyte": "nuclei.count=3"}.get(kind)
        return ["--set", few] if few else []


if __name__ == "__main__":
    main()
