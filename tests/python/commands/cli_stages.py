# SPDX-License-Identifier: MIT
# tests/python/commands/cli_stages.py — every second of a command is in a stage of its --json
# result.
import json
import time
import unittest

import numpy

from program import ProgramTest, main

SCENE = """
seed = 1
[grid]
size = [48, 320, 320]
pitch_nm = [200, 100, 100]
[nuclei]
count = 12
"""
CAMERA = """
kind = "emccd"
"""


class Stages(ProgramTest):
    """Runs of a second or so, beside which the start of a process is short."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        random = numpy.random.default_rng(1)
        cls.image = random.integers(0, 4000, (64, 512, 512)).astype(numpy.uint16)
        cls.photons = random.random((48, 512, 512), numpy.float32) * 500

    def setUp(self):
        super().setUp()
        self.write("image.tif", self.image)
        self.write("photons.tif", self.photons)
        self.write("kernel.tif", numpy.ones((9, 21, 21), numpy.float32))
        self.text("scene.toml", SCENE)
        self.text("camera.toml", CAMERA)

    commands = (
        ("convolve", "image.tif", "kernel.tif", "-o", "out.tif"),
        ("convolve", "image.tif", "kernel.tif", "-o", "certified.tif", "--certify", "200"),
        ("filter", "image.tif", "--gaussian", "3", "-o", "filtered.tif"),
        ("resample", "image.tif", "--rotate", "20", "-o", "rotated.tif"),
        ("variance", "image.tif", "--window", "gaussian:3", "-o", "variance.tif"),
        ("detect", "photons.tif", "--camera", "camera.toml", "-o", "counts.tif"),
        ("psf", "--model", "richards-wolf", "--size", "65,257,257", "-o", "psf.tif"),
        ("phantom", "scene.toml", "-o", "phantom.tif"),
        ("simulate", "scene.toml", "-o", "set"),
    )

    def times(self, command):
        """Seconds outside, seconds inside, and those of the stages."""
        begin = time.monotonic()
        gpus = () if command[0] in ("psf", "phantom") else ("--gpus", "none")
        printed = self.succeed(*command, "--json", "--threads", "2", *gpus)
        outside = time.monotonic() - begin
        run = json.loads(printed)["run"]
        return outside, run["wall_seconds"], run["stages"]

    def test_sum_to_the_wall_time_of_the_process(self):
        for command in self.commands:
            with self.subTest(command[0]):
                outside, inside, stages = self.times(command)
                self.assertGreaterEqual(sum(stages.values()), 0.95 * inside, stages)
                self.assertLessEqual(sum(stages.values()), 1.01 * inside, stages)
                self.assertLessEqual(inside, outside)
                self.assertGreater(inside, 0.9 * outside - 0.05)
                self.assertGreaterEqual(min(stages.values()), 0)
                self.assertIn("start", stages)


if __name__ == "__main__":
    main()
