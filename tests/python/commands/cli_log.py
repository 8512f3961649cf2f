# SPDX-License-Identifier: MIT
# tests/python/commands/cli_log.py — --log-file and --progress json: what they say, and what they
# refuse.
import json
import os
import re
import resource
import subprocess
import unittest
from datetime import datetime, timezone

import numpy

from program import PROGRAM, TINY_SCENE, ProgramTest, main

LINE = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})Z (\d+) "
                  r"(start|detail|note|warning|error|stage|end) (.+)")


class ConvolveTest(ProgramTest):
    """A run that takes a moment and warns: the kernel's border is not dark."""

    def setUp(self):
        super().setUp()
        self.write("image.tif", numpy.ones((4, 20, 21), numpy.float32))
        self.write("kernel.tif", numpy.ones((3, 5, 5), numpy.float32))

    run_of_all = ("convolve", "image.tif", "kernel.tif", "-o", "out.tif", "--overwrite")

    def log(self, name="run.log"):
        """Time, process, kind and sentence of every line, each of which must be one."""
        with open(self.path(name), encoding="utf-8") as file:
            lines = file.read().splitlines()
        for line in lines:
            self.assertRegex(line, LINE)
        return [LINE.fullmatch(line).groups() for line in lines]

    def kinds(self, name="run.log"):
        return [kind for _, _, kind, _ in self.log(name)]


class LogFile(ConvolveTest):
    def test_keeps_what_is_said_in_order_with_times_in_utc(self):
        began = datetime.now(timezone.utc).replace(microsecond=0)
        result = self.command(*self.run_of_all, "--log-file", "run.log")
        self.assertEqual(result.returncode, 0, result.stderr)
        log = self.log()
        kinds = [kind for _, _, kind, _ in log]
        self.assertEqual((kinds[0], kinds[-1]), ("start", "end"))
        self.assertIn("stage", kinds)
        self.assertIn("convolve image.tif kernel.tif -o out.tif", log[0][3])
        self.assertRegex(log[-1][3], r"^exit code 0 after \d+\.\d{3} s$")
        said = re.findall(r"synthoscope: warning: (.*)", result.stderr)
        self.assertGreater(len(said), 0)
        self.assertEqual([text for _, _, kind, text in log if kind == "warning"], said)
        times = [datetime.fromisoformat(time).replace(tzinfo=timezone.utc) for time, *_ in log]
        self.assertEqual(times, sorted(times))
        self.assertLessEqual(began, times[0])
        self.assertLessEqual(times[-1], datetime.now(timezone.utc))

    def test_times_of_stages_are_within_the_run(self):
        self.succeed(*self.run_of_all, "--log-file", "run.log")
        seconds = {kind: 0.0 for kind in ("stage", "end")}
        for _, _, kind, text in self.log():
            if kind in seconds:
                seconds[kind] += float(re.search(r"(\d+\.\d{3}) s$", text)[1])
        self.assertLessEqual(seconds["stage"], seconds["end"] + 0.01)

    def test_has_no_progress_and_keeps_what_quiet_does_not_say(self):
        self.text("scene.toml", TINY_SCENE)
        self.command("simulate", "scene.toml", "-o", "set", "--log-file", "run.log", "--quiet",
                     "--progress", "tty")
        with open(self.path("run.log"), "rb") as file:
            content = file.read()
        self.assertNotIn(b"\r", content)
        self.assertNotIn(b"\x1b", content)
        self.assertIn("stage", self.kinds())

    def test_is_appended_to(self):
        for _ in range(2):
            self.succeed(*self.run_of_all, "--log-file", "run.log")
        self.assertEqual(self.kinds().count("start"), 2)

    def test_goes_on_behind_a_line_that_was_cut_off(self):
        self.succeed(*self.run_of_all, "--log-file", "run.log")
        with open(self.path("run.log"), "ab") as file:
            file.write(b"2026-01-01T00:00:00.000Z 1 note cut o")
        self.succeed(*self.run_of_all, "--log-file", "run.log")
        self.assertEqual(self.kinds().count("start"), 2)

    def test_is_shared_by_processes_at_once(self):
        runs = [subprocess.Popen([PROGRAM, "info", "image.tif", "--log-file", "run.log"],
                                 cwd=self.folder, env=self.environment(),
                                 stdout=subprocess.DEVNULL) for _ in range(6)]
        self.assertEqual([run.wait(self.timeout) for run in runs], [0] * 6)
        for process in (str(run.pid) for run in runs):
            kinds = [kind for _, who, kind, _ in self.log() if who == process]
            self.assertEqual((kinds[0], kinds[-1]), ("start", "end"))

    def test_keeps_errors_and_the_code_wherever_they_arise(self):
        cases = [(("convolve", "none.tif", "kernel.tif", "-o", "new.tif"), 4),
                 (("convolve", "image.tif", "kernel.tif"), 2),
                 (("simulate", "scene.toml", "-o", "set", "--set", "optics.nah=1"), 2),
                 (("psf", "scene.toml", "-o", "psf.tif", "--set", "optics.nah=1"), 2),
                 (("plan", "convolve", "none.tif", "kernel.tif"), 4)]
        self.text("scene.toml", TINY_SCENE)
        for at, (words, code) in enumerate(cases):
            with self.subTest(words):
                result = self.command(*words, "--log-file", f"{at}.log")
                self.assertEqual(result.returncode, code, result.stderr)
                log = self.log(f"{at}.log")
                self.assertEqual([kind for _, _, kind, _ in log][-2:], ["error", "end"])
                self.assertIn(log[-2][3], result.stderr)
                self.assertIn(f"exit code {code} ", log[-1][3])

    def test_is_an_option_of_every_command_that_works(self):
        for command in self.succeed("--list-commands").splitlines():
            if command != "plan":
                self.assertIn("--log-file F", self.succeed(*command.split(), "--help"))

    def test_refuses_what_is_no_log_and_leaves_it_as_it_is(self):
        os.mkfifo(self.path("pipe"))
        self.text("words.txt", "2026-11-23 start synthoscope\n")
        self.write("other.tif", numpy.ones((4, 20, 21), numpy.float32))
        for name in ("other.tif", "words.txt", "pipe", "/dev/null"):
            with self.subTest(name):
                result = self.command(*self.run_of_all, "--log-file", name)
                self.assertEqual(result.returncode, 2, result.stderr)
                self.assertIn("not a log of synthoscope", result.stderr)
                self.assertEqual(len(result.stderr.splitlines()), 1)
                self.assertNotIn("out.tif", self.listing())
        self.assertEqual(self.read("other.tif").shape, (4, 20, 21))

    def test_that_cannot_be_written_is_refused_before_work_begins(self):
        for name in (".", "none/run.log"):
            with self.subTest(name):
                result = self.command(*self.run_of_all, "--log-file", name)
                self.assertEqual(result.returncode, 4, result.stderr)
                self.assertEqual(len(result.stderr.splitlines()), 1)
                self.assertNotIn("out.tif", self.listing())

    def test_that_cannot_grow_any_more_is_warned_of_once_and_does_not_end_the_run(self):
        self.succeed(*self.run_of_all, "--log-file", "run.log")
        plain = self.read("out.tif")
        size = os.path.getsize(self.path("run.log"))
        # A file as large as the limit stands for a full disk; the output stays below it
        with open(self.path("run.log"), "ab") as file:
            line = b"2026-01-01T00:00:00.000Z 1 note filler\n"
            file.write(line * (((1 << 20) - size) // len(line)))
        length = os.path.getsize(self.path("run.log"))

        def with_room_for(more):
            limit = (length + more, length + more)
            return self.command(*self.run_of_all, "--log-file", "run.log", "--quiet",
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit))
        self.assertEqual(with_room_for(0).returncode, 4)
        result = with_room_for(250)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr.count("the run continues without it"), 1, result.stderr)
        numpy.testing.assert_array_equal(self.read("out.tif"), plain)


