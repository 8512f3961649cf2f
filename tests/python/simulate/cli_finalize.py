# SPDX-License-Identifier: MIT
# tests/python/simulate/cli_finalize.py — finalize says what is missing, and does the last step.
import json
import os
import shutil
import signal

import numpy

from held_run import HeldTest, needs_held_runs
from program import main, random_volume

USAGE, INPUT = 2, 3
SCENE = """seed = 7
frames = 4
[grid]
size = [4, 10, 64]
pitch_nm = [300, 150, 150]
[nuclei]
count = 2
radius_um = 0.4
gap_um = 0
[optics]
model = "gaussian"
na = 0.8
size = [3, 9, 9]
"""
SWEEP = SCENE.replace("frames = 4\n", "") + "[sweep]\nrepeats = 3\n"
MOVIE = SCENE + "[time]\ninterval_seconds = 60\n"


class Finalize(HeldTest):
    def refuse(self, code, *words, mentions):
        result = self.command("finalize", *words)
        self.assertEqual(result.returncode, code, result.stderr)
        for text in mentions:
            self.assertIn(text, result.stderr)
        return result.stdout


class Sweeps(Finalize):
    def setUp(self):
        super().setUp()
        self.text("scene.toml", SWEEP)
        self.succeed("simulate", "scene.toml", "-o", "whole")

    def shard(self, number):
        self.succeed("simulate", "scene.toml", "-o", "out", "--shard", f"{number}/3")

    def test_that_lost_their_last_step_get_their_table(self):
        self.shard(1)
        said = self.refuse(INPUT, "out", "--json", mentions=(
            "finalize out: 2 of 3 data sets are missing: repeat-2, repeat-3",))
        self.assertEqual(json.loads(said)["missing"], ["repeat-2", "repeat-3"])
        self.shard(2)
        shutil.copytree(self.path("whole/repeat-3"), self.path("out/repeat-3"))
        self.assertEqual(self.result_of("finalize", "out"),
                         {"output": "out", "kind": "sweep", "parts": 3, "missing": [],
                          "whole": True, "was_whole": False})
        self.assertEqual(self.files("out"), self.files("whole"))
        self.assertIn("nothing to do", self.succeed("finalize", "out"))

    def test_over_older_sets_of_the_same_names_are_not_whole(self):
        self.succeed("simulate", "scene.toml", "-o", "out", "--set", "nuclei.count=1")
        self.succeed("simulate", "scene.toml", "-o", "out", "--shard", "1/3", "--overwrite")
        self.refuse(INPUT, "out", mentions=("2 of 3 data sets are missing: repeat-2, repeat-3",))
        for number in (2, 3):
            self.succeed("simulate", "scene.toml", "-o", "out", "--shard", f"{number}/3",
                         "--overwrite")
        self.assertEqual(self.files("out"), self.files("whole"))

    def test_that_lost_bytes_are_told(self):
        os.truncate(self.path("whole/repeat-2/photons.ome.tif"), 100)
        self.refuse(INPUT, "whole", mentions=("1 of 3 data sets are missing: repeat-2",))


