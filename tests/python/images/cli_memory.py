# SPDX-License-Identifier: MIT
# tests/python/images/cli_memory.py — what a run takes stays within --memory, and what it takes is
# named.
import json
import os
import re
import subprocess
import time

import numpy

from program import PROGRAM, ProgramTest, less_than, main, size_in, tifffile

MIB = 2**20
# Of a 160 x 240 x 200 image and a 9 x 21 x 17 kernel, in MiB; in-core takes some 50
BUDGETS = {"auto": (20, 60, 120), "ring": (30,), "tiles": (20,), "in-core": (90,), "parts": (60,)}


class Memory(ProgramTest):
    def setUp(self):
        super().setUp()
        random = numpy.random.default_rng(1)
        self.write("image.tif", random.integers(0, 60000, (160, 240, 200), "uint16"))
        self.write("kernel.tif", random.random((9, 21, 17), "float32"))
        self.words = ("convolve", "image.tif", "kernel.tif", "-o", "out.tif", "--overwrite",
                      "--normalize-kernel", "sum", "--json", "--quiet")

    def watched(self, *options):
        """Runs and returns the exit code, the largest RssAnon seen, and what was printed. A busy
        machine sees less than there was: this is for upper bounds alone."""
        words = [PROGRAM, *self.words, *map(str, options)]
        with subprocess.Popen(words, cwd=self.folder, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            peak = 0
            while process.poll() is None:
                try:
                    with open(f"/proc/{process.pid}/status", encoding="ascii") as file:
                        found = re.search(r"RssAnon:\s+(\d+) kB", file.read())
                except (FileNotFoundError, ProcessLookupError):
                    break
                peak = max(peak, int(found.group(1)) * 1024 if found else 0)
                time.sleep(0.0005)
            out, error = process.communicate()
        return process.returncode, peak, out, error

    def test_every_strategy_keeps_its_budget(self):
        for strategy, budgets in BUDGETS.items():
            for budget in budgets:
                with self.subTest(strategy=strategy, budget=budget):
                    code, peak, out, error = self.watched("--strategy", strategy, "--memory",
                                                          f"{budget}M")
                    self.assertEqual(code, 0, error)
                    run = json.loads(out)["run"]
                    self.assertLessEqual(peak, budget * MIB)
                    self.assertLessEqual(run["peak_rss_anon_bytes"], budget * MIB)
                    self.assertGreater(run["peak_rss_anon_bytes"], 0)

    def test_other_boundaries_compression_and_many_threads_keep_it_too(self):
        for options in (("--boundary", "reflect"), ("--compression", "deflate"),
                        ("--threads", "16"), ("--certify", "50"), ("--precision", "double"),
                        ("--kernel-background", "auto")):
            with self.subTest(options=options):
                code, peak, _, error = self.watched("--memory", "40M", *options)
                self.assertEqual(code, 0, error)
                self.assertLessEqual(peak, 40 * MIB)

    def test_a_budget_that_is_too_small_is_refused_with_one_that_works(self):
        for options in (("--strategy", "auto"), ("--strategy", "in-core"), ("--strategy", "ring"),
                        ("--strategy", "tiles"), ("--compression", "zstd"), ("--certify", "50000"),
                        ("--certify", "50", "--format", "zarr", "--compression", "zstd")):
            with self.subTest(options=options):
                if os.path.exists(self.path("out.tif")):  # no folder takes the place of a file
                    os.remove(self.path("out.tif"))
                code, _, _, error = self.watched(*options, "--memory", "1M")
                self.assertEqual(code, 5, error)
                named = size_in(error)
                code, peak, _, error = self.watched(*options, "--memory", named)
                self.assertEqual(code, 0, error)
                self.assertLessEqual(peak, named)
                code, _, _, _ = self.watched(*options, "--memory", less_than(named))
                self.assertEqual(code, 5)

    def test_a_plan_that_does_not_fit_is_refused_before_anything_is_written(self):
        self.text("plan.json", self.succeed("plan", "convolve", "image.tif", "kernel.tif",
                                            "--normalize-kernel", "sum", "--json"))
        before = self.listing()
        code, _, _, error = self.watched("--plan", "plan.json", "--memory", "20M")
        self.assertEqual(code, 5, error)
        self.assertIn("run the given plan: it needs", error)
        self.assertEqual(self.listing(), before)
        code, _, _, error = self.watched("--plan", "plan.json", "--boundary", "wrap")
        self.assertEqual(code, 2, error)
        self.assertIn("it is for boundary zero, but wrap is requested", error)

    def test_the_table_of_a_plan_says_what_each_strategy_takes(self):
        text = self.succeed("plan", "convolve", "image.tif", "kernel.tif", "--memory", "30M")
        lines = [line.split() for line in text.splitlines()]
        head = next(i for i, words in enumerate(lines) if words[:1] == ["strategy"])
        library = ["fft"] if "fftw-3" in self.succeed("--version") else []
        self.assertEqual(lines[head], ["strategy", *library, "transform", "at", "once", "memory",
                                       "read", "written", "scratch", "time", "verdict"])
        self.assertIn("in-core", lines[head + 1])
        self.assertIn("beyond the memory budget", text)
        self.assertLessEqual(max(len(line) for line in text.splitlines()), 140)
        plan = json.loads(self.succeed("plan", "convolve", "image.tif", "kernel.tif", "--memory",
                                       "30M", "--json"))
        for candidate in plan["candidates"]:
            self.assertGreater(candidate["seconds"], 0)
            self.assertGreaterEqual(candidate["read_bytes"], 160 * 240 * 200 * 2)
            self.assertEqual(candidate["written_bytes"], 160 * 240 * 200 * 4)


class Plans(ProgramTest):
    """A plan that fits is enough for the run, until its end."""

    CERTIFIED = ("--certify", "50")
    CASES = (("convolve", (24, 60, 70), "out.tif", *CERTIFIED, "--compression", "deflate"),
             ("convolve", (24, 60, 70), "out.h5", *CERTIFIED, "--chunks", "64,32,64"),
             ("convolve", (1, 33, 285), "out.ome.zarr", *CERTIFIED, "--compression", "deflate",
              "--chunks", "1,32,64"),
             ("convolve", (1, 157, 102), "out.h5", "--compression", "deflate"),
             ("deconvolve", (1, 196, 300), "out.h5", "--iterations", "2", "--compression", "zstd"),
             ("deconvolve", (24, 60, 70), "out.tif", "--iterations", "2", *CERTIFIED),
             ("deconvolve", (1, 196, 300), "out.tif", "--method", "wiener"))

    def setUp(self):
        super().setUp()
        self.write("kernel.tif", numpy.ones((1, 5, 5), "float32"))

    def least(self, words):
        """The least KiB, but for a few, with which `words` can be planned."""
        least, most = 4 * 1024, 64 * 1024
        while most - least > 4:
            middle = (least + most) // 2
            fits = self.command(*words, "--memory", f"{middle}K", "--dry-run").returncode == 0
            least, most = (least, middle) if fits else (middle, most)
        return most

    def test_take_no_more_than_they_say(self):
        for number, (verb, shape, output, *options) in enumerate(self.CASES):
            image = f"{number}.tif"
            self.write(image, numpy.random.default_rng(1).integers(0, 200, shape, "uint8"))
            words = (verb, image, "kernel.tif", "-o", f"{number}-{output}", *options)
            least = self.least(words)
            for more in (0, 100, 1000):
                with self.subTest(words=words, least=least, more=more):
                    self.succeed(*words, "--overwrite", "--memory", f"{least + more}K")


class PackedInputs(ProgramTest):
    """What decoders and parsers hold is part of the budget."""

    def peak_of(self, *words):
        """Exit code, what was said, and the largest RssAnon that was seen."""
        self.words = tuple(map(str, words))
        code, peak, _, error = Memory.watched(self, "--quiet")
        return code, error, peak

    def test_large_strips_and_tiles_keep_it(self):
        pages = numpy.tile(numpy.arange(2048, dtype="uint16"), (4, 2048, 1))
        for options in ({"rowsperstrip": 2048}, {"tile": (2048, 2048)}, {"tile": (256, 256)}, {}):
            tifffile.imwrite(self.path("packed.tif"), pages, compression="zlib",
                             photometric="minisblack", **options)
            for threads in (1, 8):
                with self.subTest(threads=threads, **options):
                    code, error, peak = self.peak_of(
                        "filter", "packed.tif", "--gaussian", "1", "-o", "out.tif", "--overwrite",
                        "--memory", "40M", "--threads", threads)
                    self.assertEqual(code, 0, error)
                    self.assertLessEqual(peak, 40 * MIB)

    def test_a_strip_that_does_not_fit_is_refused(self):
        tifffile.imwrite(self.path("packed.tif"), numpy.zeros((8192, 4096), "uint16"),
                         compression="zlib", photometric="minisblack", rowsperstrip=8192)
        for words in (("info", "packed.tif"),
                      ("filter", "packed.tif", "--gaussian", "1", "-o", "out.tif")):
            code, error, _ = self.peak_of(*words, "--memory", "48M")
            self.assertEqual(code, 5, error)
            self.assertIn("raise --memory", error)

    def test_parsing_is_counted_before_it_is_done(self):
        head = ('<OME><Image ID="Image:0"><Pixels SizeX="8" SizeY="4" SizeZ="1" SizeC="1" '
                'SizeT="1" DimensionOrder="XYZCT"><TiffData/></Pixels></Image>')
        tifffile.imwrite(self.path("much.ome.tif"), numpy.ones((4, 8), "uint8"), metadata=None,
                         description=head + "<a/>" * (1 << 20) + "</OME>")
        result = self.command("info", "much.ome.tif", "--memory", "64M")
        self.assertEqual(result.returncode, 5, result.stderr)
        self.assertIn("OME-XML takes up to", result.stderr)
        self.succeed("info", "much.ome.tif", "--memory", size_in(result.stderr) + (1 << 20))


class Devices(ProgramTest):
    def devices(self, *options, cache="cache"):
        environment = {**os.environ, "XDG_CACHE_HOME": self.path(cache)}
        result = self.command("devices", "--json", "--quiet", *options, env=environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_what_was_measured_is_remembered_for_this_machine_alone(self):
        before = self.devices()
        self.assertFalse(before["measured"])
        self.assertNotIn("cache", self.listing())
        found = self.devices("--measure", "--folder", self.folder)
        self.assertTrue(found["measured"])
        self.assertNotEqual(found["rates"], before["rates"])
        self.assertEqual(self.devices()["rates"], found["rates"])
        record = self.path("cache/synthoscope/machine.json")
        with open(record, encoding="utf-8") as file:
            kept = json.load(file)
        self.assertEqual(len(kept["gpus"]), len(found["gpus"]))
        older = {key: value for key, value in kept.items() if key != "gpus"}
        with open(record, "w", encoding="utf-8") as file:
            json.dump(older, file)
        self.assertEqual(self.devices()["rates"], found["rates"], "records of older programs serve")
        for other in ({**kept, "processor": "another"}, {**kept, "format": 99},
                      {**kept, "rates": {**kept["rates"], "cores": 12345}}, "no record"):
            with open(record, "w", encoding="utf-8") as file:
                json.dump(other, file)
            self.assertEqual(self.devices()["rates"], before["rates"], other)

    def test_a_cache_that_cannot_be_written_is_no_failure(self):
        self.text("cache", "a file where a folder should be")
        found = self.devices("--measure", "--folder", self.folder)
        self.assertTrue(found["measured"])
        self.assertFalse(self.devices()["measured"])

    def test_the_plan_follows_the_record_and_not_the_threads(self):
        random = numpy.random.default_rng(1)
        self.write("image.tif", random.random((40, 50, 60), "float32"))
        self.write("kernel.tif", random.random((5, 7, 9), "float32"))
        found = self.devices("--measure", "--folder", self.folder)
        environment = {**os.environ, "XDG_CACHE_HOME": self.path("cache")}
        plans = []
        for threads in ("1", "7"):
            result = self.command("plan", "convolve", "image.tif", "kernel.tif", "--json",
                                  "--memory", "1G", "--threads", threads, env=environment)
            self.assertEqual(result.returncode, 0, result.stderr)
            plans.append(json.loads(result.stdout))
        self.assertEqual(plans[0], plans[1])
        self.assertEqual(plans[0]["machine"]["rates"], found["rates"])


if __name__ == "__main__":
    main()
