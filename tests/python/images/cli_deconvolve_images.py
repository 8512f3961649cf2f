# SPDX-License-Identifier: MIT
# tests/python/images/cli_deconvolve_images.py — several images in one call, pictures of results,
# results that are certified, and runs whose files are already there.
import json
import os
import signal

from held_run import HeldTest, needs_held_runs
from program import main, numpy, random_volume

USAGE, INPUT = 2, 3


def gaussian(shape, sigma):
    grid = numpy.indices(shape).astype("f8")
    distance = sum((g - (n - 1) / 2) ** 2 for g, n in zip(grid, shape))
    weights = numpy.exp(-distance / (2 * sigma ** 2))
    return (weights / weights.sum()).astype("f4")


class Images(HeldTest):
    NAMES = "one", "two", "three"

    def setUp(self):
        super().setUp()
        for i, name in enumerate(self.NAMES):
            self.write(f"{name}.tif", 20 + 200 * random_volume((6, 26, 30), i) ** 4)
        self.write("psf.tif", gaussian((3, 7, 7), 1.4))
        self.images = [f"{name}.tif" for name in self.NAMES]

    def words(self, *options, images=None, output="out"):
        return ["deconvolve", *(images or self.images), "psf.tif", "-o", output, "--iterations",
                "3", "--threads", "2", *options]

    def alone(self, name, *options):
        self.succeed(*self.words("--overwrite", *options, images=[f"{name}.tif"],
                                 output=f"{name}-alone.tif"))
        return self.read(f"{name}-alone.tif")

    def record(self, name):
        with open(self.path(f"out/{name}.ome.tif.json"), encoding="utf-8") as file:
            return json.load(file)


class Several(Images):
    def test_have_the_results_that_each_has_alone(self):
        report = self.result_of(*self.words())
        self.assertEqual([result["output"] for result in report["results"]],
                         [f"out/{name}.ome.tif" for name in self.NAMES])
        self.assertEqual([result["image"] for result in report["results"]], self.images)
        for name in self.NAMES:
            self.assertTrue((self.read(f"out/{name}.ome.tif") == self.alone(name)).all())
            inputs = [entry["path"] for entry in self.record(name)["inputs"]]
            self.assertEqual(inputs, [f"{name}.tif", "psf.tif"])
            self.assertNotIn("start", self.record(name)["stages"])

    def test_report_one_after_another(self):
        said = self.command(*self.words("--progress", "json", "--method", "rl"))
        lines = said.stdout.splitlines()
        self.assertEqual([line.split(":")[0] for line in lines],
                         [f"out/{name}.ome.tif" for name in self.NAMES])
        for i, name in enumerate(self.NAMES):
            self.assertIn(f'"image {i + 1}/3, {name}: iteration 2/3', said.stderr)
            self.assertIn(f"image {i + 1}/3, {name}: the background of {name}.tif", said.stderr)

    def test_have_their_own_warnings_in_their_records(self):
        self.write("two.tif", numpy.full((6, 26, 30), 255, "u1"))
        self.succeed(*self.words("--background", "none"))
        of_all = [" ".join(self.record(name).get("warnings", [])) for name in self.NAMES]
        self.assertIn("saturated", of_all[1])
        self.assertNotIn("saturated", of_all[0] + of_all[2])

    def test_are_named_by_their_format_and_array(self):
        self.succeed("convert", "one.tif", "-o", "a.h5:/cells/1")
        self.succeed(*self.words("--format", "hdf5", images=["a.h5:/cells/1", "two.tif"]))
        self.assertEqual(sorted(name for name in os.listdir(self.path("out"))
                                if not name.endswith("json")), ["a-cells-1.h5", "two.h5"])

    def test_of_one_name_are_refused(self):
        os.mkdir(self.path("other"))
        self.write("other/one.ome.tif", random_volume((3, 9, 9), 1))
        self.refused(USAGE, ["one.tif", "other/one.ome.tif", "would both be called one"],
                     *self.words(images=["one.tif", "other/one.ome.tif"]))
        self.refused(USAGE, ["one.tif is a file", "folder"], *self.words(output="one.tif"))
        self.refused(USAGE, ["new.tif is the name of a file"], *self.words(output="new.tif"))
        self.refused(USAGE, ["--allow-cpu-fallback", "--resume and --gpus none"],
                     *self.words("--allow-cpu-fallback"))
        self.assertNotIn("out", self.listing())

    def test_need_a_psf(self):
        self.refused(USAGE, ["PSF is missing"], "deconvolve", "one.tif", "-o", "out.tif")

    def test_that_fail_say_which(self):
        self.write("two.tif", numpy.full((6, 26, 30), numpy.nan, "f4"))
        self.text("three.tif", "no image")
        self.refused_after(INPUT, ["image 2/3, two: ", "NaN"], "out/one.ome.tif",
                           *self.words())
        self.assertEqual(sorted(os.listdir(self.path("out"))),
                         ["one.ome.tif", "one.ome.tif.json"])

    def refused_after(self, code, words, made, *arguments):
        result = self.command(*arguments)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertTrue(result.stdout.startswith(made), result.stdout)
        for word in words:
            self.assertIn(word, result.stderr)

    def test_leave_no_folder_if_the_first_one_fails(self):
        self.write("one.tif", numpy.full((6, 26, 30), numpy.nan, "f4"))
        self.refused(INPUT, ["image 1/3, one: "], *self.words())
        self.assertNotIn("out", self.listing())

    def test_are_planned(self):
        plans = self.result_of(*self.words("--dry-run"))["results"]
        self.assertEqual([sorted(plan)[:2] for plan in plans], [["adjoint", "blur"]] * 3)
        self.assertEqual([plan["image"] for plan in plans], self.images)
        text = self.succeed(*self.words("--dry-run"))
        self.assertEqual([name for name in self.images if f"{name}:\n" in text], self.images)
        self.assertNotIn("out", self.listing())


