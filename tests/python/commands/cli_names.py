# SPDX-License-Identifier: MIT
# tests/python/commands/cli_names.py — no command writes over what it reads, or replaces files of
# others.
import os
import shutil
import signal
import stat
import subprocess

import numpy

from program import PROGRAM, TINY_SCENE, ProgramTest, main, random_volume

CAMERA = 'kind = "scmos"\n'
LANDMARKS = "0,0,0,0\n0,15,0,15\n15,0,15,0\n"

# Commands that make an image of an image. IN and OUT stand for them.
COMMANDS = {
    "convolve": ["convolve", "IN", "k.tif", "-o", "OUT"],
    "kernel": ["convolve", "a.tif", "IN", "-o", "OUT"],
    "certify": ["convolve", "IN", "k.tif", "-o", "OUT", "--certify", "4"],
    "filter": ["filter", "IN", "--gaussian", "1", "-o", "OUT"],
    "filter kernel": ["filter", "a.tif", "--kernel", "IN", "-o", "OUT"],
    "resample": ["resample", "IN", "--scale", "1", "-o", "OUT"],
    "variance": ["variance", "IN", "--window", "box:3", "-o", "OUT"],
    "detect": ["detect", "IN", "--camera", "cam.toml", "--seed", "1", "-o", "OUT"],
}

# Names that an output brings along, and whether a record bears it.
ENDINGS = ["", ".json", ".partial", ".partial.journal", ".partial.shares",
           ".partial.share-1-of-2.journal", ".json.partial", ".json.partial.journal",
           ".chunks.partial"]

# What of these may lie there beforehand, but for --overwrite.
FOREIGN = [".json", ".partial", ".partial.journal", ".partial.shares", ".json.partial",
           ".chunks.partial"]


class NamesTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.volume = random_volume((1, 16, 16), 1)
        self.write("a.tif", self.volume)
        self.write("k.tif", numpy.ones((1, 3, 3), numpy.float32))
        self.text("cam.toml", CAMERA)
        self.text("scene.toml", TINY_SCENE)
        self.text("marks.csv", LANDMARKS)

    def refuse(self, arguments, *words, kept="."):
        """Refused with code 2 and these words; everything is as it was."""
        before = self.files(kept)
        result = self.command(*arguments)
        self.assertEqual(result.returncode, 2, result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)
        self.assertEqual(self.files(kept), before)

    @staticmethod
    def filled(command, given, output):
        return [{"IN": given, "OUT": output}.get(word, word) for word in command]


