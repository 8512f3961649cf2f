# SPDX-License-Identifier: MIT
# tests/python/commands/cli_changes.py — inputs that change while a run reads them, and names that
# others take while it computes, for every command that writes.
#
#   cli_changes.py PROGRAM --failing-calls LIBRARY [unittest arguments]
import os
import shutil

from every_command import COMMANDS, EveryCommandTest
from held_run import needs_held_runs
from program import main

USAGE, INVALID, FAILED = 2, 3, 4
READ_AT_THE_START = ("scene.toml", "frames.toml", "sweep.toml", "camera.toml")
# Their results are folders
MAKE_FOLDERS = ("simulate", "simulate frames", "simulate sweep", "finalize")


def writing_commands():
    """Name, words of each command that has a result."""
    return [(name, words) for name, (words, _) in COMMANDS.items() if any(
        word.startswith("out") for word in words)]


@needs_held_runs
class Inputs(EveryCommandTest):
    # Several threads read in another order each time, and what is not read in order is read again
    # to be hashed: the number of calls would differ. So the runs that are compared have one thread.

    @staticmethod
    def environment():
        return {**EveryCommandTest.environment(), "OMP_NUM_THREADS": "1"}

    @staticmethod
    def with_one_thread(words):
        words = list(words)
        if "--threads" in words:
            words[words.index("--threads") + 1] = "1"
        return words

    def inputs_of(self, words):
        """A file of each input that the words name."""
        for word in words[1:]:
            if word.startswith(("out", "-")) or not os.path.exists(self.path(word)):
                continue
            file = word
            while os.path.isdir(self.path(file)):
                file = os.path.join(file, sorted(os.listdir(self.path(file)))[0])
            yield file

    def test_that_change_during_a_run_are_told_and_leave_no_result(self):
        self.make_inputs()
        for name, words in writing_commands():
            for file in self.inputs_of(words):
                with self.subTest(command=name, input=file):
                    self.change_during(words, file)
                self.remove_results()

    def test_that_are_cut_during_a_run_are_told(self):
        words = COMMANDS["convolve ring"][0]
        reads = self.calls_of(*words, calls="read", name="image.tif")
        self.remove_results()
        run = self.hold(*words, at=reads // 2, calls="read", name="image.tif")
        os.truncate(self.path("image.tif"), 5000)
        ended = run.end()
        self.assertEqual(ended.returncode, INVALID, ended.stderr)
        self.assertIn("image.tif", ended.stderr)
        self.assertEqual(self.results(), {})

    def change_during(self, words, file):
        """Adds a byte to an input just before the run reads of it for the last time, or, where it
        may change then, just before the run writes."""
        words = self.with_one_thread(words)
        may_change = file in READ_AT_THE_START
        reads = self.calls_of(*words, calls="read", name=file)
        self.remove_results()
        run = self.hold(*words, name="out") if may_change else self.hold(
            *words, at=reads, calls="read", name=file)
        with open(self.path(file), "rb") as stream:
            was = stream.read()
        with open(self.path(file), "ab") as stream:
            stream.write(b"\n")
        ended = run.end()
        with open(self.path(file), "wb") as stream:
            stream.write(was)
        self.assertEqual(ended.returncode, 0 if may_change else INVALID, ended.stderr)
        self.assertEqual(bool(self.results()), may_change, ended.stderr)
        if not may_change:
            self.assertIn(file.split("/", maxsplit=1)[0], ended.stderr)


@needs_held_runs
class Names(EveryCommandTest):
    def test_that_others_take_during_a_run_stay_theirs(self):
        self.make_inputs()
        for name, words in writing_commands():
            if name in MAKE_FOLDERS:
                continue
            with self.subTest(command=name):
                self.take_name_of(words)
            self.remove_results()

    def test_of_folders_keep_what_others_put_there_even_where_older_results_are_replaced(self):
        zarr = ["convolve", "image.tif", "kernel.tif", "-o", "out.ome.zarr", "--quiet"]
        for words in (zarr, [*zarr, "--certify", "20"],
                      ["simulate", "scene.toml", "-o", "out", "--quiet"]):
            output = words[words.index("-o") + 1]
            with self.subTest(words=words):
                self.succeed(*words)
                self.succeed(*words, "--overwrite")
                run = self.hold(*words, "--overwrite", at=2, name=".partial")
                mine = os.path.join(output, "mine.txt")
                self.text(mine, "theirs")
                ended = run.end()
                self.assertEqual(ended.returncode, FAILED, ended.stderr)
                self.assertIn("the complete result stays", ended.stderr)
                shutil.rmtree(self.path(output + ".uncertified.zarr"), ignore_errors=True)
                refused = self.command(*words, "--overwrite")
                self.assertEqual(refused.returncode, USAGE, refused.stderr)
                self.assertIn("mine.txt", refused.stderr)
                with open(self.path(mine), encoding="utf-8") as file:
                    self.assertEqual(file.read(), "theirs")
            self.remove_results()

    def test_of_records_stay_theirs_and_the_result_is_whole(self):
        words = [*COMMANDS["convolve ring"][0], "--quiet"]
        run = self.hold(*words, at=2, name="out.tif.partial")
        self.text("out.tif.json", "theirs")
        ended = run.end()
        self.assertEqual(ended.returncode, FAILED, ended.stderr)
        self.assertIn("out.tif is complete", ended.stderr)
        self.assertEqual(set(self.results()), {"out.tif/", "out.tif.json/"})
        self.assertEqual(self.results()["out.tif.json/"], b"theirs")

    def take_name_of(self, words):
        """Makes a file of the result's name once the run has begun to write."""
        output = words[words.index("-o") + 1]
        unnamed = output + (".uncertified" if "--certify" in words else ".partial")
        run = self.hold(*words, at=2, name=unnamed)
        self.text(output, "theirs")
        ended = run.end()
        self.assertEqual(ended.returncode, FAILED, ended.stderr)
        self.assertIn(unnamed, ended.stderr)
        self.assertNotIn("--resume", ended.stderr)
        results = self.results()
        self.assertEqual(results.pop(output + "/"), b"theirs")
        self.assertIn(unnamed, {name.split("/")[0] for name in results})
        self.assertNotIn(unnamed + ".journal/", results)


if __name__ == "__main__":
    main()
