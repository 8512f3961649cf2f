# SPDX-License-Identifier: MIT
# tests/python/cli_mpi.py — ranks of an MPI job that share one convolution make the bytes of one.
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import unittest

import numpy

from program import PROGRAM, SKIPPED, ProgramTest, main, random_volume

USAGE = 2
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n"]
FILES = {"out.ome.tif": [], "out.h5": ["--chunks", "5,20,20"]}
STRATEGIES = {"parts": ["--strategy", "parts", "--parts", "6"],
              "parts that are few": ["--strategy", "parts", "--parts", "2"],
              "parts in less memory": ["--strategy", "parts", "--parts", "6", "--memory", "26M"]}


def has_mpi():
    said = subprocess.run([PROGRAM, "convolve", "a", "b", "-o", "c", "--mpi", "--shard", "1/1"],
                          check=False, capture_output=True, text=True).stderr
    return "built without MPI" not in said and shutil.which("mpirun")


class Ranks(ProgramTest):
    """A kernel as large as the image."""

    def setUp(self):
        super().setUp()
        self.write("image.tif", random_volume((48, 60, 50), 1, numpy.uint16))
        z, y, x = numpy.indices((41, 51, 45)) - numpy.array([20, 25, 22]).reshape(3, 1, 1, 1)
        kernel = numpy.exp(-(z * z / 60 + y * y / 80 + x * x / 70))
        self.write("kernel.tif", (3 * kernel / kernel.sum()).astype("float32"))

    def words(self, *further):
        return ["convolve", "image.tif", "kernel.tif", "--threads", "1", "--quiet",
                "--output-type", "uint8", *further]

    def start(self, ranks, *further):
        return subprocess.Popen([*MPIRUN, str(ranks), PROGRAM, *self.words(*further), "--mpi",
                                 "--json"], cwd=self.folder, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, env=self.environment())

    def whole(self, output, *further):
        """The bytes that one process writes, and how many voxels it clips."""
        result = self.result_of(*self.words("-o", output, *further))
        with open(self.path(output), "rb") as file:
            content = file.read()
        self.remove(output)
        return content, result["clipped"]

    def remove(self, output):
        for name in self.listing():
            if name.startswith(output):
                os.remove(self.path(name))

    def assert_whole(self, output, expected):
        with open(self.path(output), "rb") as file:
            self.assertTrue(file.read() == expected, "other bytes than one process writes")
        self.assertEqual([name for name in self.listing() if name.startswith(output)],
                         [output, output + ".json"])
        self.remove(output)

    def test_make_the_bytes_and_counts_of_one_process_and_the_first_speaks(self):
        for name, strategy in STRATEGIES.items():
            for output, options in FILES.items():
                expected, clipped = self.whole(output, *strategy, *options)
                self.assertGreater(clipped, 0)
                for ranks in (1, 2, 3, 4):
                    with self.subTest(strategy=name, output=output, ranks=ranks):
                        process = self.start(ranks, "-o", output, *strategy, *options)
                        said, errors = process.communicate(timeout=120)
                        self.assertEqual(process.returncode, 0, errors)
                        self.assertEqual(json.loads(said)["clipped"], clipped)
                        self.assertEqual(errors.count("voxels were clipped"), 1, errors)
                        self.assert_whole(output, expected)

    def test_share_the_steps_of_other_strategies(self):
        strategy = ["--strategy", "ring", "--memory", "20M"]  # MPI takes most of it: many turns
        expected = None
        for ranks in (1, 2, 3, 4):
            process = self.start(ranks, "-o", "out.tif", *strategy)
            _, errors = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 0, errors)
            with open(self.path("out.tif"), "rb") as file:
                content = file.read()
            expected = expected or content
            self.assert_whole("out.tif", expected)

    @staticmethod
    def children_of(process):
        found = []
        for entry in os.listdir("/proc"):
            try:
                with open(f"/proc/{entry}/stat", encoding="ascii", errors="replace") as file:
                    parent = int(file.read().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError, ValueError):
                continue
            if parent == process.pid:
                found.append(int(entry))
        return found

    def test_one_that_is_killed_ends_all_and_the_next_job_makes_the_bytes_of_one(self):
        strategy = STRATEGIES["parts"]
        expected, _ = self.whole("out.ome.tif", *strategy)
        moments = random.Random(3)
        ended = 0
        for _ in range(6):
            process = self.start(3, "-o", "out.ome.tif", *strategy)
            time.sleep(0.2 + 0.5 * moments.random())
            for victim in self.children_of(process)[:1]:
                os.kill(victim, signal.SIGKILL)
            process.communicate(timeout=60)
            ended += process.returncode != 0
            process = self.start(3, "-o", "out.ome.tif", *strategy)
            _, errors = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0, errors)
            self.assert_whole("out.ome.tif", expected)
        self.assertGreater(ended, 0)

    def test_that_fail_end_the_job_with_a_sentence(self):
        process = self.start(2, "-o", "none/out.tif", *STRATEGIES["parts"])
        _, errors = process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("none/out.tif", errors)

    def test_of_work_in_one_step_are_refused(self):
        process = self.start(2, "-o", "out.tif", "--strategy", "in-core")
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, USAGE, errors)
        self.assertIn("in one step", errors)


class Alone(ProgramTest):
    def test_mpi_beside_a_shard_is_refused(self):
        result = self.command("convolve", "a.tif", "b.tif", "-o", "c.tif", "--mpi", "--shard",
                              "1/2")
        self.assertEqual(result.returncode, USAGE)
        self.assertIn("--mpi beside --shard", result.stderr)


if __name__ == "__main__":
    if not has_mpi():
        print("skipped: no mpirun, or the program was built without MPI")
        sys.exit(SKIPPED)
    main()
