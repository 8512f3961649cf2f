# SPDX-License-Identifier: MIT
# tests/python/cli_signals.py — every command answers SIGTERM and SIGINT in one of two ways: exit
# code 7 with nothing half-made, or 0 with the whole result.
#
#   cli_signals.py PROGRAM --failing-calls LIBRARY [--most N] [--only WORD] [unittest arguments]
#
# --most: at how many of the writes, reads and allocations of a command; 0: at each write and read.
import itertools
import os
import shutil
import signal
import subprocess
import sys

import numpy

from held_run import HeldTest, needs_held_runs, preloaded, spread_calls
from program import HANG_SECONDS, PROGRAM, TINY_SCENE, main, random_volume, taken

INTERRUPTED = 7
MOST = int(taken("--most", "4"))
ONLY = taken("--only", "")
SIGNALS = (signal.SIGTERM, signal.SIGINT)
SWEEP = TINY_SCENE + "[sweep]\nnuclei.count = [1, 2]\n"
FRAMES = TINY_SCENE.replace("seed", "frames = 2\nseed", 1)
CAMERA = '[camera]\nkind = "scmos"\n'


def convolution(*options, output="out.tif"):
    return ["convolve", "image.tif", "kernel.tif", "-o", output, "--threads", "2", "--memory",
            "40M", "--journal-every", "0", *options]


# Name: the command, whose results have names that begin with "out", and whether it goes on where
# an earlier run was interrupted
COMMANDS = {
    **{f"convolve {strategy}": (convolution("--strategy", strategy), True)
       for strategy in ("in-core", "ring", "tiles", "parts", "direct")},
    "convolve by passes": (["convolve", "image.tif", "separable.tif", "-o", "out.tif",
                            "--strategy", "separable"], True),
    "convolve, HDF5": (convolution("--strategy", "ring", output="out.h5"), True),
    "convolve, OME-Zarr": (convolution("--chunks", "8,40,40", output="out.ome.zarr"), True),
    "convolve, certified": (convolution("--strategy", "ring", "--certify", "40"), True),
    "filter": (["filter", "image.tif", "-o", "out.tif", "--gaussian", "2"], False),
    "resample": (["resample", "image.tif", "-o", "out.tif", "--scale", "1,2,2"], False),
    "variance": (["variance", "image.tif", "-o", "out.tif", "--window", "box:5"], False),
    "detect": (["detect", "light.tif", "-o", "out.tif", "--camera", "camera.toml", "--seed", "3"],
               False),
    "phantom": (["phantom", "scene.toml", "-o", "out.tif", "--labels", "out-labels.tif"], False),
    "psf": (["psf", "scene.toml", "-o", "out.tif"], False),
    "simulate": (["simulate", "scene.toml", "-o", "out"], False),
    "simulate frames": (["simulate", "frames.toml", "-o", "out"], False),
    "simulate sweep": (["simulate", "sweep.toml", "-o", "out"], True),
    "calibrate": (["calibrate", "--darks", "dark.tif", "--flats", "flat1.tif", "flat2.tif", "-o",
                   "out.toml"], False),
    "words train": (["words", "train", "classes", "-o", "out.h5"], False),
    "words assign": (["words", "assign", "image.tif", "--model", "made.h5", "-o", "out.tif"],
                     False),
    "words classify": (["words", "classify", "image.tif", "--model", "made.h5"], False),
    "words compare": (["words", "compare", "classes/smooth", "classes/rough", "--model",
                       "made.h5"], False),
    "report": (["report", "made", "-o", "out.html"], False),
    "finalize": (["finalize", "out", "--parts", "part0", "part1"], False),
    "info": (["info", "image.tif"], False),
    "plan": (["plan", "convolve", "image.tif", "kernel.tif"], False),
    "help": (["--help"], False),
}


