# SPDX-License-Identifier: MIT
# tests/python/images/cli_libraries.py — the library of transforms is chosen, recorded and never
# changed in silence; another one certifies a result.
#
#   cli_libraries.py PROGRAM [unittest arguments]
import json
import unittest

import numpy
import scipy.signal

from program import TINY_SCENE, ProgramTest, main, random_volume

USAGE, MEMORY, DEVICE = 2, 5, 6
STRATEGIES = ("in-core", "ring", "tiles", "parts")
CONVOLVE = ("convolve", "image.tif", "kernel.tif", "-o", "out.tif", "--overwrite")


class LibraryTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.image = random_volume((40, 60, 70), 1, numpy.uint16)
        self.kernel = random_volume((5, 7, 9), 2)
        self.write("image.tif", self.image)
        self.write("kernel.tif", self.kernel)
        self.version = self.succeed("--version")
        self.has_fftw = "fftw-3" in self.version

    def environment(self):
        """FFTW's wisdom stays in the folder of the test."""
        return {**ProgramTest.environment(), "XDG_CACHE_HOME": self.path("cache")}

    def refused(self, code, words, *arguments):
        super().refused(code, words, *arguments)
        self.assertNotIn("out.tif", self.listing())

    def record_of(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)


class OwnTransforms(LibraryTest):
    def test_are_named_in_result_plan_and_record(self):
        plan = json.loads(self.succeed(*CONVOLVE[:3], "--fft", "own", "--dry-run", "--json"))
        self.assertEqual(plan["cut"]["fft"], "own")
        result = self.result_of(*CONVOLVE, "--fft", "own")
        self.assertTrue(result["run"]["fft"].startswith("synthoscope-"))
        record = self.record_of("out.tif.json")
        self.assertEqual(record["request"]["fft"], result["run"]["fft"])
        self.assertNotIn("FFTW", record["libraries"])

    def test_are_transforms_where_sums_would_be_faster(self):
        self.write("kernel.tif", numpy.ones((1, 1, 3), numpy.float32))
        self.assertIsNone(self.result_of(*CONVOLVE)["run"]["fft"], "a sum transforms nothing")
        self.assertIsNotNone(self.result_of(*CONVOLVE, "--fft", "own")["run"]["fft"])

    def test_are_refused_with_sums(self):
        for strategy in ("direct", "separable"):
            self.refused(USAGE, ["--fft own", "leave one of them out"],
                         *CONVOLVE, "--fft", "own", "--strategy", strategy)

    def test_an_unknown_library_is_refused_with_those_that_are_known(self):
        self.refused(USAGE, ["'mkl'", "own, fftw, fftw-measured, cufft"], *CONVOLVE, "--fft", "mkl")
        self.refused(USAGE, ["'mkl'", "fftw, cufft"], *CONVOLVE, "--certify-by", "mkl")

    def test_cufft_is_refused_where_no_gpu_is_used(self):
        here = "cuFFT was not found" not in self.command(*CONVOLVE, "--fft", "cufft", "--gpus",
                                                         "none").stderr and self.has_cuda()
        self.refused(MEMORY if here else USAGE, ["--fft own"], *CONVOLVE, "--fft", "cufft",
                     "--gpus", "none")
        self.refused(DEVICE if here else USAGE, ["cufft", "--certify N"], *CONVOLVE,
                     "--certify-by", "cufft", "--gpus", "none")

    def has_cuda(self):
        """Whether this program was built with CUDA."""
        return "built without CUDA" not in self.succeed("devices")

    def test_the_licence_is_stated(self):
        first, second = self.version.splitlines()
        self.assertTrue(first.startswith("synthoscope "))
        self.assertTrue(second.startswith("licence: MIT"))
        self.assertEqual("GPL" in second, self.has_fftw)


class ABuildWithoutFftw(LibraryTest):
    def test_says_how_to_build_one(self):
        if self.has_fftw:
            self.skipTest("this build has FFTW")
        how = ["built without FFTW", "-DSYNTHOSCOPE_FFTW=ON"]
        for words in (("--fft", "fftw"), ("--fft", "fftw-measured"), ("--certify-by", "fftw")):
            instead = "--certify N" if "--certify-by" in words else "--fft own"
            self.refused(USAGE, [*how, instead], *CONVOLVE, *words)
        plan = self.succeed(*CONVOLVE[:3], "--fft", "own", "--dry-run", "--json")
        self.text("plan.json", plan.replace('"fft":"own"', '"fft":"fftw"'))
        self.refused(USAGE, how, *CONVOLVE, "--plan", "plan.json")


