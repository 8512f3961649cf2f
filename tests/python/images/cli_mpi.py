# SPDX-License-Identifier: MIT
# tests/python/images/cli_mpi.py — ranks of an MPI job that share one convolution make the bytes
# of one.
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile

import numpy

from held_run import HeldTest, Run, needs_held_runs, preloaded, random_calls
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


class Ranks(HeldTest):
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

    def share(self, ranks, *further, preload=()):
        """Runs so many ranks, which alone have what `preload` holds. @returns an Ended"""
        variables = [f"{name}={value}" for name, value in dict(preload).items()]
        return Run([*MPIRUN, ranks, "env", *variables, PROGRAM, *self.words(*further), "--mpi",
                    "--json"], self.folder, self.environment()).end()

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
                        code, said, errors = self.share(ranks, "-o", output, *strategy, *options)
                        self.assertEqual(code, 0, errors)
                        self.assertEqual(json.loads(said)["clipped"], clipped)
                        self.assertEqual(errors.count("voxels were clipped"), 1, errors)
                        self.assert_whole(output, expected)

    def test_share_the_steps_of_other_strategies(self):
        strategy = ["--strategy", "ring", "--memory", "20M"]  # MPI takes most of it: many turns
        expected = None
        for ranks in (1, 2, 3, 4):
            code, _, errors = self.share(ranks, "-o", "out.tif", *strategy)
            self.assertEqual(code, 0, errors)
            with open(self.path("out.tif"), "rb") as file:
                content = file.read()
            expected = expected or content
            self.assert_whole("out.tif", expected)

    @needs_held_runs
    def test_one_that_is_killed_ends_all_and_the_next_job_makes_the_bytes_of_one(self):
        job = (3, "-o", "out.ome.tif", *STRATEGIES["parts"])
        expected, _ = self.whole("out.ome.tif", *STRATEGIES["parts"])
        with tempfile.NamedTemporaryFile() as count:
            def killed_at(call):
                """The rank that makes this one of all their calls kills itself."""
                with open(count.name, "r+b") as file:
                    file.write(bytes(8))
                return self.share(*job, preload=preloaded(self.folder, signal.SIGKILL, call,
                                                          count=count.name))
            count.write(bytes(8))
            count.flush()
            self.assertEqual(killed_at(0).returncode, 0)
            with open(count.name, "rb") as file:
                calls = int.from_bytes(file.read(), sys.byteorder)
            self.assert_whole("out.ome.tif", expected)
            for at in random_calls(calls // 2, 6, 3):
                with self.subTest(at=at):
                    self.assertNotEqual(killed_at(at).returncode, 0)
                    code, _, errors = self.share(*job)
                    self.assertEqual(code, 0, errors)
                    self.assert_whole("out.ome.tif", expected)

    def test_that_fail_end_the_job_with_a_sentence(self):
        code, _, errors = self.share(2, "-o", "none/out.tif", *STRATEGIES["parts"])
        self.assertNotEqual(code, 0)
        self.assertIn("none/out.tif", errors)

    def test_of_work_in_one_step_are_refused(self):
        code, _, errors = self.share(2, "-o", "out.tif", "--strategy", "in-core")
        self.assertEqual(code, USAGE, errors)
        self.assertIn("only one step", errors)


class Alone(ProgramTest):
    def test_mpi_beside_a_shard_is_refused(self):
        result = self.command("convolve", "a.tif", "b.tif", "-o", "c.tif", "--mpi", "--shard",
                              "1/2")
        self.assertEqual(result.returncode, USAGE)
        self.assertIn("--mpi with --shard", result.stderr)


if __name__ == "__main__":
    if not has_mpi():
        print("skipped: no mpirun, or the program was built without MPI")
        sys.exit(SKIPPED)
    main()