@needs_held_runs
class Signals(HeldTest):
    def setUp(self):
        super().setUp()
        self.write("image.tif", random_volume((24, 60, 70), 1, numpy.uint16))
        self.write("light.tif", random_volume((4, 30, 40), 1) * 100)
        self.write("kernel.tif", random_volume((5, 9, 9), 2))
        axes = [random_volume((n,), n) + 1 for n in (5, 9, 9)]
        self.write("separable.tif", numpy.einsum("i,j,k", *axes).astype("float32"))
        draw = numpy.random.default_rng(3)
        for name, mean in (("dark", 100), ("flat1", 400), ("flat2", 900)):
            self.write(name + ".tif", (100 + draw.poisson(mean - 95, (20, 16, 18))).astype("u2"))
        for name in ("smooth", "rough"):
            os.makedirs(self.path(f"classes/{name}"))
            for seed in (5, 6):
                self.write(f"classes/{name}/{seed}.tif", random_volume((40, 44), seed))
        for name, text in (("scene", TINY_SCENE), ("frames", FRAMES), ("sweep", SWEEP),
                           ("camera", CAMERA)):
            self.text(name + ".toml", text)

    def results(self):
        """Bytes of all that has a name of a result, except records of how long a run took."""
        found = {}
        for name in (name for name in self.listing() if name.startswith("out")):
            inside = self.files(name) if os.path.isdir(self.path(name)) else None
            if inside is None:
                with open(self.path(name), "rb") as file:
                    inside = {"": file.read()}
            found |= {os.path.join(name, file): data for file, data in inside.items()}
        return found

    def remove_results(self):
        for name in self.listing():
            if name.startswith("out"):
                remove = shutil.rmtree if os.path.isdir(self.path(name)) else os.remove
                remove(self.path(name))

    def undisturbed(self, words):
        """Its results; those of which two runs make the same bytes with them."""
        runs = []
        for _ in range(2):
            self.remove_results()
            ended = self.command(*words)
            self.assertEqual(ended.returncode, 0, ended.stderr)
            runs.append(self.results())
        self.remove_results()
        self.assertEqual(set(runs[0]), set(runs[1]))
        return {name: data if runs[1][name] == data else None for name, data in runs[0].items()}

    def wrong(self, words, goes_on, ended, expected):
        """What is wrong with how it ended; nothing as a rule."""
        found = self.results()
        if ended.returncode == 0:
            if set(found) != set(expected):
                return f"exit 0, and there are {sorted(found)}"
            others = [name for name, data in expected.items() if data not in (None, found[name])]
            return f"exit 0, and other bytes in {others}" if others else None
        if ended.returncode != INTERRUPTED:
            return f"exit {ended.returncode}: {ended.stderr}"
        if ended.stderr.count("asked to stop") != 1:
            return f"exit 7 said {ended.stderr}"
        if ended.stdout:
            return f"exit 7 printed {ended.stdout}"
        if not goes_on:
            return f"exit 7 left {sorted(found)}" if found else None
        if "--resume" not in ended.stderr:
            return f"exit 7 without --resume left {sorted(found)}" if found else None
        resumed = self.command(*words, "--resume")
        if resumed.returncode != 0:
            return f"going on: exit {resumed.returncode}: {resumed.stderr}"
        return self.wrong(words, goes_on, resumed, expected)

    def test_are_answered_in_one_of_two_ways_by_every_command(self):
        self.succeed("simulate", "scene.toml", "-o", "made", "--quiet")
        self.succeed("words", "train", "classes", "-o", "made.h5", "--quiet")
        for part in (0, 1):
            self.succeed("simulate", "frames.toml", "-o", f"part{part}", "--frames",
                         f"{part}-{part}", "--quiet")
        ends = {0: 0, INTERRUPTED: 0}
        for name, (words, goes_on) in COMMANDS.items():
            if ONLY not in name:
                continue
            expected = self.undisturbed(words)
            places = []
            for calls in ("write", "read", "allocate"):
                most = MOST or (0 if calls != "allocate" else 50)
                total = self.calls_of(*words, calls=calls)
                self.remove_results()
                places += [(calls, at) for at in spread_calls(total, most)]
            for (calls, at), how in zip(places, itertools.cycle(SIGNALS)):
                with self.subTest(command=name, calls=calls, at=at, how=how.name):
                    ended = self.meet(how, *words, at=at, calls=calls)
                    self.assertIsNone(self.wrong(words, goes_on, ended, expected))
                    ends[ended.returncode] += 1
                self.remove_results()
        print(f"{ends[INTERRUPTED]} runs ended with 7, and {ends[0]} with 0", file=sys.stderr)
        if not ONLY:
            self.assertGreater(ends[INTERRUPTED], 0)
            self.assertGreater(ends[0], 0)

    def test_that_come_twice_end_a_run_at_once(self):
        for how in SIGNALS:
            with self.subTest(how=how.name):
                run = self.hold(*convolution("--strategy", "ring"), at=1, name="out.tif.partial")
                run.send(how)
                other = next(other for other in SIGNALS if other != how)
                run.send(other)
                run.go_on()
                ended = run.end(how)
                self.assertEqual(ended.returncode, INTERRUPTED, ended.stderr)

    def test_that_were_ignored_stay_so(self):
        script = f'trap "" HUP INT TERM; exec "{PROGRAM}" "$@"'
        for how in (signal.SIGHUP, *SIGNALS):
            with self.subTest(how=how.name):
                environment = self.environment() | preloaded(self.folder, how, 1,
                                                             name="out.tif.partial")
                ended = subprocess.run(["sh", "-c", script, "sh", *convolution()], text=True,
                                       cwd=self.folder, env=environment, capture_output=True,
                                       timeout=HANG_SECONDS, check=False)
                self.assertEqual(ended.returncode, 0, ended.stderr)
                self.remove_results()


if __name__ == "__main__":
    main()