class Fftw(LibraryTest):
    def setUp(self):
        super().setUp()
        if not self.has_fftw:
            self.skipTest("this build has no FFTW")

    def test_gives_the_result_of_scipy_by_every_strategy(self):
        expected = scipy.signal.fftconvolve(self.image.astype(float), self.kernel.astype(float),
                                            "same")
        for library in ("fftw", "fftw-measured"):
            for strategy in STRATEGIES:
                with self.subTest(library=library, strategy=strategy):
                    result = self.result_of(*CONVOLVE, "--fft", library, "--strategy", strategy)
                    self.assertTrue(result["run"]["fft"].startswith("fftw-3"))
                    difference = numpy.abs(self.read("out.tif") - expected).max()
                    self.assertLessEqual(difference, 1e-6 * expected.max())
                    record = self.record_of("out.tif.json")
                    self.assertEqual(record["plan"]["cut"]["fft"], library)
                    self.assertEqual(record["libraries"]["FFTW"], result["run"]["fft"])

    def test_writes_the_same_bytes_again_and_with_any_threads(self):
        kept = set()
        for threads in ("1", "2", "3"):
            self.succeed(*CONVOLVE, "--fft", "fftw", "--threads", threads)
            kept.add(self.read("out.tif").tobytes())
        self.assertEqual(len(kept), 1)

    def test_runs_its_own_plans_only(self):
        for planned, asked in (("own", "fftw"), ("fftw", "own"), ("fftw", "fftw-measured")):
            plan = self.succeed(*CONVOLVE[:3], "--fft", planned, "--dry-run", "--json")
            self.text("plan.json", plan)
            self.refused(USAGE, [f"those of {planned}", f"--fft {asked}", "make a new plan"],
                         *CONVOLVE, "--plan", "plan.json", "--fft", asked)
        self.assertTrue(self.result_of(*CONVOLVE, "--plan", "plan.json")["run"]["fft"]
                        .startswith("fftw-3"), "the plan says who transforms")

    def test_blurs_a_scene_and_is_recorded(self):
        self.text("scene.toml", TINY_SCENE)
        self.succeed("simulate", "scene.toml", "-o", "own", "--fft", "own")
        self.succeed("simulate", "scene.toml", "-o", "fftw", "--fft", "fftw")
        blur = self.record_of("fftw/scene.json")["blur"]
        self.assertTrue(blur["fft"].startswith("fftw-3"))
        self.assertNotIn("fft", self.record_of("own/scene.json")["blur"])
        ours, theirs = self.read("own/photons.ome.tif"), self.read("fftw/photons.ome.tif")
        self.assertLessEqual(numpy.abs(ours - theirs).max(), 1e-6 * ours.max())
        self.assertTrue((self.read("own/labels.ome.tif") == self.read("fftw/labels.ome.tif")).all())


class CertifyByFftw(LibraryTest):
    def setUp(self):
        super().setUp()
        if not self.has_fftw:
            self.skipTest("this build has no FFTW")

    def test_recomputes_every_voxel_of_every_shape_and_boundary(self):
        for words in ((), ("--shape", "full"), ("--shape", "valid"), ("--boundary", "mirror"),
                      ("--boundary", "wrap", "--correlate"), ("--precision", "double"),
                      ("--output-type", "uint32"), ("--fft", "fftw"), ("--strategy", "tiles"),
                      ("--strategy", "direct"), ("--compression", "deflate")):
            with self.subTest(words=words):
                result = self.result_of(*CONVOLVE, "--certify-by", "fftw", *words)
                certified = result["certified"]
                self.assertTrue(certified["by"].startswith("fftw-3"))
                self.assertEqual(certified["voxels"], int(numpy.prod(result["extent"])))
                self.assertLessEqual(certified["largest_difference"], certified["tolerance"])
                self.assertNotIn("certificate", result)
                self.assertIn("certify", result["run"]["stages"])

    def test_is_said_beside_the_certificate_of_sums(self):
        text = self.succeed(*CONVOLVE, "--certify-by", "fftw", "--certify", "20")
        self.assertIn("20 voxels recomputed by direct sums", text)
        self.assertIn("168000 voxels recomputed by fftw-3", text)

    def test_is_refused_where_it_cannot_see_the_result(self):
        self.refused(USAGE, ["--certify-by", "--nan"], *CONVOLVE, "--certify-by", "fftw", "--nan",
                     "propagate")
        self.refused(USAGE, ["--certify-by", "bdv"], *CONVOLVE, "--certify-by", "fftw", "--format",
                     "bdv")
        self.refused(USAGE, ["--shard with --certify-by"], *CONVOLVE, "--certify-by", "fftw",
                     "--shard", "1/2")

    def test_names_the_memory_that_it_needs(self):
        result = self.command(*CONVOLVE, "--certify-by", "fftw", "--memory", "13M")
        self.assertEqual(result.returncode, MEMORY, result.stderr)
        enough = result.stderr.split("give --memory ")[1].split()[0]
        self.succeed(*CONVOLVE, "--certify-by", "fftw", "--memory", enough)


if __name__ == "__main__":
    main()