class Frames(Finalize):
    def test_of_shards_that_lost_their_last_step_are_joined(self):
        for name, scene in (("frames", SCENE), ("movie", MOVIE)):
            with self.subTest(name=name):
                self.text("scene.toml", scene)
                self.succeed("simulate", "scene.toml", "-o", name)
                words = ("simulate", "scene.toml", "-o", "out", "--shard")
                self.succeed(*words, "2/2")
                self.refuse(INPUT, "out", mentions=("1 of 2 shards are missing: 1/2",))
                self.succeed("simulate", "scene.toml", "-o", "out.parts/part-1-of-2", "--frames",
                             "0-1")
                self.assertIn("out: joined from 2 shards", self.succeed("finalize", "out"))
                self.assertEqual(self.files("out"), self.files(name))
                self.assertEqual([each for each in self.listing() if each.startswith("out")],
                                 ["out"])
                shutil.rmtree(self.path("out"))

    def begin(self, *further):
        """Both shards are there, and the last step of the second is lost."""
        words = ("simulate", "scene.toml", *further, "-o")
        self.succeed(*words, "out", "--shard", "1/2", "--overwrite")
        self.succeed(*words, "out.parts/part-2-of-2", "--frames", "2-3", "--overwrite")

    def assert_joined(self):
        self.assertEqual(self.files("out"), self.files("frames"))
        self.assertEqual([each for each in self.listing() if each.startswith("out")], ["out"])

    def test_over_an_older_whole_replace_it_when_told_to(self):
        self.text("scene.toml", SCENE)
        self.succeed("simulate", "scene.toml", "-o", "frames")
        self.succeed("simulate", "scene.toml", "-o", "out", "--set", "nuclei.count=1")
        self.begin()
        self.refuse(USAGE, "out", mentions=("out: it exists", "--overwrite"))
        self.assertIn("joined from", self.succeed("finalize", "out", "--overwrite"))
        self.assert_joined()

    def test_that_are_joined_already_leave_nothing_beside(self):
        self.text("scene.toml", SCENE)
        self.succeed("simulate", "scene.toml", "-o", "frames")
        self.begin()
        shutil.copytree(self.path("out.parts/part-2-of-2"), self.path("out.parts/part-3-of-5"))
        self.succeed("simulate", "scene.toml", "-o", "out")
        self.assertIn("nothing to do", self.succeed("finalize", "out"))
        self.assert_joined()

    def test_of_a_share_that_was_left_are_missing(self):
        self.text("scene.toml", SCENE)
        self.begin("--set", "nuclei.count=1")
        os.remove(self.path("out.shards"))
        self.succeed("simulate", "scene.toml", "-o", "out", "--shard", "1/2")
        self.refuse(INPUT, "out", mentions=("1 of 2 shards are missing: 2/2",))

    def test_whose_record_names_no_file_are_not_whole(self):
        self.text("scene.toml", SCENE)
        self.succeed("simulate", "scene.toml", "-o", "out")
        with open(self.path("out/scene.json"), encoding="utf-8") as file:
            record = json.load(file)
        sizes = record["files"]["bytes"]
        for kept in ({}, {name: size for name, size in sizes.items() if name != "world.h5"}):
            with self.subTest(kept=len(kept)):
                record["files"]["bytes"] = kept
                self.text("out/scene.json", json.dumps(record))
                self.refuse(INPUT, "out", mentions=("scene.json",))

    def test_in_folders_of_their_own_are_joined(self):
        cases = {"frames": (SCENE, []), "movie": (MOVIE, ["--truth-layout", "ctc"]),
                 "zarr": (MOVIE, ["--format", "zarr3"]),
                 "hdf5": (MOVIE, ["--format", "hdf5", "--chunks", "2,8,8", "--compression",
                                  "deflate"])}
        for name, (scene, options) in cases.items():
            with self.subTest(name=name):
                self.text("scene.toml", scene)
                run = ("simulate", "scene.toml", *options, "-o")
                self.succeed(*run, name)
                for first, last in ((2, 3), (0, 0), (1, 1)):
                    self.succeed(*run, f"part{first}", "--frames", f"{first}-{last}",
                                 "--overwrite")
                self.succeed("finalize", "out", "--parts", "part2", "part0", "part1/",
                             "--overwrite")
                self.assertEqual(self.files("out"), self.files(name))

    def test_that_do_not_fit_together_are_refused_with_what_is_wrong(self):
        self.text("scene.toml", SCENE)
        run = ("simulate", "scene.toml", "-o")
        self.succeed(*run, "a", "--frames", "0-1")
        self.succeed(*run, "b", "--frames", "2-3", "--set", "nuclei.count=1")
        self.succeed(*run, "c", "--frames", "1-3")
        self.succeed(*run, "d", "--frames", "3")
        self.succeed(*run, "e", "--frames", "2-3")
        os.remove(self.path("e/psf.ome.tif"))
        before = self.listing()
        for folders, said in ((("a", "b"), ("scene.nuclei.count was 2 and is 1",)),
                              (("a", "c"), ("frame 1 of c is also in another part",)),
                              (("a", "d"), ("frame 2 of 4 is in none", "--frames 2-2")),
                              (("a",), ("frames 2-3 of 4 are in none", "--frames 2-3")),
                              (("a", "e"), ("data set e: its psf.ome.tif is missing",)),
                              (("a", "g"), ("data set g: it holds no scene.json",))):
            with self.subTest(folders=folders):
                self.refuse(INPUT, "out", "--parts", *folders, mentions=said)
                self.assertEqual(self.listing(), before)
        self.succeed(*run, "f", "--frames", "2-3")
        self.refuse(USAGE, "d", "--parts", "a", "f", mentions=("d: it exists", "--overwrite"))


class Images(Finalize):
    def setUp(self):
        super().setUp()
        self.write("image.tif", random_volume((64, 120, 130), 1, numpy.uint16))
        self.write("kernel.tif", random_volume((5, 9, 9), 2))

    words = ("convolve", "image.tif", "kernel.tif", "-o", "out.tif", "--memory", "12M",
             "--threads", "1")

    def convolve(self, *further):
        self.succeed(*self.words, *further)

    @needs_held_runs
    def test_whose_shards_are_done_get_their_name(self):
        self.convolve()
        with open(self.path("out.tif"), "rb") as file:
            expected = file.read()
        for name in ("out.tif", "out.tif.json"):
            os.remove(self.path(name))
        self.convolve("--shard", "2/3")
        self.convolve("--shard", "1/3")
        self.refuse(INPUT, "out.tif", mentions=("1 of 3 shards are missing: 3/3",))
        # A shard that is done, and killed before it can give the file its name
        ended = self.meet(signal.SIGKILL, *self.words, "--shard", "3/3", at=1, name="out.tif$")
        self.assertEqual(ended.returncode, -signal.SIGKILL, ended.stderr)
        self.assertNotIn("out.tif", self.listing())
        self.assertEqual(self.result_of("finalize", "out.tif")["output"], "out.tif")
        with open(self.path("out.tif"), "rb") as file:
            self.assertEqual(file.read(), expected)
        self.assertIn("nothing to do", self.succeed("finalize", "out.tif"))

    def test_of_one_process_are_left_to_it(self):
        self.text("out.tif.partial.journal", "")
        self.refuse(INPUT, "out.tif", mentions=("only one process", "--resume"))
        self.refuse(INPUT, "nothing.tif", mentions=("there is no such file or folder",))


if __name__ == "__main__":
    main()