class Finished(Images):
    def test_results_are_kept(self):
        self.succeed(*self.words(images=self.images[:2]))
        before = self.files("out")
        report = self.result_of(*self.words("--resume"))
        self.assertEqual([result["was_finished"] for result in report["results"]],
                         [True, True, False])
        self.assertEqual([result["iterations"] for result in report["results"]], [3, 3, 3])
        after = self.files("out")
        self.assertEqual({name: after[name] for name in before}, before)
        self.assertTrue((self.read("out/three.ome.tif") == self.alone("three")).all())

    def test_results_of_another_request_are_not(self):
        self.succeed(*self.words())
        self.refused(USAGE, ["image 1/3, one: ", "exists already", "--overwrite"],
                     *self.words("--resume", "--method", "rl"))
        self.write("two.tif", 20 + 200 * random_volume((6, 26, 30), 9) ** 4)
        report = self.result_of(*self.words("--resume", "--overwrite"))
        self.assertEqual([result["was_finished"] for result in report["results"]],
                         [True, False, True])
        report = self.result_of(*self.words("--resume", "--overwrite", "--compression", "zstd",
                                            images=self.images[:2]))
        self.assertEqual([result["was_finished"] for result in report["results"]], [False] * 2)

    def test_result_of_one_image_is_kept(self):
        call = self.words(images=["one.tif"], output="out.tif")
        self.succeed(*call)
        report = self.result_of(*call, "--resume")
        self.assertTrue(report["was_finished"])
        self.assertEqual(len(report["log_likelihoods"]), 3)

    def test_results_of_a_single_pass_are_kept(self):
        call = ["deconvolve", "one.tif", "psf.tif", "-o", "out.tif", "--method", "wiener"]
        said = self.command(*call, "--resume")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("wiener is a single pass without checkpoints", said.stderr)
        self.assertTrue(self.result_of(*call, "--resume")["was_finished"])

    def test_results_get_their_pictures_later(self):
        self.succeed(*self.words())
        self.succeed(*self.words("--resume", "--preview", "out"))
        self.text("out/two.png", "kept")
        os.remove(self.path("out/one.png"))
        self.succeed(*self.words("--resume", "--preview", "out"))
        self.assertEqual(self.files("out")["two.png"], b"kept")
        self.assertIn("one.png", self.files("out"))

    @needs_held_runs
    def test_stopped_work_says_how_it_goes_on(self):
        ended = self.meet(signal.SIGTERM, *self.words("--checkpoint-every", "0"), at=1,
                          name="two.ome.tif.checkpoint")
        self.assertEqual(ended.returncode, 7, ended.stderr)
        self.assertIn("1 of 3 images are finished", ended.stderr)
        self.assertIn("--resume continues with two.tif", ended.stderr)

    @needs_held_runs
    def test_work_goes_on_in_the_image_that_was_interrupted(self):
        call = self.words("--checkpoint-every", "0")
        calls = self.calls_of(*self.words("--checkpoint-every", "0", output="counted"),
                              name="two.ome.tif.checkpoint")
        ended = self.meet(signal.SIGKILL, *call, at=int(1.5 * calls / 2),
                          name="two.ome.tif.checkpoint")
        self.assertEqual(ended.returncode, -signal.SIGKILL, ended.stderr)
        said = self.command(*call, "--resume")
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("image 2/3, two: goes on after 1 iterations", said.stderr)
        for name in self.NAMES:
            self.assertTrue((self.read(f"out/{name}.ome.tif") == self.alone(name)).all())
        self.assertFalse([name for name in os.listdir(self.path("out")) if "checkpoint" in name])


