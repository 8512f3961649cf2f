# SPDX-License-Identifier: MIT
# tests/python/commands/cli_errors.py — bad input: one sentence, the right exit code, nothing
# half-written.
import os
import resource
import struct
import tempfile

import numpy
import tifffile

from program import TINY_SCENE, ProgramTest, main, random_volume

USAGE, INPUT, IO, MEMORY = 2, 3, 4, 5


def scene(**replaced):
    """A tiny scene as TOML, with keys replaced: grid="size = [8, 8, 8]"."""
    tables = {"grid": "size = [8, 32, 32]\npitch_nm = [300, 130, 130]",
              "nuclei": "count = 1\nradius_um = 0.8", "optics": "na = 1.2", "camera": ""}
    tables.update(replaced)
    return "seed = 1\n" + "".join(f"[{name}]\n{keys}\n" for name, keys in tables.items())


class BadFiles(ProgramTest):
    """Files that are no usable image, given to `info` and `convolve`, as image and as kernel."""

    def setUp(self):
        super().setUp()
        self.write("good.tif", random_volume((5, 9, 9), 1))
        self.make()

    def make(self):
        with open(self.path("good.tif"), "rb") as file:
            good = file.read()
        os.mkdir(self.path("folder.tif"))
        for name, content in (("empty.tif", b""), ("text.tif", b"This is a letter, no image.\n"),
                              ("truncated.tif", good[:len(good) // 2]),
                              ("no_directory.tif", struct.pack("<2sHI", b"II", 42, 0))):
            with open(self.path(name), "wb") as file:
                file.write(content)
        self.write("complex.tif", random_volume((5, 9), 1).astype("complex64"))
        with tifffile.TiffWriter(self.path("mixed.tif")) as writer:
            for size in (9, 9, 12):
                writer.write(random_volume((size, 9), 1), photometric="minisblack",
                             contiguous=False)

    FILES = [("missing.tif", IO, "no such file"), ("folder.tif", INPUT, "folder"),
             ("empty.tif", INPUT, "empty"), ("text.tif", INPUT, "text.tif"),
             ("truncated.tif", INPUT, "truncated.tif"), ("no_directory.tif", INPUT, "no image"),
             ("complex.tif", INPUT, "complex"), ("mixed.tif", INPUT, "mixed.tif")]

    def test_are_refused_by_every_command_that_reads_images(self):
        self.text("camera.toml", "offset_dn = 100")
        for name, code, words in self.FILES:
            for arguments in (["info", name], ["convolve", name, "good.tif", "-o", "out.tif"],
                              ["convolve", "good.tif", name, "-o", "out.tif"],
                              ["detect", name, "-o", "out.tif", "--camera", "camera.toml"]):
                with self.subTest(arguments=" ".join(arguments)):
                    self.refused(arguments, code, [name.split(".")[0], words])

    def refused(self, arguments, code, words):
        before = self.listing()
        result = self.command(*arguments)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertEqual(result.stdout, "")
        *warnings, error = result.stderr.splitlines()
        for warning in warnings:
            self.assertTrue(warning.startswith("synthoscope: warning: "), result.stderr)
        self.assertTrue(error.startswith("synthoscope: error: "), result.stderr)
        for word in words:
            self.assertIn(word.lower(), error.lower())
        self.assertEqual(self.listing(), before)


class BadRequests(BadFiles):
    """Requests that cannot be met, from files that are fine."""

    test_are_refused_by_every_command_that_reads_images = None

    def make(self):
        nan = random_volume((5, 9, 9), 2)
        nan[2, 3, 4] = numpy.nan
        nan[4, 0, 0] = numpy.inf
        self.write("nan.tif", nan)
        self.write("zeros.tif", numpy.zeros((3, 3, 3), "float32"))
        self.write("cancels.tif", numpy.array([[1.0, -1.0]], "float32"))
        self.write("large.tif", random_volume((1, 30, 30), 3))
        self.write("rgb.tif", random_volume((9, 9, 3), 4, numpy.uint8), photometric="rgb")
        self.write("channels.tif", random_volume((5, 2, 9, 9), 5), imagej=True,
                   metadata={"axes": "ZCYX"})
        self.write("exists.tif", random_volume((2, 2), 6))
        self.text("record.tif.json",
                  '{"program": "synthoscope", "command_line": [], "inputs": []}')
        self.text("others.tif.json", "{}")
        self.text("not_a_plan.json", "{}")
        self.text("good.toml", scene())
        self.text("camera.toml", "offset_dn = 100")
        self.write("vast.tif", numpy.full((1, 64, 64), 3e38, "float32"))
        os.mkfifo(self.path("pipe.tif"))
        os.mkdir(self.path("folder"))
        self.text("folder/precious.txt", "not made by a simulation")

    CONVOLVE = ["convolve", "good.tif", "good.tif", "-o", "out.tif"]
    CASES = [
        ("nan image", ["convolve", "nan.tif", "good.tif", "-o", "out.tif"], INPUT,
         ["2 of 405 voxels", "--nan zero"]),
        ("nan kernel", ["convolve", "good.tif", "nan.tif", "-o", "out.tif"], INPUT,
         ["2 of", "nan"]),
        ("zero kernel", ["convolve", "good.tif", "zeros.tif", "-o", "out.tif"], INPUT, ["zero"]),
        ("kernel without sum", ["convolve", "good.tif", "cancels.tif", "-o", "out.tif",
                                "--normalize-kernel", "sum"], INPUT, ["sum"]),
        ("rgb", ["convolve", "rgb.tif", "good.tif", "-o", "out.tif"], USAGE, ["--channel"]),
        ("channels", ["convolve", "channels.tif", "good.tif", "-o", "out.tif"], USAGE,
         ["2 channels", "--channel"]),
        ("no such channel", ["convolve", "channels.tif", "good.tif", "-o", "out.tif", "--channel",
                             "2"], USAGE, ["channel"]),
        ("existing output", ["convolve", "good.tif", "good.tif", "-o", "exists.tif"], USAGE,
         ["exists.tif", "--overwrite"]),
        ("existing record", ["convolve", "good.tif", "good.tif", "-o", "record.tif"], USAGE,
         ["record.tif.json", "--overwrite"]),
        ("no record", ["convolve", "good.tif", "good.tif", "-o", "others.tif", "--overwrite"],
         USAGE, ["others.tif.json exists", "not a record of this program", "move it"]),
        ("output is a pipe", ["convolve", "good.tif", "good.tif", "-o", "pipe.tif", "--overwrite"],
         IO, ["pipe.tif", "device, a pipe"]),
        ("output is the input", ["convolve", "good.tif", "large.tif", "-o", "good.tif",
                                 "--overwrite"], USAGE, ["good.tif", "itself"]),
        ("overflow", ["convolve", "vast.tif", "good.tif", "-o", "out.tif"], INPUT,
         ["vast.tif", "single precision", "--precision double"]),
        ("certify what NaN spreads over", CONVOLVE + ["--nan", "propagate", "--certify", "5"],
         USAGE, ["--certify", "--nan"]),
        ("certify two files", CONVOLVE + ["--format", "bdv", "--certify", "5"], USAGE,
         ["--certify", "--format bdv"]),
        ("fall back and go on", CONVOLVE + ["--resume", "--allow-cpu-fallback"], USAGE,
         ["--allow-cpu-fallback with --resume", "leave one of them out"]),
        ("no scratch folder", CONVOLVE + ["--scratch", "none/such"], USAGE,
         ["--scratch none/such", "no such folder"]),
        ("limit on axes", CONVOLVE + ["--max-axis", "4"], INPUT, ["--max-axis"]),
        ("missing output folder", ["convolve", "good.tif", "good.tif", "-o", "none/out.tif"], IO,
         ["none"]),
        ("output below a file", ["convolve", "good.tif", "good.tif", "-o", "good.tif/out.tif"], IO,
         ["good.tif"]),
        ("no output", ["convolve", "good.tif", "good.tif"], USAGE, ["--output", "--dry-run"]),
        ("no kernel", ["convolve", "good.tif", "-o", "out.tif"], USAGE, ["KERNEL is missing"]),
        ("kernel larger than image", ["convolve", "good.tif", "large.tif", "-o", "out.tif",
                                      "--shape", "valid"], USAGE, ["valid", "larger"]),
        ("full without zero", CONVOLVE + ["--shape", "full", "--boundary", "wrap"], USAGE,
         ["full", "zero"]),
        ("centre outside", CONVOLVE + ["--kernel-center", "5,0,0"], USAGE, ["(5, 0, 0)"]),
        ("centre negative", CONVOLVE + ["--kernel-center", "-1,0,0"], USAGE, ["--kernel-center"]),
        ("unknown format", ["convolve", "good.tif", "good.tif", "-o", "out.png"], USAGE,
         ["out.png", "'.png'", ".tif, .tiff, .h5, .hdf5 or .ome.zarr", "--format"]),
        ("unknown format of a filter", ["filter", "good.tif", "-o", "out.png", "--box", "3"],
         USAGE, ["out.png", "--format"]),
        ("unknown format of a variance", ["variance", "good.tif", "-o", "out.jpg", "--scales",
                                          "2,4"], USAGE, ["out-variance-2.jpg", "--format"]),
        ("unknown format of a psf", ["psf", "-o", "out.raw"], USAGE, ["out.raw", "--format"]),
        ("not a product", CONVOLVE + ["--strategy", "separable"], MEMORY,
         ["separable", "not a product", "--strategy auto"]),
        ("no memory", CONVOLVE + ["--memory", "1K"], MEMORY, ["memory"]),
        ("negative memory", CONVOLVE + ["--memory", "-5"], USAGE, ["--memory"]),
        ("negative certify", CONVOLVE + ["--certify", "-5"], USAGE, ["--certify"]),
        ("imagej float64", CONVOLVE + ["--tiff-flavor", "imagej", "--precision", "double"], USAGE,
         ["float64"]),
        ("missing plan", CONVOLVE + ["--plan", "none.json"], IO, ["none.json"]),
        ("no plan", CONVOLVE + ["--plan", "not_a_plan.json"], INPUT, ["plan"]),
        ("negative psf", ["psf", "-o", "out.tif", "--size", "-5,5,5"], USAGE, ["--size"]),
        ("even psf", ["psf", "-o", "out.tif", "--size", "4,5,5"], USAGE, ["odd"]),
        ("impossible na", ["psf", "-o", "out.tif", "--na", "1.6"], USAGE, ["na", "1.6"]),
        ("settings without scene", ["psf", "-o", "out.tif", "--set", "optics.na=1"], USAGE,
         ["--set"]),
        ("zero voxel", ["psf", "-o", "out.tif", "--voxel-um", "0"], USAGE, ["--voxel-um"]),
        ("missing scene", ["simulate", "none.toml", "-o", "out"], IO, ["none.toml"]),
        ("data set in the way", ["simulate", "good.toml", "-o", "folder"], USAGE, ["folder"]),
        ("somebody's folder", ["simulate", "good.toml", "-o", "folder", "--overwrite"], USAGE,
         ["folder"]),
        ("missing camera", ["detect", "good.tif", "-o", "out.tif", "--camera", "none.toml"], IO,
         ["none.toml"]),
        ("nan photons", ["detect", "nan.tif", "-o", "out.tif", "--camera", "camera.toml", "--seed",
                         "1"], INPUT, ["nan"]),
        ("negative seed", ["detect", "good.tif", "-o", "out.tif", "--camera", "camera.toml",
                           "--seed", "-1"], USAGE, ["--seed"]),
        ("plan of nothing", ["plan"], USAGE, ["convolve"]),
        ("plan of info", ["plan", "info", "good.tif"], USAGE, ["info", "convolve"]),
        ("no command", [], USAGE, ["--help"]),
        ("unknown command", ["convole", "a", "b"], USAGE, ["did you mean convolve?"]),
        ("unknown option", CONVOLVE + ["--bondary", "wrap"], USAGE, ["did you mean --boundary?"]),
        ("unknown page", ["--help-markdown", "cooking"], USAGE, ["cli", "scene"]),
    ]

    def test_are_refused_in_one_sentence_and_leave_nothing_behind(self):
        for name, arguments, code, words in self.CASES:
            with self.subTest(name):
                self.refused(arguments, code, words)

    SCENES = [
        ("unknown key", scene(optics="an = 1.2"), ["scene.toml", "line", "optics.an",
                                                   "did you mean na?"]),
        ("unknown table", "[optic]\nna = 1.2\n", ["optic"]),
        ("wrong unit", scene(grid="size = [8, 32, 32]\npitch_um = [0.3, 0.1, 0.1]"),
         ["pitch_um", "pitch_nm"]),
        ("wrong type", scene(optics='na = "large"'), ["optics.na"]),
        ("negative size", scene(grid="size = [-8, 32, 32]"), ["grid.size"]),
        ("out of range", scene(optics="na = 9"), ["na"]),
        ("not toml", "grid = [", ["scene.toml", "line"]),
        ("unknown word", scene(optics='model = "magic"'), ["magic", "gibson-lanni"]),
        ("too many nuclei", scene(nuclei="count = 500\nradius_um = 0.5"), ["500"]),
    ]

    def test_scenes_are_refused_with_the_key_and_leave_nothing_behind(self):
        for name, text, words in self.SCENES:
            with self.subTest(name):
                self.text("scene.toml", text)
                self.refused(["simulate", "scene.toml", "-o", "out"], USAGE, words)

    def test_overrides_are_refused_like_scenes(self):
        for setting, words in (("optics.an=1", ["optics.an"]), ("optics.na", ["optics.na"]),
                               ("optics.na=wide", ["optics.na"])):
            with self.subTest(setting):
                self.refused(["simulate", "good.toml", "-o", "out", "--set", setting], USAGE,
                             words)


class FullDisk(ProgramTest):
    def test_ends_with_the_place_and_removes_what_it_began(self):
        self.write("image.tif", random_volume((20, 64, 64), 1))
        self.write("kernel.tif", random_volume((3, 3, 3), 1))
        self.text("scene.toml", scene(grid="size = [16, 64, 64]\npitch_nm = [300, 130, 130]"))
        before = self.listing()

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))

        for arguments in (["convolve", "image.tif", "kernel.tif", "-o", "out.tif"],
                          ["psf", "-o", "out.tif", "--size", "31,65,65"],
                          ["simulate", "scene.toml", "-o", "out"]):
            for compression in ("none", "deflate"):
                with self.subTest(arguments=arguments, compression=compression):
                    result = self.command(*arguments, "--compression", compression, "--quiet",
                                          preexec_fn=limit)
                    self.assertEqual(result.returncode, IO, result.stderr)
                    self.assertIn("out", result.stderr)
                    self.assertEqual(self.listing(), before)

    def test_of_standard_output_is_a_failure_too(self):
        self.write("image.tif", random_volume((2, 8, 8), 1))
        with open("/dev/full", "w", encoding="utf-8") as full:
            result = self.command("info", "image.tif", capture_output=False, stdout=full, stderr=-1)
        self.assertEqual(result.returncode, IO)
        self.assertIn("standard output", result.stderr)


