# SPDX-License-Identifier: MIT
# tests/python/images/cli_on_gpu.py — the program on a GPU gives what it gives on the host;
# skipped where there is none.
import json
import os
import shutil
import signal
import subprocess
import sys
import unittest

from held_run import HeldTest, needs_held_runs
from program import PROGRAM, SKIPPED, TINY_SCENE, less_than, main, random_volume, size_in

import numpy

USAGE, DEVICE = 2, 6
GPUS = json.loads(subprocess.run([PROGRAM, "devices", "--json"], capture_output=True, text=True,
                                 check=True).stdout)["gpus"]
if not GPUS:
    print("skipped: there is no GPU")
    sys.exit(SKIPPED)


class OnGpu(HeldTest):
    """An image that is too small for a GPU to be chosen: it is demanded."""

    def setUp(self):
        super().setUp()
        self.image = random_volume((40, 120, 130), 1, numpy.uint16)
        self.kernel = random_volume((9, 11, 7), 2)
        self.write("image.tif", self.image)
        self.write("kernel.tif", self.kernel)

    def words(self, output, *options):
        return ["convolve", "image.tif", "kernel.tif", "-o", output, "--output-type", "float32",
                *options]

    def bytes_of(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def peak(self):
        """Of the convolution of absolute values: errors are counted in it."""
        return float(self.image.max()) * float(numpy.abs(self.kernel).sum())

    def least_memory(self, *command):
        """What a refusal for want of the GPU's memory names."""
        refused = self.command(*command, "--gpus", "0", "--gpu-memory", "1K")
        self.assertEqual(refused.returncode, DEVICE, refused.stderr)
        return size_in(refused.stderr, "--gpu-memory")


class Convolutions(OnGpu):
    def test_are_those_of_the_host_by_every_strategy(self):
        self.succeed(*self.words("host.tif", "--gpus", "none", "--precision", "double"))
        expected = self.read("host.tif")
        for strategy in ("auto", "in-core", "ring", "tiles", "parts", "direct"):
            with self.subTest(strategy=strategy):
                words = ("--gpus", "0", "--strategy", strategy, "--overwrite")
                report = self.result_of(*self.words("gpu.tif", *words))
                self.assertRegex(report["run"]["instruction_set"], "^sm_")
                self.assertGreater(report["run"]["peak_device_bytes"], 0)
                self.assertLessEqual(numpy.abs(self.read("gpu.tif") - expected).max(),
                                     2e-6 * self.peak())
                first = self.bytes_of("gpu.tif")
                self.succeed(*self.words("gpu.tif", *words))
                self.assertTrue(self.bytes_of("gpu.tif") == first, "another run, other bytes")

    def test_by_passes_are_those_of_the_host(self):
        axes = [random_volume((n,), n) for n in self.kernel.shape]
        self.kernel = numpy.einsum("i,j,k", *axes)
        self.write("kernel.tif", self.kernel)
        for boundary, shape in (("zero", "full"), ("mirror", "same"), ("wrap", "valid")):
            made = []
            for output, gpus in (("host.tif", "none"), ("gpu.tif", "0")):
                report = self.result_of(*self.words(
                    output, "--gpus", gpus, "--strategy", "separable", "--boundary", boundary,
                    "--shape", shape, "--overwrite"))
                made.append(self.read(output))
            self.assertRegex(report["run"]["instruction_set"], "^sm_")
            self.assertLessEqual(numpy.abs(made[0] - made[1]).max(), 2e-6 * self.peak())

    @needs_held_runs
    def test_by_sums_that_are_killed_go_on_to_the_same_bytes(self):
        self.killed_and_gone_on_with("direct")

    def test_are_certified(self):
        self.succeed(*self.words("gpu.tif", "--gpus", "0", "--certify", "100"))

    def test_by_cufft_are_those_of_the_host_and_certified_by_it(self):
        words = ("--gpus", "0", "--overwrite", "--json")
        without = self.command(*self.words("gpu.tif", *words), "--fft", "cufft")
        if "cuFFT was not found" in without.stderr:
            self.skipTest("cuFFT was not found")
        self.succeed(*self.words("host.tif", "--gpus", "none"))
        expected = self.read("host.tif")
        for strategy in ("in-core", "ring", "tiles"):
            with self.subTest(strategy=strategy):
                report = self.result_of(*self.words("gpu.tif", "--gpus", "0", "--overwrite",
                                                    "--strategy", strategy, "--fft", "cufft",
                                                    "--certify-by", "cufft"))
                self.assertTrue(report["run"]["fft"].startswith("cufft-"))
                self.assertTrue(report["certified"]["by"].startswith("cufft-"))
                self.assertLessEqual(numpy.abs(self.read("gpu.tif") - expected).max(),
                                     2e-6 * self.peak())
        for further, said in ((("--precision", "double"), "--precision single"),
                              (("--strategy", "parts"), "frequency parts")):
            refused = self.command(*self.words("no.tif", "--gpus", "0", "--fft", "cufft", *further))
            self.assertEqual(refused.returncode, 5, refused.stderr)
            self.assertIn(said, refused.stderr)

    def test_keep_the_promise_of_gpu_memory(self):
        least = self.least_memory(*self.words("gpu.tif"))
        report = self.result_of(*self.words("gpu.tif", "--gpus", "0", "--gpu-memory", least))
        self.assertLessEqual(report["run"]["peak_device_bytes"], least)
        less = self.command(*self.words("less.tif", "--gpus", "0", "--gpu-memory",
                                        less_than(least)))
        self.assertEqual(less.returncode, DEVICE, less.stderr)
        self.assertNotIn("less.tif", self.listing())

    def test_are_certified_in_the_memory_of_the_gpu_that_is_given(self):
        words = ("--gpus", "0", "--certify-by", "cufft", "--gpu-memory")
        less = self.command(*self.words("less.tif", *words, "64K"))
        if "cuFFT was not found" in less.stderr:
            self.skipTest("cuFFT was not found")
        self.assertEqual(less.returncode, DEVICE, less.stderr)
        self.assertIn("certify by cuFFT", less.stderr)
        self.assertNotIn("less.tif", self.listing())
        enough = size_in(less.stderr, "--gpu-memory")
        self.succeed(*self.words("enough.tif", *words, max(enough, 64 << 20)))

    def test_of_a_gpu_that_is_not_there_are_refused(self):
        result = self.command(*self.words("gpu.tif", "--gpus", str(len(GPUS))))
        self.assertEqual(result.returncode, USAGE, result.stderr)
        self.assertNotIn("gpu.tif", self.listing())

    @needs_held_runs
    def test_that_are_killed_go_on_to_the_same_bytes(self):
        self.killed_and_gone_on_with("ring")

    def killed_and_gone_on_with(self, strategy):
        self.write("image.tif", random_volume((400, 120, 130), 1, numpy.uint16))
        least = self.least_memory(*self.words("gpu.tif", "--strategy", strategy))
        options = ("--gpus", "0", "--strategy", strategy, "--journal-every", "0", "--gpu-memory",
                   least if strategy == "ring" else "16M")
        self.succeed(*self.words("whole.tif", *options))  # compiles what all of them need
        unfinished = 0
        for records in (1, 2, 5, 20, 50):
            # The journal is removed, opened, made durable and begun before its records
            ended = self.meet(signal.SIGKILL, *self.words("gpu.tif", *options), at=5 + records,
                              name="gpu.tif.partial.journal")
            self.assertIn(ended.returncode, (0, -signal.SIGKILL), ended.stderr)
            if "gpu.tif" not in self.listing():
                unfinished += 1
                self.succeed(*self.words("gpu.tif", *options, "--resume"))
            self.assertTrue(self.bytes_of("gpu.tif") == self.bytes_of("whole.tif"),
                            f"other bytes after a kill behind {records} records")
            for name in self.listing():
                if name.startswith("gpu.tif"):
                    os.remove(self.path(name))
        self.assertGreater(unfinished, 0, "no run was killed in the middle")

    def test_by_a_plan_keep_the_promise_of_this_run(self):
        plan = self.result_of("plan", "convolve", "image.tif", "kernel.tif", "--output-type",
                              "float32", "--gpus", "0")
        self.assertEqual(plan["where"], "GPU")
        self.text("plan.json", json.dumps(plan))
        needed = sum(item["bytes"] for item in plan["device_memory"])
        run = self.words("gpu.tif", "--gpus", "0", "--plan", "plan.json", "--gpu-memory")
        less = self.command(*run, needed - 1)
        self.assertEqual(less.returncode, DEVICE, less.stderr)
        self.assertEqual(size_in(less.stderr, "--gpu-memory") // needed, 1)
        report = self.result_of(*run, needed)
        self.assertEqual(report["run"]["peak_device_bytes"], needed)


class Filters(OnGpu):
    KERNELS = (("--gaussian", "1.5"), ("--box", "5"), ("--kernel", "kernel.tif"),
               ("--box", "3", "--strategy", "shared"), ("--bank", "schmid"),
               ("--named", "log", "--sigma", "2"),
               ("--kernel", "kernel.tif", "--strategy", "separable"))

    def filter(self, output, *options):
        return self.result_of("filter", "image.tif", "-o", output, "--overwrite", *options)

    def test_are_those_of_the_host(self):
        for kernel in self.KERNELS:
            for boundary in ("reflect", "wrap", "zero"):
                with self.subTest(kernel=kernel, boundary=boundary):
                    words = (*kernel, "--boundary", boundary, "--output-type", "float32")
                    self.assertIsNone(self.filter("host.tif", *words, "--gpus", "none")["gpu"])
                    report = self.filter("gpu.tif", *words, "--gpus", "0")
                    self.assertEqual(report["gpu"], GPUS[0]["name"])
                    peak = self.peak() if "kernel.tif" in kernel else float(self.image.max())
                    error = numpy.abs(self.read("gpu.tif") - self.read("host.tif")).max()
                    self.assertLessEqual(error, 2e-6 * peak)

    def test_are_the_same_however_little_memory_there_is(self):
        for kernel in self.KERNELS:
            self.filter("all.tif", *kernel, "--gpus", "0")
            self.filter("cut.tif", *kernel, "--gpus", "0", "--gpu-memory", "2M")
            self.assertTrue(numpy.array_equal(self.read("all.tif"), self.read("cut.tif")), kernel)

    def test_that_have_no_room_are_refused_by_the_least_that_would_do(self):
        self.write("small.tif", random_volume((3, 20, 30), 1, numpy.uint16))  # voxel by voxel
        words = ("filter", "small.tif", "-o", "out.tif", "--box", "3")
        least = self.least_memory(*words)
        self.assertNotIn("out.tif", self.listing())
        less = self.command(*words, "--gpus", "0", "--gpu-memory", less_than(least))
        self.assertEqual(less.returncode, DEVICE, less.stderr)
        self.succeed(*words, "--gpus", "0", "--gpu-memory", least)


class Variances(OnGpu):
    def test_are_those_of_the_host_however_little_memory_there_is(self):
        self.write("image.tif", random_volume((1, 300, 400), 21, numpy.uint16))
        statistics = "--statistic mean,variance "
        for way in (*(statistics + window for window in
                      ("--scales 2,4,8", "--scales 4,8", "--window box:5",
                       "--window gaussian:1.5")),
                    *(statistics + "--window box:5 --strategy " + strategy for strategy in
                      ("two-pass", "online", "pairwise", "koenig", "integral")),
                    "--enhance", "--enhance --window box:9 --output-type float32"):
            with self.subTest(way=way):
                words = ("variance", "image.tif", *way.split(), "--overwrite", "-o")
                host = self.result_of(*words, "host.tif", "--gpus", "none")["results"]
                for options in ((), ("--gpu-memory", "8M")):
                    report = self.result_of(*words, "gpu.tif", "--gpus", "0", *options)
                    self.assertEqual(report["gpu"], GPUS[0]["name"])
                    for here, there in zip(host, report["results"]):
                        numpy.testing.assert_array_equal(self.read(there["output"]),
                                                         self.read(here["output"]))


class Resampled(OnGpu):
    def test_is_what_the_host_gives_to_the_bit(self):
        for words in ("--rotate 10", "--rotate 4,y --order 3 --boundary mirror",
                      "--scale 1.5,2,0.7",
                      "--scale 2 --order 3 --strategy column", "--rotate 7,x --order 0",
                      "--rotate 3 --strategy tile --output-type float32",
                      "--rotate 8 --interpolation lanczos --boundary wrap"):
            with self.subTest(words=words):
                for output, gpu, name in (("host.tif", "none", None), ("gpu.tif", "0",
                                                                       GPUS[0]["name"])):
                    report = self.result_of("resample", "image.tif", "-o", output, "--overwrite",
                                            *words.split(), "--gpus", gpu)
                    self.assertEqual(report["gpu"], name)
                self.assertTrue(numpy.array_equal(self.read("host.tif"), self.read("gpu.tif")))

    def test_by_textures_errs_by_little(self):
        for output, words in (("host.tif", "--gpus none"), ("gpu.tif", "--strategy texture")):
            self.result_of("resample", "image.tif", "-o", output, "--output-type", "float32",
                           "--rotate", "10", *words.split())
        error = abs(self.read("host.tif") - self.read("gpu.tif")).max()
        self.assertGreater(error, 0)
        self.assertLessEqual(error, 2 / 256 * float(self.image.max()))

    def test_by_warps_is_what_the_host_gives_however_little_memory_there_is(self):
        generator = numpy.random.default_rng(22)
        places = generator.uniform(0, 120, (9, 2))
        lines = numpy.hstack([places, places + generator.uniform(-6, 6, places.shape)])
        self.text("marks.csv", "".join(",".join(map(str, line)) + "\n" for line in lines))
        field = (9 * random_volume((3, *self.image.shape), 23) - 4).astype(numpy.float32)
        self.write("field.ome.tif", field, metadata={"axes": "CZYX"})
        for words in ("--homography 0.9,0.1,2,-0.05,0.8,3,1e-3,2e-3,1 --boundary reflect",
                      "--landmarks marks.csv --order 3", "--landmarks marks.csv --labels",
                      "--displacement field.ome.tif", "--displacement field.ome.tif --order 3"):
            with self.subTest(words=words):
                self.result_of("resample", "image.tif", "-o", "host.tif", "--overwrite",
                               *words.split(), "--gpus", "none")
                for options in ((), ("--gpu-memory", "24M")):
                    report = self.result_of("resample", "image.tif", "-o", "gpu.tif", "--overwrite",
                                            *words.split(), "--gpus", "0", *options)
                    self.assertEqual(report["gpu"], GPUS[0]["name"])
                    self.assertTrue(numpy.array_equal(self.read("host.tif"), self.read("gpu.tif")))

    def test_by_warps_in_tiles_is_for_the_host(self):
        refused = self.command("resample", "image.tif", "-o", "out.tif", "--homography",
                               "1,0,0,0,1,0,1e-4,0,1", "--strategy", "tile", "--gpus", "0")
        self.assertEqual(refused.returncode, USAGE, refused.stderr)
        self.assertIn("works only on the host", refused.stderr)


class Scenes(OnGpu):
    def simulate(self, output, *options):
        return self.result_of("simulate", self.text("scene.toml", TINY_SCENE), "-o", output,
                              *options)

    def test_have_the_labels_and_nearly_all_counts_of_the_host(self):
        plane = ("--set", "grid.size=1,48,40", "--set", "grid.margin_um=1.8,0.6,0.6", "--set",
                 "nuclei.border=cut", "--set", "nuclei.count=6")
        for what, options in (("stack", ()), ("plane", plane),
                              ("footprints", (*plane, "--set", "grid.masks=footprint"))):
            with self.subTest(what=what):
                self.simulate(f"{what}-host", "--gpus", "none", *options)
                report = self.simulate(f"{what}-gpu", "--gpus", "0", *options)
                self.assertRegex(report["blur"]["instruction_set"], "^sm_")
                self.compare(f"{what}-host", f"{what}-gpu")

    def compare(self, host, gpu):
        here, there = self.files(host), self.files(gpu)
        self.assertEqual(sorted(here), sorted(there))
        for name in ("labels.ome.tif", "objects.csv"):
            self.assertTrue(here[name] == there[name], f"{name} differs")
        counts = [self.read(os.path.join(made, "image.ome.tif")) for made in (host, gpu)]
        self.assertLess(numpy.mean(counts[0] != counts[1]), 1e-3)
        photons = [self.read(os.path.join(made, "photons.ome.tif")) for made in (host, gpu)]
        self.assertLess(numpy.abs(photons[0] - photons[1]).max(), 1e-5 * photons[0].max())

    def test_are_the_same_twice(self):
        for output in ("first", "second"):
            self.simulate(output, "--gpus", "0")
        first, second = self.files("first"), self.files("second")
        for name in first:
            if not name.endswith(".json"):  # times
                self.assertTrue(first[name] == second[name], f"{name} differs")

    def test_keep_the_promise_of_gpu_memory(self):
        scene = self.text("scene.toml", TINY_SCENE)
        least = self.least_memory("simulate", scene, "-o", "made")
        self.assertNotIn("made", self.listing())
        self.simulate("made", "--gpus", "0", "--gpu-memory", str(least))

    def test_are_recorded_alike_by_any_camera(self):
        self.simulate("made", "--gpus", "none")
        for kind in ("ccd", "scmos", "emccd"):
            camera = self.text("camera.toml", f'kind = "{kind}"\n')
            for gpus in ("none", "0"):
                self.succeed("detect", os.path.join("made", "photons.ome.tif"), "--camera", camera,
                             "--seed", "3", "--gpus", gpus, "-o", f"{kind}-{gpus}.tif")
            self.assertTrue(numpy.array_equal(self.read(f"{kind}-none.tif"),
                                              self.read(f"{kind}-0.tif")), kind)


PACKAGED = os.path.join(os.path.dirname(PROGRAM), "..", "share", "synthoscope", "kernels",
                        f"sm_{GPUS[0]['capability']}")


@unittest.skipUnless(os.path.isfile(PACKAGED), "no code for this GPU came with the program")
class Packages(OnGpu):
    """What is compiled is kept in the user's cache: it stays empty."""

    def environment(self):
        return {**super().environment(), "XDG_CACHE_HOME": self.path("cache")}

    def runs_without_compiling(self, *words):
        self.succeed(*words, "--gpus", "0")
        kept = "cache" in self.listing()
        shutil.rmtree(self.path("cache"), ignore_errors=True)
        self.assertFalse(kept, "something was compiled")

    def test_compile_nothing_in_common_runs(self):
        self.write("wide.tif", random_volume((40, 500, 700), 4, numpy.uint16))
        self.write("sheet.ome.tif", random_volume((40, 200, 300), 7, numpy.uint16),
                   metadata={"axes": "ZYX", "PhysicalSizeX": 0.2, "PhysicalSizeY": 0.2,
                             "PhysicalSizeZ": 0.4})
        self.write("plane.tif", random_volume((900, 1100), 5, numpy.uint8))
        self.write("flat.tif", random_volume((15, 21), 6))
        for words in ("convolve image.tif kernel.tif --boundary zero",
                      "convolve wide.tif kernel.tif --boundary mirror --output-type float32",
                      *(f"convolve wide.tif kernel.tif --strategy {strategy}"
                        for strategy in ("in-core", "ring", "tiles", "parts")),
                      *(f"convolve plane.tif flat.tif --strategy {strategy}"
                        for strategy in ("in-core", "tiles")),
                      "filter wide.tif --gaussian 2", "filter plane.tif --gaussian 1.5",
                      "filter wide.tif --box 5", "filter plane.tif --bank mr8",
                      "filter wide.tif --named sobel --axis y",
                      "resample wide.tif --rotate 10", "resample wide.tif --rotate -40,y",
                      "resample wide.tif --scale 0.5,2,2",
                      "resample plane.tif --rotate 30 --order 3",
                      "resample wide.tif --order 0 --scale 1.5",
                      "resample sheet.ome.tif --deskew 30",
                      "variance wide.tif --window triangle:4", "variance plane.tif --window box:5",
                      "variance plane.tif --scales 2,4,8,16,32"):
            with self.subTest(words=words):
                self.runs_without_compiling(*words.split(), "--overwrite", "-o", "out.tif")

    def test_compile_nothing_for_scenes(self):
        for kind in ("nuclei", "cells"):
            with self.subTest(kind=kind):
                scene = TINY_SCENE.replace("[nuclei]", f'[{kind}]\nborder = "cut"')
                scene = scene.replace("count = 2\nradius_um = 1.1\ngap_um = 0.1\n", "count = 1\n")
                self.runs_without_compiling("simulate", self.text(f"{kind}.toml", scene), "-o",
                                            kind)


if __name__ == "__main__":
    main()
