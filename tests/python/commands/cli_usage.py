# SPDX-License-Identifier: MIT
# tests/python/commands/cli_usage.py — help, versions, what goes to which stream, progress, threads,
# info.
import json
import os
import re
import subprocess

import numpy

from program import PROGRAM, TINY_SCENE, ProgramTest, main, random_volume

USAGE, IO = 2, 4
COMMANDS = ["simulate", "convolve", "psf", "detect", "info", "plan"]


class Help(ProgramTest):
    def test_lists_every_command_and_each_command_its_options(self):
        program = self.succeed("--help")
        self.assertLessEqual(max(map(len, program.splitlines())), 80)
        for name in COMMANDS:
            self.assertIn(name, program)
            text = self.succeed(name, "--help")
            self.assertTrue(text.startswith(f"usage: synthoscope {name}"), text)
            self.assertLessEqual(max(map(len, text.splitlines())), 80)

    def test_lists_no_command_twice(self):
        names = re.findall(r"^  (\w[\w ]*?)  ", self.succeed("--help"), re.MULTILINE)
        self.assertGreater(len(names), 20)
        self.assertEqual(len(names), len(set(names)), names)

    def test_is_found_behind_other_options(self):
        self.assertTrue(self.succeed("convolve", "a.tif", "--boundary", "wrap", "--help")
                        .startswith("usage: synthoscope convolve"))

    def test_names_a_default_or_a_choice_wherever_there_is_one(self):
        text = " ".join(self.succeed("convolve", "--help").split())
        for words in ("zero|nearest|reflect|mirror|wrap", "(default: zero)", "(default: same)",
                      "(default: 70 % of the available memory)"):
            self.assertIn(words, text)

    def test_version_has_a_line_and_the_licence_another(self):
        self.assertRegex(self.succeed("--version"),
                         r"^synthoscope \d+\.\d+\.\d+\nlicence: MIT.*\n$")