class ReadOnlyFolders(ProgramTest):
    NOBODY = 65534  # root may write everywhere

    def setUp(self):
        super().setUp()
        self.write("image.tif", random_volume((3, 9, 9), 1))
        self.write("kernel.tif", random_volume((3, 3, 3), 1))
        self.text("scene.toml", TINY_SCENE)
        os.chmod(self.folder, 0o555)
        self.who = {"user": self.NOBODY, "group": self.NOBODY} if os.geteuid() == 0 else {}
        try:
            self.command("--version", **self.who)
        except PermissionError:
            self.skipTest("the program lies where nobody else may run it")

    def test_are_told_in_one_sentence_and_nothing_is_left(self):
        before = self.listing()
        convolve = ["convolve", "image.tif", "kernel.tif", "-o"]
        for words in ([*convolve, "out.tif"], [*convolve, "out.h5"], [*convolve, "out.ome.zarr"],
                      [*convolve, "out.h5", "--format", "bdv"],
                      [*convolve, "out.tif", "--compression", "zstd"],
                      [*convolve, "out.tif", "--log-file", "run.log"],
                      ["simulate", "scene.toml", "-o", "out"],
                      ["psf", "--size", "5,5,5", "-o", "out.tif"]):
            with self.subTest(" ".join(words)):
                result = self.command(*words, "--quiet", **self.who)
                self.assertEqual(result.returncode, IO, result.stderr)
                *warnings, error = result.stderr.splitlines()
                self.assertRegex(error, "^synthoscope: error: .*(out|run.log)")
                self.assertNotIn("error", " ".join(warnings))
                self.assertEqual(self.listing(), before)

    def test_are_read_from(self):
        with tempfile.TemporaryDirectory() as elsewhere:
            os.chmod(elsewhere, 0o777)
            result = self.command("convolve", "image.tif", "kernel.tif", "-o",
                                  os.path.join(elsewhere, "out.tif"), **self.who)
            self.assertEqual(result.returncode, 0, result.stderr)


class OlderOutput(ProgramTest):
    def test_survives_a_run_that_fails(self):
        self.write("image.tif", numpy.full((3, 9, 9), numpy.nan, "float32"))
        self.write("kernel.tif", random_volume((3, 3, 3), 1))
        self.write("out.tif", numpy.full((2, 2), 7, "uint8"))
        result = self.command("convolve", "image.tif", "kernel.tif", "-o", "out.tif", "--overwrite")
        self.assertEqual(result.returncode, INPUT)
        numpy.testing.assert_array_equal(self.read("out.tif"), 7)
        self.assertEqual(self.listing(), ["image.tif", "kernel.tif", "out.tif"])


if __name__ == "__main__":
    main()