class Images(NamesTest):
    def test_no_input_has_a_name_that_its_result_needs(self):
        for name, command in COMMANDS.items():
            for ending in ENDINGS + ([".uncertified"] if name == "certify" else []):
                for overwrite in ([], ["--overwrite"]):
                    if ending.endswith(".journal") and overwrite:
                        continue  # as with .partial
                    with self.subTest(name, ending=ending, overwrite=overwrite):
                        given = self.write("o.tif" + ending, self.volume)
                        self.refuse(self.filled(command, given, "o.tif") + overwrite,
                                    "which the run reads", given)
                        os.remove(self.path(given))

    def test_nor_a_log(self):
        for name, command in COMMANDS.items():
            for ending in ENDINGS:
                with self.subTest(name, ending=ending):
                    self.refuse(self.filled(command, "a.tif", "o.tif") +
                                ["--log-file", "o.tif" + ending], "write the log", "--log-file")
                    self.assertNotIn("o.tif" + ending, self.listing())

    def test_files_of_others_stay_at_such_names(self):
        for name, command in COMMANDS.items():
            for ending in FOREIGN:
                with self.subTest(name, ending=ending):
                    other = self.write(("o.tif.uncertified" if name == "certify" and
                                        ending.startswith((".partial", ".chunks")) else "o.tif") +
                                       ending, self.volume)
                    self.refuse(self.filled(command, "a.tif", "o.tif") + ["--overwrite"],
                                other + " exists", "move it")
                    os.remove(self.path(other))

    def test_links_do_not_hide_an_input(self):
        os.makedirs(self.path("real"))
        os.symlink("real", self.path("linked"))
        for link in ("hard", "linked folder"):
            for ending in (".partial", ".json"):
                with self.subTest(link, ending=ending):
                    if link == "hard":
                        output, given = "o.tif", "a.tif"
                        os.link(self.path("a.tif"), self.path("o.tif" + ending))
                    else:
                        output, given = "linked/o.tif", "real/o.tif" + ending
                        shutil.copy(self.path("a.tif"), self.path(given))
                    self.refuse(["filter", given, "--gaussian", "1", "-o", output, "--overwrite"],
                                "which the run reads", given)
                    for left in ("o.tif" + ending, "real/o.tif" + ending):
                        if os.path.exists(self.path(left)):
                            os.remove(self.path(left))

    def test_several_results_and_the_files_of_bigdataviewer(self):
        several = ["--window", "box:3", "--statistic", "mean,std", "-o", "o.tif", "--overwrite"]
        for given in ("o-mean.tif", "o-std.tif", "o-std.tif.partial", "o-mean.tif.json"):
            with self.subTest(given):
                self.write(given, self.volume)
                self.refuse(["variance", given, *several], "which the run reads", given)
                os.remove(self.path(given))
        bdv = ["--gaussian", "1", "-o", "o.h5", "--format", "bdv", "--overwrite"]
        for given in ("o.h5", "o.xml", "o.xml.partial", "o.h5.chunks.partial"):
            with self.subTest(given):
                self.write(given, self.volume)
                self.refuse(["filter", given, *bdv], "which the run reads", given)
                os.remove(self.path(given))

    def test_folders_hold_what_lies_below_them(self):
        self.succeed("filter", "a.tif", "--gaussian", "1", "-o", "i.zarr")
        shutil.copytree(self.path("i.zarr"), self.path("o.zarr.partial"))
        for given, output in (("i.zarr", "i.zarr"), ("i.zarr", "i.zarr/0/out.tif"),
                              ("i.zarr/0", "i.zarr"), ("o.zarr.partial", "o.zarr"),
                              ("o.zarr.partial/0", "o.zarr")):
            with self.subTest(output, given=given):
                self.refuse(["filter", given, "--gaussian", "1", "-o", output, "--overwrite"],
                            "which the run reads", given)
        self.refuse(["filter", "a.tif", "--gaussian", "1", "-o", "o.zarr"],
                    "o.zarr.partial exists", "move it")

    def test_other_files_that_commands_read(self):
        self.succeed("phantom", "scene.toml", "-o", "p.tif")
        plan = self.succeed("convolve", "a.tif", "k.tif", "--dry-run", "--json")
        for name, content, command in (
                ("o.tif.json", plan, ["convolve", "a.tif", "k.tif", "--plan", "o.tif.json"]),
                ("o.tif.partial", LANDMARKS, ["resample", "a.tif", "--landmarks", "o.tif.partial"]),
                ("o.tif.json", CAMERA, ["detect", "a.tif", "--seed", "1", "--camera",
                                        "o.tif.json"]),
                ("o.tif.partial", TINY_SCENE, ["phantom", "o.tif.partial"]),
                ("o.tif.json", TINY_SCENE, ["psf", "o.tif.json"]),
                ("l.tif.partial", TINY_SCENE, ["phantom", "l.tif.partial", "--labels", "l.tif"])):
            with self.subTest(" ".join(command)):
                self.text(name, content)
                self.refuse([*command, "-o", "o.tif", "--overwrite"], "which the run reads", name)
                os.remove(self.path(name))
        self.refuse(["phantom", "scene.toml", "-o", "n.tif", "--labels", "n.tif.json"],
                    "n.tif.json", "would be in the same file")

    def test_maps_and_pages_of_calibrate_and_detect(self):
        for kind in ("--darks", "--flats"):
            stacks = {"--darks": "a.tif", "--flats": "a.tif", kind: "m/offset.tif.partial"}
            os.makedirs(self.path("m"))
            self.write("m/offset.tif.partial", self.volume)
            with self.subTest(kind):
                self.refuse(["calibrate", *(word for pair in stacks.items() for word in pair),
                             "-o", "c.toml", "--maps", "m"], "which the run reads")
            shutil.rmtree(self.path("m"))
        self.write("c.html.partial", self.volume)
        self.refuse(["calibrate", "--darks", "c.html.partial", "--flats", "a.tif", "-o", "c.toml",
                     "--report", "c.html"], "which the run reads", "c.html.partial")
        os.makedirs(self.path("m"))
        self.write("m/gain.tif.partial", self.volume)
        self.refuse(["detect", "m/gain.tif.partial", "--camera", "cam.toml", "--seed", "1", "-o",
                     "o.tif", "--maps", "m"], "which the run reads", "m/gain.tif.partial")