class ProgressAsJson(ConvolveTest):
    def objects(self, *words):
        result = self.command(*words, "--progress", "json")
        return [json.loads(line) for line in result.stderr.splitlines()], result

    def test_is_one_object_a_line_with_the_fields_of_the_reference(self):
        self.text("scene.toml", TINY_SCENE)
        types = {"stage": str, "done": int, "total": int, "seconds": float}
        for words in (self.run_of_all + ("--verbose", "--explain"),
                      ("simulate", "scene.toml", "-o", "set", "--set", "frames=2", "--verbose"),
                      ("info", "image.tif")):
            with self.subTest(words):
                objects, result = self.objects(*words)
                self.assertEqual(result.returncode, 0, result.stderr)
                stages = [one for one in objects if "stage" in one]
                self.assertGreater(len(stages), 1)
                for one in stages:
                    self.assertEqual({key: type(value) for key, value in one.items()}, types)
                    self.assertLessEqual(0, one["done"])
                    self.assertLessEqual(one["done"], one["total"])
                for one in objects:
                    if "stage" not in one:
                        (kind, said), = one.items()
                        self.assertIn(kind, ("note", "warning", "text"))
                        self.assertIsInstance(said, str)

    def test_every_stage_begins_at_nothing_and_does_not_go_back(self):
        objects, _ = self.objects(*self.run_of_all)
        before = None
        for one in (one for one in objects if "stage" in one):
            if before is None or one["stage"] != before["stage"]:
                self.assertEqual(one["done"], 0)
            else:
                self.assertGreaterEqual(one["done"], before["done"])
                self.assertGreaterEqual(one["seconds"], before["seconds"])
            before = one

    def test_has_warnings_and_errors_as_objects(self):
        objects, _ = self.objects(*self.run_of_all)
        self.assertTrue(any("warning" in one for one in objects))
        objects, result = self.objects("convolve", "none.tif", "kernel.tif", "-o", "new.tif")
        self.assertEqual(result.returncode, 4)
        self.assertEqual(list(objects[-1]), ["error"])


if __name__ == "__main__":
    main()
