# SPDX-License-Identifier: MIT
# tests/python/images/cli_gpu.py — where a run takes place: options that choose it, and what is
# refused.
import json
import os

import numpy

from program import ProgramTest, TINY_SCENE, main, random_volume

USAGE, DEVICE = 2, 6


class Gpus(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("image.tif", random_volume((9, 30, 31), 1, numpy.uint16))
        kernel = numpy.zeros((3, 5, 5), "float32")
        kernel[1, 1:-1, 1:-1] = 1
        self.write("kernel.tif", kernel)
        self.there = len(json.loads(self.succeed("devices", "--json"))["gpus"])

    def convolve(self, *options):
        return self.command("convolve", "image.tif", "kernel.tif", "-o", "out.tif", *options)

    def test_a_small_image_is_convolved_by_the_host_unless_a_gpu_is_demanded(self):
        for options in ((), ("--gpus", "auto"), ("--gpus", "none")):
            plan = self.result_of("plan", "convolve", "image.tif", "kernel.tif", *options)
            self.assertEqual(plan["where"], "host")
            self.assertIsNone(plan["machine"]["gpu"])
            result = self.convolve("--json", "--overwrite", *options)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(result.stderr, "")
            self.assertNotRegex(json.loads(result.stdout)["run"]["instruction_set"], "^sm_")

    def test_a_gpu_that_is_demanded_and_not_there_is_refused_before_anything_is_made(self):
        hidden = {**os.environ, "XDG_CACHE_HOME": self.folder, "CUDA_VISIBLE_DEVICES": ""}
        for gpus in ("all", "0", "0,2", "GPU-5c2"):
            for command in (("convolve", "image.tif", "kernel.tif", "-o", "out.tif"),
                            ("plan", "convolve", "image.tif", "kernel.tif"),
                            ("filter", "image.tif", "-o", "out.tif", "--gaussian", "1"),
                            ("variance", "image.tif", "-o", "out.tif", "--window", "box:3"),
                            ("simulate", self.text("scene.toml", TINY_SCENE), "-o", "made")):
                result = self.command(*command, "--gpus", gpus, env=hidden)
                self.assertEqual(result.returncode, DEVICE, result.stderr)
                self.assertRegex(result.stderr,
                                 f"^synthoscope: error: --gpus {gpus}: .*; give --gpus none, or "
                                 "leave --gpus out\n$")
        self.assertNotIn("out.tif", self.listing())
        self.assertNotIn("made", self.listing())

    def test_the_host_does_it_where_that_is_allowed_and_says_so(self):
        hidden = {**os.environ, "XDG_CACHE_HOME": self.folder, "CUDA_VISIBLE_DEVICES": ""}
        expected = json.loads(self.convolve("--gpus", "none", "--json").stdout)
        for options in (("--gpus", "all"), ("--gpus=0", "--gpu-memory", "1G")):
            result = self.command("convolve", "image.tif", "kernel.tif", "-o", "again.tif",
                                  "--overwrite", "--json", "--allow-cpu-fallback", *options,
                                  env=hidden)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("warning: the run on a GPU failed (--gpus ", result.stderr)
            said = json.loads(result.stdout)
            self.assertEqual(len(said["warnings"]), 1)
            self.assertEqual(said["run"]["instruction_set"], expected["run"]["instruction_set"])
            numpy.testing.assert_array_equal(self.read("again.tif"), self.read("out.tif"))

    def test_what_is_no_choice_of_gpus_is_refused(self):
        for options, part in ((("--gpus", ""), "no GPU is named"),
                              (("--gpu-memory", "much"), "much")):
            result = self.convolve(*options)
            self.assertEqual(result.returncode, USAGE, result.stderr)
            self.assertIn(part, result.stderr)
        if self.there:
            result = self.convolve("--gpus", "77")
            self.assertEqual(result.returncode, USAGE, result.stderr)
            self.assertIn("'77' matches none of them", result.stderr)

    def test_a_plan_for_a_gpu_that_names_none_is_no_plan(self):
        plan = self.result_of("plan", "convolve", "image.tif", "kernel.tif",
                              "--strategy", "in-core")
        plan["where"] = "GPU"
        with open(self.path("plan.json"), "w", encoding="utf-8") as file:
            json.dump(plan, file)
        result = self.convolve("--plan", "plan.json")
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("it runs on a GPU, but does not name it", result.stderr)


if __name__ == "__main__":
    main()