class Checkpoint(Images):
    def test_of_another_program_is_never_replaced(self):
        for text in ("my notes", "my notes" * 1000):
            self.text("out.tif.checkpoint", text)
            for options in ([], ["--resume"]):
                with self.subTest(options=options, bytes=len(text)):
                    call = self.words(*options, images=["one.tif"], output="out.tif")
                    self.refused(INPUT, ["out.tif.checkpoint is no checkpoint", "move it"], *call)
            with open(self.path("out.tif.checkpoint"), encoding="utf-8") as file:
                self.assertEqual(file.read(), text)


class Previews(Images):
    def size_of(self, name):
        with open(self.path(name), "rb") as file:
            head = file.read(24)
        self.assertEqual(head[:8], b"\x89PNG\r\n\x1a\n")
        return int.from_bytes(head[16:20], "big"), int.from_bytes(head[20:24], "big")

    def test_show_the_image_beside_the_result(self):
        self.succeed(*self.words("--preview", "out.png", images=["one.tif"], output="out.tif"))
        self.succeed("show", "out.tif", "-o", "alone.png", "--projection", "max")
        wide, high = self.size_of("out.png")
        its_width, its_height = self.size_of("alone.png")
        self.assertAlmostEqual(wide / high, 2 * its_width / its_height, delta=0.1)

    def test_of_several_images_lie_in_a_folder(self):
        report = self.result_of(*self.words("--preview", "out"))
        for name, result in zip(self.NAMES, report["results"]):
            self.assertEqual(result["preview"], f"out/{name}.png")
            self.size_of(f"out/{name}.png")
        self.refused(USAGE, ["one picture of several images", "folder"],
                     *self.words("--overwrite", "--preview", "all.png"))

    def test_are_refused_before_any_work(self):
        self.text("there.png", "mine")
        for words, name in ((["there.png", "exists", "--overwrite"], "there.png"),
                            (["name of a PNG", "a.png"], "a.jpg"),
                            (["psf.tif"], "psf.tif")):
            with self.subTest(name=name):
                self.refused(USAGE, words, *self.words("--preview", name, images=["one.tif"],
                                                       output="out.tif"))
        self.assertNotIn("out.tif", self.listing())


class Certified(Images):
    def certificate(self, *options):
        call = self.words("--certify", "40", "--overwrite", *options, images=["one.tif"],
                          output="out.tif")
        report = self.result_of(*call)
        with open(self.path("out.tif.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["found"]["certificate"], report["certificate"])
        return report["certificate"]

    def test_convolutions_keep_to_their_definition(self):
        for options in ([], ["--method", "rl", "--edge", "wrap"], ["--strategy", "ring"]):
            with self.subTest(options=options):
                found = self.certificate(*options)
                for step in ("blur", "back"):
                    self.assertEqual(found[step]["voxels"], 40)
                    self.assertLess(found[step]["largest_error"], found[step]["tolerance"])
                products = found["adjointness"]
                self.assertLess(products["difference"], products["allowed"])
                self.assertLess(products["allowed"], 1e-5 * abs(products["blurred"]))
                plain = self.alone("one", *options)
                self.assertTrue((self.read("out.tif") == plain).all())

    def test_back_projector_is_no_adjoint(self):
        found = self.certificate("--method", "wb")
        self.assertEqual(sorted(found), ["back", "blur"])

    def test_linear_filter_has_one_pass(self):
        call = ["deconvolve", "one.tif", "psf.tif", "--method", "wiener", "-o"]
        found = self.result_of(*call, "out.tif", "--certify", "30")["certificate"]
        self.assertEqual(sorted(found), ["filter"])
        self.assertLess(found["filter"]["largest_error"], found["filter"]["tolerance"])
        self.succeed(*call, "plain.tif")
        self.assertTrue((self.read("out.tif") == self.read("plain.tif")).all())

    def test_volumes_may_lie_in_files(self):
        self.write("one.tif", random_volume((60, 160, 170), 8) * 100)
        report = self.result_of(*self.words("--certify", "20", "--memory", "30M",
                                            images=["one.tif"], output="out.tif"))
        self.assertTrue(report["scratch_files"])
        self.assertLess(report["certificate"]["blur"]["largest_error"],
                        report["certificate"]["blur"]["tolerance"])


if __name__ == "__main__":
    main()
