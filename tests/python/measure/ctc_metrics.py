# SPDX-License-Identifier: MIT
# tests/python/measure/ctc_metrics.py PROGRAM --environment DIR — the public tools of the Cell
# Tracking Challenge accept a movie, and score its truth against itself with 1. They come from PyPI
# into an environment of their own; where that cannot be reached, this is skipped.
import os
import shutil
import subprocess
import sys

from environment import python_with
from program import HANG_SECONDS, SKIPPED, ProgramTest, main, taken

PACKAGE = "py-ctcmetrics==1.3.3"
ENVIRONMENT = os.path.abspath(taken("--environment", "ctc-environment"))

SCENE = """seed = 2
frames = 10
[grid]
size = [14, 60, 64]
pitch_nm = [500, 300, 300]
[nuclei]
count = 9
radius_um = 1.3
border = "cut"
[time]
interval_seconds = 1200
speed_um_per_second = 0.002
division = true
cycle_hours = 4
[optics]
model = "gaussian"
na = 0.8
size = [3, 9, 9]
"""
# Whole cells in place of the nuclei
CELLS = """[cells]
count = 6
radius_um = 1.6
gap_um = 0.2
nucleus_radius_um = 0.6
spots = 3
filopodia = 5
filopodium_length_um = 1"""


MOVIE_SCORES = ("SEG", "TRA", "DET", "LNK", "CT", "TF")


class Tools(ProgramTest):
    python = python_with([PACKAGE], "ctc_metrics", ENVIRONMENT)

    def test_accept_a_movie_and_score_its_truth_with_1(self):
        self.check(SCENE)

    def test_accept_a_movie_of_whole_cells(self):
        self.check(SCENE.replace("[nuclei]\ncount = 9\nradius_um = 1.3", CELLS))

    def test_accept_a_movie_with_mitosis(self):
        self.check(SCENE.replace("interval_seconds = 1200", "interval_seconds = 60")
                   .replace("cycle_hours = 4", "cycle_hours = 0.17"))

    def test_accept_frames_without_links(self):
        frames = SCENE[:SCENE.index("[time]")] + SCENE[SCENE.index("[optics]"):]
        self.check(frames, scores=("SEG", "TRA"), divisions=0)

    def check(self, scene, scores=MOVIE_SCORES, divisions=3):
        self.text("scene.toml", scene)
        self.succeed("simulate", "scene.toml", "-o", "set", "--quiet", "--truth-layout", "ctc")
        with open(self.path("set/01_GT/TRA/man_track.txt"), encoding="utf-8") as file:
            tracks = [tuple(map(int, line.split())) for line in file]
        self.assertGreaterEqual(sum(parent > 0 for *_, parent in tracks), divisions)
        truth, result = self.path("set/01_GT"), self.path("set/01_RES")
        os.mkdir(result)
        for frame in range(10):
            shutil.copy(f"{truth}/TRA/man_track{frame:03}.tif", f"{result}/mask{frame:03}.tif")
        shutil.copy(f"{truth}/TRA/man_track.txt", f"{result}/res_track.txt")
        script = ("from ctc_metrics.scripts.evaluate import evaluate_sequence\n"
                  "from ctc_metrics.scripts.validate import validate_sequence\n"
                  f"print('valid', validate_sequence({result!r}, threads=1)['Valid'])\n"
                  f"names = {['Valid', *scores]}\n"
                  f"scores = evaluate_sequence({result!r}, {truth!r}, names, threads=1)\n"
                  "for name in names:\n"
                  "    print(name, scores[name])\n")
        said = subprocess.run([self.python, "-W", "ignore", "-c", script], capture_output=True,
                              text=True, timeout=HANG_SECONDS, check=False)
        self.assertEqual(said.returncode, 0, said.stderr)
        found = dict(line.split() for line in said.stdout.splitlines()
                     if len(line.split()) == 2)
        print(said.stdout)
        for name in ("valid", "Valid", *scores):
            self.assertEqual(float(found[name]), 1, name)


if __name__ == "__main__":
    if Tools.python is None:
        sys.exit(SKIPPED)
    main()
