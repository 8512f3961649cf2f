# SPDX-License-Identifier: MIT
# tests/python/api/package_file_jobs.py — convolution of files as a job: resumed, certified, on
# GPUs.
"""Usage: package_file_jobs.py FOLDER PROGRAM; FOLDER holds the package synthoscope."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

from package import or_skipped

with or_skipped():
    import numpy as np
    import tifffile
    from synthoscope import convolve_file

PROGRAM = sys.argv[2]
RANDOM = np.random.default_rng(1)
IMAGE = RANDOM.integers(0, 1000, (20, 45, 50)).astype(np.uint16)
KERNEL = np.ones((5, 9, 11), np.float32)


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


class Jobs(unittest.TestCase):
    """What a call shares with the command beyond its voxels."""

    class Enough(Exception):
        pass

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        tifffile.imwrite(self.path("image.tif"), IMAGE)
        tifffile.imwrite(self.path("kernel.tif"), KERNEL)

    def path(self, name):
        return os.path.join(self.folder, name)

    def stop_early(self, done, total, stage):
        if 0 < done < total:
            raise self.Enough

    def test_that_were_interrupted_are_resumed_with_the_same_bytes(self):
        image = self.path("large.tif")
        tifffile.imwrite(image, RANDOM.integers(0, 1000, (160, 400, 400)).astype(np.uint16))
        call = dict(workers=1, strategy="ring", memory="1G", output_type="float32")
        kernel, whole, out = (self.path(name) for name in ("kernel.tif", "whole.tif", "out.tif"))
        convolve_file(image, kernel, whole, **call)
        with self.assertRaises(self.Enough):
            convolve_file(image, kernel, out, resume=True, progress=self.stop_early, **call)
        self.assertFalse(os.path.exists(out))
        self.assertTrue(os.path.exists(out + ".partial.journal"))
        with self.assertRaisesRegex(ValueError, "leave resume out"):
            convolve_file(image, kernel, out, resume=True, boundary="wrap", **call)
        convolve_file(image, kernel, out, resume=True, **call)
        self.assertEqual(bytes_of(out), bytes_of(whole))
        self.assertFalse(os.path.exists(out + ".partial.journal"))

    def test_resume_what_the_command_left(self):
        image = self.path("large.tif")
        tifffile.imwrite(image, RANDOM.integers(0, 1000, (160, 400, 400)).astype(np.uint16))
        kernel, whole, out = (self.path(name) for name in ("kernel.tif", "whole.tif", "out.tif"))
        call = dict(workers=1, strategy="ring", memory="1G")
        convolve_file(image, kernel, whole, **call)
        with self.assertRaises(self.Enough):
            convolve_file(image, kernel, out, resume=True, progress=self.stop_early, **call)
        done = subprocess.run(
            [PROGRAM, "convolve", image, kernel, "-o", out, "--strategy", "ring", "--threads", "1",
             "--memory", "1G", "--gpus", "none", "--resume"],
            check=True, capture_output=True, text=True)
        self.assertRegex(done.stderr, "resumes .* after [1-9]")
        self.assertEqual(bytes_of(out), bytes_of(whole))

    def test_name_the_library_of_their_transforms(self):
        image, out = self.path("image.tif"), self.path("out.tif")
        own = convolve_file(image, KERNEL, out, fft="own")
        self.assertTrue(own.fft.startswith("synthoscope-"))
        self.assertIsNone(own.certified)
        summed = convolve_file(image, KERNEL, out, strategy="direct", overwrite=True)
        self.assertIsNone(summed.fft)
        for option, words in (("fft", "own, fftw, fftw-measured, cufft"),
                              ("certify_by", "fftw, cufft")):
            with self.assertRaisesRegex(ValueError, words):
                convolve_file(image, KERNEL, out, overwrite=True, **{option: "mkl"})
        try:
            theirs = convolve_file(image, KERNEL, out, fft="fftw", certify_by="fftw",
                                   overwrite=True)
        except ValueError as absent:
            self.assertIn("built without FFTW", str(absent))
            return
        self.assertTrue(theirs.fft.startswith("fftw-3"))
        self.assertEqual(theirs.certified["voxels"], IMAGE.size)
        self.assertLessEqual(theirs.certified["largest_difference"],
                             theirs.certified["tolerance"])

    def test_are_certified(self):
        out = self.path("out.tif")
        done = convolve_file(self.path("image.tif"), KERNEL, out, certify=30, seed=2)
        self.assertEqual(done.certificate["voxels"], 30)
        self.assertLessEqual(done.certificate["largest_error"], done.certificate["tolerance"])
        self.assertEqual(sorted(os.listdir(self.folder)),
                         ["image.tif", "kernel.tif", "out.tif", "out.tif.json"])
        self.assertIsNone(convolve_file(IMAGE, KERNEL, out, overwrite=True).certificate)

    def test_on_gpus_say_what_the_command_says_where_there_is_none(self):
        image, kernel, out = (self.path(name) for name in ("image.tif", "kernel.tif", "out.tif"))
        environment = dict(os.environ, CUDA_VISIBLE_DEVICES="", PYTHONPATH=sys.argv[1])
        theirs = subprocess.run([PROGRAM, "convolve", image, kernel, "-o", out, "--gpus", "all"],
                                env=environment, capture_output=True, text=True)
        self.assertEqual(theirs.returncode, 6, theirs.stderr)
        ours = subprocess.run(
            [sys.executable, "-c", "import sys, synthoscope\n"
             "synthoscope.convolve_file(*sys.argv[1:], gpus='all')", image, kernel, out],
            env=environment, capture_output=True, text=True)
        said = ours.stderr.strip().splitlines()[-1].removeprefix("RuntimeError: ")
        self.assertIn('gpus="all": ', said)
        in_their_terms = re.sub('gpus="([a-z]+)"', r"--gpus \1", said).replace(" gpus ", " --gpus ")
        self.assertIn(in_their_terms, theirs.stderr)
        convolve_file(image, kernel, out, gpus="none")

    def test_refuse_what_does_not_serve(self):
        image, kernel, out = (self.path(name) for name in ("image.tif", "kernel.tif", "out.tif"))
        for says, given, options in (
                ("resume is for files", (IMAGE, kernel, out), {"resume": True}),
                ("certify is for files", (image, kernel, np.empty(IMAGE.shape, np.float32)),
                 {"certify": 3}),
                ("certify is -1; give a whole number from 0", (image, kernel, out),
                 {"certify": -1}),
                ("certify cannot recompute", (image, kernel, out),
                 {"certify": 3, "nan": "propagate"}),
                ("no GPU is named", (image, kernel, out), {"gpus": ""})):
            with self.subTest(says=says):
                self.assertRaisesRegex(ValueError, says, convolve_file, *given, **options)
        self.assertEqual(sorted(os.listdir(self.folder)), ["image.tif", "kernel.tif"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
