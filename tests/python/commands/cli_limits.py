# SPDX-License-Identifier: MIT
# tests/python/commands/cli_limits.py — limits of the system (ulimit) are named for what they are.
import os
import resource
import stat

import numpy

from program import PROGRAM, TINY_SCENE, ProgramTest, main

IO, MEMORY = 4, 5
NOBODY = 65534

# Words of a full disk, which no limit is.
FULL = ("are free", "make room")


def limited(limit, value):
    """Sets a limit in the child, if a value is given; root has no limit of processes, so that the
    child becomes somebody else for it."""
    def set_limit():
        if limit == resource.RLIMIT_NPROC and os.getuid() == 0:
            os.setuid(NOBODY)
        if value is not None:
            resource.setrlimit(limit, (value, value))
    return set_limit


def can_be_run_by_nobody(path):
    while path != "/":
        if not os.stat(path).st_mode & stat.S_IXOTH:
            return False
        path = os.path.dirname(path)
    return True


class Limits(ProgramTest):
    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o777)
        generator = numpy.random.default_rng(1)
        self.write("image.tif", generator.poisson(100, (16, 64, 64)).astype("uint16"))
        self.write("kernel.tif", numpy.ones((3, 3, 3), "float32"))
        self.text("scene.toml", TINY_SCENE)
        self.before = self.listing()

    def refused(self, code, limit, value, words, mentions):
        result = self.command(*words, preexec_fn=limited(limit, value))
        self.assertEqual(result.returncode, code, result.stderr)
        error = [line for line in result.stderr.splitlines() if "error: " in line]
        self.assertEqual(len(error), 1, result.stderr)
        for text in mentions:
            self.assertIn(text, error[0])
        for text in FULL:
            self.assertNotIn(text, error[0])
        self.assertEqual(self.listing(), self.before)

    def test_of_threads_are_met_before_work_begins(self):
        if os.getuid() == 0 and not can_be_run_by_nobody(PROGRAM):
            self.skipTest("the program cannot be run by another user than root")
        for words in (["convolve", "image.tif", "kernel.tif", "-o", "out.tif"],
                      ["filter", "image.tif", "--gaussian", "2", "-o", "out.tif"],
                      ["simulate", "scene.toml", "-o", "out"]):
            with self.subTest(words[0]):
                self.refused(MEMORY, resource.RLIMIT_NPROC, 1, [*words, "--threads", "8"],
                             ("start 8 threads", "lower --threads", "ulimit -u"))

    def test_of_open_files_are_met_before_work_begins(self):
        words = ["convolve", "image.tif", "kernel.tif", "-o", "out.tif"]
        for most in (5, 20, 63):
            with self.subTest(most=most):
                self.refused(IO, resource.RLIMIT_NOFILE, most, words, ("ulimit -n", str(most)))
        result = self.command(*words, preexec_fn=limited(resource.RLIMIT_NOFILE, 64))
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_of_the_size_of_files_are_no_full_disk(self):
        self.refused(IO, resource.RLIMIT_FSIZE, 4096,
                     ["filter", "image.tif", "--gaussian", "2", "-o", "out.tif"],
                     ("out.tif", "are needed", "ulimit -f"))

    def test_of_stacks_make_no_difference(self):
        for stack in (128 << 10, 1 << 20, 16 << 20):
            with self.subTest(stack=stack):
                for words in (["info", "image.tif"], ["simulate", "scene.toml", "-o", "out",
                                                      "--overwrite", "--threads", "2"]):
                    result = self.command(*words, preexec_fn=limited(resource.RLIMIT_STACK, stack))
                    self.assertEqual(result.returncode, 0, result.stderr)

    def test_of_rights_are_no_full_disk(self):
        os.mkdir(self.path("shut"))
        os.chmod(self.path("shut"), 0o555)
        self.before = self.listing()
        if os.getuid() == 0 and not can_be_run_by_nobody(PROGRAM):
            self.skipTest("the program cannot be run by another user than root")
        self.refused(IO, resource.RLIMIT_NPROC, None,
                     ["psf", "--size", "3,5,5", "-o", "shut/out.tif"], ("shut", "writable"))


class FolderNames(ProgramTest):
    def test_given_for_a_file_are_refused_before_any_work(self):
        self.write("image.tif", numpy.ones((4, 8, 8), "float32"))
        os.mkdir(self.path("there"))
        before = self.listing()
        for words in (["convolve", "image.tif", "image.tif"], ["filter", "image.tif", "--gaussian",
                                                               "1"],
                      ["psf", "--size", "3,5,5"], ["variance", "image.tif", "--window", "box:3"]):
            for name in ("new/", "there", "there/"):
                with self.subTest(words[0], name=name):
                    result = self.command(*words, "-o", name, "--overwrite")
                    self.assertEqual(result.returncode, 2, result.stderr)
                    self.assertIn("name of a folder", result.stderr)
                    self.assertEqual(self.listing(), before)

    def test_given_for_a_folder_may_end_in_a_slash(self):
        self.succeed("psf", "--size", "3,5,5", "-o", "psf.ome.zarr/")
        self.assertEqual(self.listing(), ["psf.ome.zarr", "psf.ome.zarr.json"])
        self.assertEqual(self.result_of("info", "psf.ome.zarr/")["extent"], [3, 5, 5])


if __name__ == "__main__":
    main()