class Streams(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("image.tif", random_volume((4, 20, 21), 1))
        kernel = numpy.zeros((3, 5, 5), "float32")
        kernel[1, 1:-1, 1:-1] = 1
        self.write("kernel.tif", kernel)

    def run_convolve(self, *options):
        result = self.command("convolve", "image.tif", "kernel.tif", "-o", "out.tif", "--overwrite",
                              *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def test_a_result_is_one_line_and_nothing_else_is_said(self):
        result = self.run_convolve()
        self.assertRegex(result.stdout, r"^out\.tif: 4x20x21 float32, \d+\.\d+ s\n$")
        self.assertEqual(result.stderr, "")

    def test_json_is_one_object(self):
        result = json.loads(self.run_convolve("--json").stdout)
        self.assertEqual(result["output"], "out.tif")
        self.assertEqual(result["extent"], [4, 20, 21])
        self.assertGreater(result["run"]["peak_memory_bytes"], 0)

    def test_verbose_and_explain_speak_on_the_error_stream(self):
        self.assertIn("in-core", self.run_convolve("--explain").stderr)
        said = self.run_convolve("--verbose", "--strategy", "in-core").stderr
        for words in ("transform", "columns", "memory counted at the peak"):
            self.assertIn(words, said)

    def test_progress_is_a_line_that_goes_away_or_objects_that_stay(self):
        said = self.run_convolve("--progress", "tty").stderr
        self.assertIn("[#", said)
        self.assertRegex(said, r"[\r\n]\x1b\[K$")
        self.assertNotIn("\x1b[32m", said)  # no colour where there is no terminal
        self.assertEqual(self.run_convolve("--progress", "none").stderr, "")

    def test_a_variable_that_is_no_number_is_warned_about(self):
        os.environ["SLURM_CPUS_PER_TASK"] = "many"
        self.addCleanup(os.environ.pop, "SLURM_CPUS_PER_TASK")
        result = self.command("info", "image.tif", env=dict(os.environ))
        self.assertEqual(result.returncode, 0)
        self.assertIn("SLURM_CPUS_PER_TASK is 'many'", result.stderr)

    def test_plan_is_dry_run_and_writes_nothing(self):
        files = ("convolve", "image.tif", "kernel.tif")
        before = self.listing()
        self.assertEqual(self.succeed("plan", *files, "--memory", "1G"),
                         self.succeed(*files, "--memory", "1G", "--dry-run"))
        self.assertEqual(self.listing(), before)
        self.assertIn("chosen", self.succeed("plan", *files))


class ClosedStreams(ProgramTest):
    """A caller may close standard streams. Results never take their place."""

    COMMANDS = {
        "image": ("filter image.tif --gaussian 1 -o out.tif", "out.tif"),
        "HDF5": ("psf --size 3,5,5 -o out.h5", "out.h5"),
        "folder": ("filter image.tif --gaussian 1 -o out.ome.zarr", "out.ome.zarr"),
        "data set": ("simulate scene.toml -o out", "out"),
        "text": ("calibrate --darks image.tif --flats flats.tif -o out.toml", "out.toml"),
    }

    def setUp(self):
        super().setUp()
        self.text("scene.toml", TINY_SCENE)
        generator = numpy.random.default_rng(1)
        self.write("image.tif", generator.poisson(100, (8, 16, 16)).astype("uint16"))
        self.write("flats.tif", generator.poisson(900, (8, 16, 16)).astype("uint16"))

    def run_without(self, closed, words, *options):
        redirections = " ".join(f"{number}{'<' if number == 0 else '>'}&-" for number in closed)
        return subprocess.run(["sh", "-c", f'exec "$@" {redirections}', "sh", PROGRAM,
                               *words.split(), *options], cwd=self.folder, env=self.environment(),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=self.timeout, check=False)

    def content(self, name):
        """What a run determines: all but the record, which holds times."""
        if os.path.isdir(self.path(name)):
            return {file: content for file, content in self.files(name).items()
                    if file != "scene.json"}
        with open(self.path(name), "rb") as file:
            return file.read()

    def test_leave_every_result_as_it_is_with_open_ones(self):
        for name, (words, output) in self.COMMANDS.items():
            self.succeed(*words.split())
            expected = self.content(output)
            for closed in ((0,), (1,), (0, 1), (2,), (0, 2), (1, 2), (0, 1, 2)):
                for option in ("--quiet", "--json"):
                    with self.subTest(name, closed=closed, option=option):
                        result = self.run_without(closed, words + " --overwrite", option)
                        must_print = 1 in closed and option == "--json"
                        self.assertEqual(result.returncode, IO if must_print else 0, result.stderr)
                        if must_print and 2 not in closed:
                            self.assertIn("standard output: it is closed", result.stderr)
                        self.assertTrue(self.content(output) == expected, "another result")

    def test_fail_commands_that_have_something_to_print(self):
        for words in ("info image.tif", "plan convolve image.tif image.tif", "--help", "--version",
                      "simulate scene.toml --print-config"):
            with self.subTest(words):
                self.assertEqual(self.run_without((1,), words).returncode, IO)
                self.assertEqual(self.run_without((0, 2), words).returncode, 0)

    def test_of_errors_keep_the_exit_code(self):
        self.assertEqual(self.run_without((2,), "info none.tif").returncode, IO)
        self.assertEqual(self.run_without((0, 1, 2), "info --no-such-option").returncode, USAGE)


class Info(ProgramTest):
    def test_says_what_numpy_says(self):
        voxels = random_volume((4, 20, 21), 7)
        voxels[1, 2, 3] = numpy.nan
        self.write("image.tif", voxels)
        info = self.result_of("info", "image.tif")
        self.assertEqual(info["extent"], [4, 20, 21])
        self.assertEqual(info["type"], "float32")
        self.assertEqual(info["voxel_um"], [None, None, None])
        statistics = info["statistics"]
        self.assertEqual((statistics["voxels"], statistics["not_finite"]), (1680, 1))
        finite = voxels[numpy.isfinite(voxels)].astype(float)
        for key, value in (("min", finite.min()), ("max", finite.max()), ("mean", finite.mean()),
                           ("standard_deviation", finite.std())):
            self.assertAlmostEqual(statistics[key], value, places=12)

    def test_asks_for_a_choice_before_it_counts_one_of_several_stacks(self):
        voxels = random_volume((5, 2, 9, 9), 5)
        self.write("channels.tif", voxels, imagej=True, metadata={"axes": "ZCYX"})
        info = self.result_of("info", "channels.tif")
        self.assertEqual((info["channels"], info["statistics"]), (2, None))
        self.assertIn("--channel", self.succeed("info", "channels.tif"))
        chosen = self.result_of("info", "channels.tif", "--channel", 1)
        self.assertAlmostEqual(chosen["statistics"]["mean"], voxels[:, 1].astype(float).mean(),
                               places=12)

    def test_reads_real_images_or_says_why_not(self):
        data = os.environ.get("SYNTHOSCOPE_TEST_DATA")
        if not data or not os.path.isdir(data):
            self.skipTest("SYNTHOSCOPE_TEST_DATA names no folder")
        files = sorted(name for name in os.listdir(data) if name.endswith(".tif"))
        self.assertTrue(files)
        for name in files:
            with self.subTest(name):
                result = self.command("info", os.path.join(data, name), "--json")
                self.assertIn(result.returncode, (0, 3), result.stderr)
                if result.returncode == 0:
                    self.assertGreater(json.loads(result.stdout)["statistics"]["voxels"], 0)


class RealImages(ProgramTest):
    def test_a_measured_psf_blurs_a_real_stack_and_the_result_is_certified(self):
        data = os.environ.get("SYNTHOSCOPE_TEST_DATA")
        if not data or not os.path.isdir(data):
            self.skipTest("SYNTHOSCOPE_TEST_DATA names no folder")
        files = [os.path.join(data, name) for name in ("dapi_40x201x101_u16.tif",
                                                       "psf_measured_61x128x128_u16.tif")]
        common = ["convolve", *files, "--kernel-center", "peak", "--normalize-kernel", "sum",
                  "-o", "out.ome.tif", "--overwrite"]
        result = self.command(*common)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stderr, re.compile(r"a background of 142 contains 99 %"))
        result = self.command(*common, "--kernel-background", "auto", "--certify", 1000, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        found = json.loads(result.stdout)
        self.assertEqual(found["certificate"]["voxels"], 1000)
        self.assertEqual((found["type"], found["extent"]), ("uint16", [40, 201, 101]))


if __name__ == "__main__":
    assert os.access(PROGRAM, os.X_OK)
    main()
