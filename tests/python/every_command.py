# SPDX-License-Identifier: MIT
# tests/python/every_command.py — a command of each kind with its inputs, for tests of what must
# hold for all of them.
import os
import shutil

import numpy

from held_run import HeldTest
from program import TINY_SCENE, random_volume

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
    "deconvolve": (["deconvolve", "image.tif", "kernel.tif", "-o", "out.tif", "--iterations", "2"],
                   False),
    "convert": (["convert", "image.tif", "-o", "out.tif", "--type", "uint8"], False),
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
    "compare": (["compare", "image.tif", "light.tif", "--patch", "16", "-o", "out.html"], False),
    "fit": (["fit", "image.tif", "--voxel-um", "1,1,1", "--stages", "camera", "--evidence", "0",
             "-o", "out"], False),
    "score": (["score", "labels.tif", "labels.tif", "-o", "out.html"], False),
    "report": (["report", "made", "-o", "out.html"], False),
    "finalize": (["finalize", "out", "--parts", "part0", "part1"], False),
    "info": (["info", "image.tif"], False),
    "plan": (["plan", "convolve", "image.tif", "kernel.tif"], False),
    "keys": (["keys", "exposure"], False),
    "help": (["--help"], False),
}


class EveryCommandTest(HeldTest):
    def setUp(self):
        super().setUp()
        self.write("image.tif", random_volume((24, 60, 70), 1, numpy.uint16))
        self.write("labels.tif", random_volume((4, 30, 40), 4, numpy.uint16) // 8192)
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

    def make_inputs(self):
        """Those that other commands make: a data set, two parts of one, a model."""
        self.succeed("simulate", "scene.toml", "-o", "made", "--quiet")
        self.succeed("words", "train", "classes", "-o", "made.h5", "--quiet")
        for part in (0, 1):
            self.succeed("simulate", "frames.toml", "-o", f"part{part}", "--frames",
                         f"{part}-{part}", "--quiet")

    def results(self):
        """Path: bytes, of all files whose path begins with "out"."""
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
