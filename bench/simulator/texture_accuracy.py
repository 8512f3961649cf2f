# SPDX-License-Identifier: MIT
"""How often is the class of a texture told right, beside the same pipeline of scipy and
scikit-learn?

usage: texture_accuracy.py PROGRAM [--seeds 3] [--sets photographs cells]

Two sets of ten textures. Photographs that Debian's packages of scikit-image and scipy bring along
(CC0 textures, and others), each cut into patches: those of its left half teach, those of its right
half are asked. And ten simulated cells (examples/textures), of which every other field teaches.
Each pipeline learns words anew for every seed: the program's, and one that shares no code with it.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
import skimage
from PIL import Image
from scipy import ndimage, signal
from sklearn.cluster import KMeans
from sklearn.neighbors import KNeighborsClassifier

WORDS, SAMPLES, PATCH = 100, 500, 64
SCENES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "textures"
PHOTOGRAPHS = {"brick": "brick.png", "grass": "grass.png", "gravel": "gravel.png",
               "stained tissue": "ihc.png", "galaxies": "hubble_deep_field.jpg",
               "moon": "moon.png", "print": "page.png", "coins": "coins.png", "fur": "chelsea.png",
               "coffee": "coffee.png"}


# ---- the images ----

def luminance(pixels):
    return pixels if pixels.ndim == 2 else pixels[..., :3] @ [0.2126, 0.7152, 0.0722]


def patches_of(image):
    for y in range(0, image.shape[0] - PATCH + 1, PATCH):
        for x in range(0, image.shape[1] - PATCH + 1, PATCH):
            yield image[y:y + PATCH, x:x + PATCH]


def photographs(folder):
    """Patches as PNG files: folder/train/brick/0.png, folder/test/brick/0.png, ..."""
    data = pathlib.Path(skimage.__file__).parent / "data"
    for name, file in PHOTOGRAPHS.items():
        image = np.rint(luminance(np.asarray(Image.open(data / file)))).astype(np.uint8)
        middle = image.shape[1] // 2
        for part, half in (("train", image[:, :middle]), ("test", image[:, middle:])):
            into = folder / part / name
            into.mkdir(parents=True)
            for i, patch in enumerate(patches_of(half)):
                Image.fromarray(patch).save(into / f"{i:03}.png")


def cells(program, folder):
    """Middle planes of simulated stacks as PNG files; every other field teaches."""
    for scene in sorted(SCENES.glob("*.toml")):
        made = folder / "made"
        subprocess.run([program, "simulate", scene, "--truth-layout", "stardist", "-o", made,
                        "--overwrite", "--quiet"], check=True, capture_output=True)
        for i, file in enumerate(sorted((made / "images").iterdir())):
            into = folder / ("test" if i % 2 else "train") / scene.stem
            into.mkdir(parents=True, exist_ok=True)
            stack = read_stack(file)
            Image.fromarray(stack[len(stack) // 2]).save(into / f"{i:03}.png")


def read_stack(path):
    pages = Image.open(path)
    planes = []
    for page in range(pages.n_frames):
        pages.seek(page)
        planes.append(np.array(pages, np.uint16))
    return np.array(planes)


def classes_in(folder):
    names = sorted(path.name for path in folder.iterdir())
    images, labels = [], []
    for label, name in enumerate(names):
        for path in sorted((folder / name).iterdir()):
            images.append(np.asarray(Image.open(path), np.float64))
            labels.append(label)
    return images, np.array(labels)


# ---- the same pipeline, of scipy and scikit-learn ----

def freed(weights):
    weights = weights - weights.mean()
    return weights / np.abs(weights).sum()


def mr8_filters():
    """Varma and Zisserman 2005: edges and bars of three scales and six angles, and two round."""
    y, x = np.mgrid[-24:25, -24:25][:, ::-1].astype(float)
    edges, bars = [], []
    for sigma in (1, 2, 4):
        for family, of in ((edges, lambda v: -v), (bars, lambda v: v * v - 1)):
            scale = []
            for angle in np.pi * np.arange(6) / 6:
                along = (np.cos(angle) * x - np.sin(angle) * y) / (3 * sigma)
                across = (np.sin(angle) * x + np.cos(angle) * y) / sigma
                scale.append(freed(of(across) * np.exp(-(along**2 + across**2) / 2)))
            family.append(scale)
    square = (x * x + y * y) / 100
    return edges, bars, freed(np.exp(-square / 2)), freed((square - 2) * np.exp(-square / 2))


MR8 = mr8_filters()


def features(image):
    """Rows of eight values, one a pixel."""
    deviation = image.std()
    padded = np.pad(image / (deviation if deviation > 0 else 1), 24, mode="symmetric")
    edges, bars, *both = MR8
    answer = lambda weights: signal.fftconvolve(padded, weights, mode="valid")
    planes = [np.abs([answer(w) for w in scale]).max(0) for scale in edges]
    planes += [np.max([answer(w) for w in scale], 0) for scale in bars]
    planes += [answer(w) for w in both]
    return np.array(planes).reshape(8, -1).T.astype(np.float32)


def chi_square(a, b):
    total = a + b
    return 0.5 * ((a - b)**2 / np.where(total > 0, total, 1)).sum()


def reference(train, test, seed):
    images, labels = train
    draws = np.random.default_rng(seed)
    drawn = [f[draws.choice(len(f), SAMPLES)] for f in images]
    words = KMeans(WORDS, n_init=1, random_state=seed).fit(np.concatenate(drawn))
    histogram = lambda f: np.bincount(words.predict(f), minlength=WORDS) / len(f)
    nearest = KNeighborsClassifier(1, metric=chi_square)
    nearest.fit([histogram(f) for f in images], labels)
    return nearest.predict([histogram(f) for f in test[0]]) == test[1]


# ---- the program ----

def ours(program, folder, seed):
    model = folder / "model.h5"
    run = lambda *words: subprocess.run([program, "words", *words, "--json", "--quiet"], check=True,
                                        capture_output=True, text=True).stdout
    run("train", folder / "train", "-o", model, "--overwrite", "--words", str(WORDS), "--samples",
        str(SAMPLES), "--seed", str(seed))
    told = json.loads(run("classify", "--classes", folder / "test", "--model", model))["images"]
    return np.array([image["class"] == image["known"] for image in told])


# ---- what is told ----

def wilson(right, all_of_them, z=1.959964):
    share = right / all_of_them
    middle, scale = share + z * z / (2 * all_of_them), 1 + z * z / all_of_them
    half = z * np.sqrt(share * (1 - share) / all_of_them + (z / (2 * all_of_them))**2)
    return (middle - half) / scale, (middle + half) / scale


def row(name, runs, seconds):
    runs = np.array(runs)
    right, count = runs.sum(1), runs.shape[1]
    middle = np.median(right)
    low, high = wilson(middle, count)
    return (f"| {name} | {100 * right.mean() / count:.1f} | "
            f"{100 * right.min() / count:.1f} to {100 * right.max() / count:.1f} | "
            f"{100 * low:.1f} to {100 * high:.1f} | {seconds / len(runs):.1f} |")


def table(title, program, folder, seeds):
    train, test = classes_in(folder / "train"), classes_in(folder / "test")
    print(f"\n## {title}\n\n{len(set(train[1]))} classes, {len(train[1])} images teach and "
          f"{len(test[1])} are asked; {WORDS} words of MR8 from {SAMPLES} samples an image; "
          f"seeds {min(seeds)} to {max(seeds)}.\n")
    print("| pipeline | right, % | of the seeds | Wilson's 95 % | seconds a seed |\n"
          "| --- | --: | --: | --: | --: |")
    begin = time.time()
    found = [ours(program, folder, seed) for seed in seeds]
    print(row("synthoscope words", found, time.time() - begin), flush=True)
    begin = time.time()
    of_train = [features(image) for image in train[0]], train[1]
    of_test = [features(image) for image in test[0]], test[1]
    made = time.time() - begin
    expected = [reference(of_train, of_test, seed) for seed in seeds]
    print(row("scipy and scikit-learn", expected, time.time() - begin + made * (len(seeds) - 1)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--sets", nargs="+", choices=["photographs", "cells"],
                        default=["photographs", "cells"])
    options = parser.parse_args()
    seeds = range(1, options.seeds + 1)
    make = {"photographs": photographs, "cells": lambda into: cells(options.program, into)}
    for name in options.sets:
        with tempfile.TemporaryDirectory() as folder:
            make[name](pathlib.Path(folder))
            table(name.capitalize(), options.program, pathlib.Path(folder), seeds)


if __name__ == "__main__":
    sys.exit(main())
