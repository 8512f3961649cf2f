# SPDX-License-Identifier: MIT
# tests/python/simulate/cli_simulate_memory.py — a scene larger than --memory is simulated within
# it, and its images are those of a run without a limit.
import json
import os
import re
import subprocess
import time

import numpy

from program import PROGRAM, ProgramTest, main

# The stacks have 118 MB, and convolving this in one piece takes some 76 MiB.
SCENE = """seed = 7
[grid]
size = [144, 320, 320]
pitch_nm = [300, 150, 150]
[nuclei]
count = 6
radius_um = 2.5
gap_um = 0.2
[background]
photons_per_pixel = 3
[optics]
na = 1.1
size = [15, 31, 31]
"""
MEMORY_MIB = 24
STACKS = ["image", "labels", "photons"]


def anonymous_mib(process):
    """Resident memory that belongs to no file, now; 0 when the process is gone."""
    try:
        with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
            found = re.search(r"^RssAnon:\s+(\d+) kB", file.read(), re.MULTILINE)
    except OSError:
        return 0
    return int(found[1]) / 1024 if found else 0


class SimulateWithin(ProgramTest):
    def peak_mib(self, *arguments):
        """Runs, and returns the largest anonymous memory seen on the way. A busy machine sees less
        than there was: this is for upper bounds alone."""
        command = [PROGRAM, *map(str, arguments), "--quiet"]
        peak = 0
        with open(os.devnull, "w", encoding="ascii") as nowhere, \
                subprocess.Popen(command, cwd=self.folder, stdout=nowhere,
                                 stderr=subprocess.PIPE, text=True) as process:
            while process.poll() is None:
                peak = max(peak, anonymous_mib(process))
                time.sleep(0.002)
            self.assertEqual(process.returncode, 0, process.stderr.read())
        return peak

    def setUp(self):
        super().setUp()
        self.text("scene.toml", SCENE)

    def test_a_scene_several_times_larger_gives_the_same_images(self):
        if not os.path.exists("/proc/self/status"):
            self.skipTest("this system does not tell how much memory a process holds")
        in_one_piece = ("simulate", "scene.toml", "-o", "free", "--strategy", "in-core", "--quiet")
        too_little = self.command(*in_one_piece, "--memory", f"{3 * MEMORY_MIB}M")
        self.assertEqual(too_little.returncode, 5, too_little.stderr)
        self.succeed(*in_one_piece)
        small = self.peak_mib("simulate", "scene.toml", "-o", "small", "--threads", 2,
                              "--memory", f"{MEMORY_MIB}M")
        self.assertLessEqual(small, MEMORY_MIB)
        stacks = sum(os.path.getsize(self.path(f"small/{name}.ome.tif")) for name in STACKS)
        self.assertGreater(stacks, 4 * MEMORY_MIB * 2**20)

        numpy.testing.assert_array_equal(self.read("small/labels.ome.tif"),
                                         self.read("free/labels.ome.tif"))
        photons = self.read("free/photons.ome.tif")
        difference = numpy.abs(self.read("small/photons.ome.tif") - photons).max()
        self.assertLessEqual(difference, 2e-6 * photons.max())
        # A photon mean that moves by rounding moves few counts, and those hardly
        counts = [self.read(f"{folder}/image.ome.tif").astype(int) for folder in ("free", "small")]
        moved = counts[0] != counts[1]
        self.assertLess(moved.mean(), 1e-3)

    def test_a_finer_grid_of_the_blur_keeps_within_it_too(self):
        if not os.path.exists("/proc/self/status"):
            self.skipTest("this system does not tell how much memory a process holds")
        size = ("--set", "optics.oversample=2", "--set", "optics.size=15,61,61", "--set",
                "grid.size=48,320,320", "--threads", 2)
        peak = self.peak_mib("simulate", "scene.toml", "-o", "fine", *size, "--memory", "32M")
        self.assertLessEqual(peak, 32)
        self.assertEqual(self.read("fine/photons.ome.tif").shape, (48, 320, 320))

    def test_a_memory_too_small_is_refused_before_anything_is_written(self):
        result = self.command("simulate", "scene.toml", "-o", "out", "--memory", "4M", "--quiet")
        self.assertEqual(result.returncode, 5, result.stderr)
        self.assertIn("--memory", result.stderr)
        self.assertEqual(self.listing(), ["scene.toml"])

    def test_what_plan_prints_is_what_simulate_does(self):
        memory = ("--memory", f"{MEMORY_MIB}M")
        plan = self.succeed("plan", "simulate", "scene.toml", "--json", *memory)
        self.text("plan.json", plan)
        self.succeed("simulate", "scene.toml", "-o", "out", "--plan", "plan.json", *memory,
                     "--quiet")
        with open(self.path("out/scene.json"), encoding="utf-8") as file:
            blur = json.load(file)["blur"]
        self.assertEqual(blur["strategy"], json.loads(plan)["strategy"])
        self.assertNotEqual(blur["strategy"], "in-core")


if __name__ == "__main__":
    main()