class DataSets(NamesTest):
    def test_a_page_does_not_lie_in_its_data_set(self):
        self.succeed("simulate", "scene.toml", "-o", "set")
        image = [name for name in os.listdir(self.path("set")) if name.startswith("image")][0]
        for name in (image, "objects.csv", "scene.json", "page.html"):
            with self.subTest(name):
                self.refuse(["report", "set", "-o", f"set/{name}", "--overwrite"],
                            "it would be in the data set set", "which the run reads")

    def test_a_scene_does_not_lie_where_its_data_set_grows(self):
        for folder in ("set", "set.partial", "set.parts"):
            os.makedirs(self.path(folder))
            shutil.copy(self.path("scene.toml"), self.path(f"{folder}/my.toml"))
            with self.subTest(folder):
                self.refuse(["simulate", f"{folder}/my.toml", "-o", "set", "--overwrite"],
                            "which the run reads", f"{folder}/my.toml")
            shutil.rmtree(self.path(folder))
        shutil.copy(self.path("scene.toml"), self.path("set.shards"))
        self.refuse(["simulate", "set.shards", "-o", "set"], "which the run reads", "set.shards")

    def test_nor_a_file_that_it_names(self):
        self.succeed("simulate", "scene.toml", "-o", "set", "--set", "camera.binning=1")
        psf = [name for name in os.listdir(self.path("set")) if name.startswith("psf")][0]
        self.text("own.toml", TINY_SCENE + f'model = "file"\nfile = "set/{psf}"\n')
        self.refuse(["simulate", "own.toml", "-o", "set", "--overwrite"], "file of the scene",
                    "which the run reads")

    def test_a_sweep_leaves_what_lies_beside_its_sets(self):
        self.text("sweep.toml", TINY_SCENE + '[sweep]\noptics.na = [1.0, 1.1]\n')
        self.succeed("simulate", "sweep.toml", "-o", "out")
        shutil.copy(self.path("sweep.toml"), self.path("out/my.toml"))
        self.succeed("simulate", "out/my.toml", "-o", "out", "--resume", "--log-file",
                     "out/run.log")
        for log in ("out/sweep.json", "out/na-1/run.log", "out/sweep.csv.partial"):
            with self.subTest(log):
                self.refuse(["simulate", "sweep.toml", "-o", "out", "--resume", "--log-file", log],
                            "write the log")

    def test_an_unfinished_folder_of_others_stays(self):
        for name in ("precious", "scene.json", "image.ome.tif"):
            os.makedirs(self.path("set.partial"))
            self.text(f"set.partial/{name}", "mine")
            with self.subTest(name):
                self.refuse(["simulate", "scene.toml", "-o", "set", "--overwrite"],
                            "set.partial exists", "move it")
            shutil.rmtree(self.path("set.partial"))


class KilledRuns(NamesTest):
    """What a killed run left is in nobody's way, though no journal tells of it."""

    def kill(self, unfinished, *arguments):
        """Ends a run by SIGKILL where it waits: to say that it begins, into a pipe that is full."""
        read, write = os.pipe()
        os.set_blocking(write, False)
        try:
            while True:
                os.write(write, b"." * 4096)
        except BlockingIOError:
            pass
        os.set_blocking(write, True)
        with subprocess.Popen([PROGRAM, *arguments, "--progress", "json"], cwd=self.folder,
                              stderr=write, env=self.environment()) as run:
            os.close(write)
            while unfinished not in self.listing() and run.poll() is None:
                pass
            run.kill()
        os.close(read)
        self.assertEqual(run.returncode, -signal.SIGKILL)
        self.assertIn(unfinished, self.listing())
        self.assertNotIn(unfinished + ".journal", self.listing())

    def test_are_begun_anew(self):
        for output, command in (("o.tif", COMMANDS["filter"]), ("o.zarr", COMMANDS["filter"]),
                                ("o.h5", COMMANDS["resample"]), ("o.tif", COMMANDS["detect"])):
            arguments = self.filled(command, "a.tif", output)
            with self.subTest(" ".join(arguments)):
                self.kill(output + ".partial", *arguments)
                self.succeed(*arguments)
                self.assertNotIn(output + ".partial", self.listing())
                for left in (output, output + ".json"):
                    shutil.rmtree(self.path(left), ignore_errors=True)
                    if os.path.exists(self.path(left)):
                        os.remove(self.path(left))

    def test_nor_is_an_unfinished_data_set(self):
        arguments = ["simulate", "scene.toml", "-o", "set"]
        self.kill("set.partial", *arguments)
        self.succeed(*arguments)
        self.assertEqual([name for name in self.listing() if name.startswith("set")], ["set"])
        self.assertFalse(os.stat(self.path("set")).st_mode & stat.S_ISVTX)


if __name__ == "__main__":
    main()
