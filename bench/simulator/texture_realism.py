# SPDX-License-Identifier: MIT
"""Which simulated texture is a real image most like, and can the two be told apart?

usage: texture_realism.py PROGRAM DATA [--frames 12]

DATA holds real images (../shared/data of the project's checkouts): three stains of the same cells,
nuclei, and a stack of one nucleus. Prints the tables of docs/do/compare-textures.md. The sizes of
the real pixels are not known but for the stack's, so images are asked as they are, and magnified.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import tifffile
from scipy import ndimage

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from realism import NUCLEUS  # noqa: E402

SCENES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "textures"
REAL = {"actin": "cells_actin_2d.tif", "mitochondria": "cells_mitochondria_2d.tif",
        "nuclei of these": "cells_nuclei_2d.tif", "nuclei, BBBC007": "nuclei_bbbc007_1.tif"}
SCALES = (1, 2, 4)
PATCH = 96
SEED = ("--seed", "1")
WORDS = ("--words", "100", "--samples", "1000", *SEED)


class Words:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, *words):
        done = subprocess.run([self.program, *map(str, words)], cwd=self.folder, text=True,
                              capture_output=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, words))}: {done.stderr}")
        return done.stdout

    def result_of(self, *words):
        return json.loads(self.run("words", *words, "--json", "--quiet"))

    def compare(self, a, b, model=None):
        return self.result_of("compare", a, b, *(("--model", model, *SEED) if model else WORDS))


def write_planes(folder, planes):
    folder.mkdir(parents=True)
    for i, plane in enumerate(planes):
        tifffile.imwrite(folder / f"{i:02}.tif", plane, photometric="minisblack")


def make_presets(words, frames):
    """Middle planes of simulated stacks; every other one teaches, the others are asked."""
    for scene in sorted(SCENES.glob("*.toml")):
        words.run("simulate", scene, "--set", f"frames={frames}", "--truth-layout", "stardist",
                  "-o", "made", "--overwrite", "--quiet")
        files = sorted((words.folder / "made" / "images").iterdir())
        planes = [stack[len(stack) // 2] for stack in map(tifffile.imread, files)]
        for part, some in (("train", planes[::2]), ("test", planes[1::2])):
            write_planes(words.folder / part / scene.stem, some)


def nearest_presets(words, data):
    print("| real image | magnified | patches | taken for |\n| --- | --: | --: | --- |")
    for name, file in REAL.items():
        image = tifffile.imread(data / file).astype(np.float32)
        for scale in SCALES:
            larger = image if scale == 1 else ndimage.zoom(image, scale, order=3)
            place = f"{name}-{scale}.tif"
            tifffile.imwrite(words.folder / place, larger, photometric="minisblack")
            told = words.result_of("classify", place, "--model", "presets.h5")["images"][0]
            votes = sorted(((n, kind) for kind, n in told["votes_by_class"].items()), reverse=True)
            shares = ", ".join(f"{kind} {100 * n / told['patches']:.0f} %" for n, kind in votes[:3])
            print(f"| {name} | {scale} | {told['patches']} | {shares} |", flush=True)


def tell_apart(words, rows):
    print("| A | B | patches | energy distance | nearest of the same set, % | by chance, % | p |\n"
          "| --- | --- | --: | --: | --: | --: | --: |")
    for a_name, a, b_name, b in rows:
        found = words.compare(a, b, "presets.h5")
        p = f"{found['p_energy']:.3f}" if found["by_images"] else ""
        print(f"| {a_name} | {b_name} | {found['a']['textures']}, {found['b']['textures']} | "
              f"{found['energy']:.3f} | {100 * found['accuracy']:.0f} | "
              f"{100 * found['accuracy_by_chance']:.0f} | {p} |", flush=True)


def nucleus(words, data):
    """The sharp planes of the real nucleus beside those of nuclei of four kinds, same lens."""
    def sharp(stack):
        inner = np.array([ndimage.gaussian_laplace(p.astype(float), 1.5).std() for p in stack])
        middle = int(inner.argmax())
        return stack[max(0, middle - 4):middle + 5:2]

    def middle_of(plane, size=64):
        smooth = ndimage.gaussian_filter(plane.astype(float), 3)
        y, x = (int(round(c)) for c in ndimage.center_of_mass(smooth > 0.6 * smooth.max()))
        y = min(max(y, size // 2), plane.shape[0] - size // 2)
        x = min(max(x, size // 2), plane.shape[1] - size // 2)
        return plane[y - size // 2:y + size // 2, x - size // 2:x + size // 2]

    real = tifffile.imread(data / "dapi_40x201x101_u16.tif")
    write_planes(words.folder / "nucleus" / "real", [middle_of(p) for p in sharp(real)])
    for kind in ("fibroblast", "hl60", "granulocyte", "generic"):
        planes = []
        for seed in range(6):
            scene = NUCLEUS.replace('"fibroblast"', f'"{kind}"').format(photons=9000)
            if kind != "fibroblast":
                for line in ("axis_ratios = [1, 2, 3.5]\n", "radius_um = 5\n"):
                    scene = scene.replace(line, "")
            (words.folder / "scene.toml").write_text(scene)
            words.run("simulate", "scene.toml", "--seed", seed, "-o", "made", "--overwrite",
                      "--quiet")
            stack = tifffile.imread(words.folder / "made" / "image.ome.tif")
            planes += [middle_of(p) for p in sharp(stack)]
        write_planes(words.folder / "nucleus" / kind, planes)
    print("| the real nucleus beside | energy distance | nearest of the same set, % |\n"
          "| --- | --: | --: |")
    for kind in ("fibroblast", "hl60", "granulocyte", "generic"):
        found = words.compare("nucleus/real", f"nucleus/{kind}")
        print(f"| {kind} | {found['energy']:.3f} | {100 * found['accuracy']:.0f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--frames", type=int, default=16)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        words = Words(options.program, pathlib.Path(folder))
        make_presets(words, options.frames)
        words.result_of("train", "train", "-o", "presets.h5", "--patch", f"{PATCH},{PATCH}", *WORDS)
        nearest_presets(words, options.data)
        print()
        tell_apart(words, [
            ("simulated mitochondria", "train/mitochondria", "others", "test/mitochondria"),
            ("simulated actin", "train/actin", "others", "test/actin"),
            ("real mitochondria", "mitochondria-2.tif", "simulated", "train/mitochondria"),
            ("real actin", "actin-2.tif", "simulated", "train/actin"),
            ("real nuclei", "nuclei of these-1.tif", "simulated fibroblasts",
             "train/chromatin_fibroblast")])
        print()
        nucleus(words, options.data)


if __name__ == "__main__":
    sys.exit(main())
