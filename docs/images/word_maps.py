# SPDX-License-Identifier: MIT
# docs/images/word_maps.py PROGRAM — makes word_maps.png: some of examples/textures and the words of
# their voxels, for docs/do/compare-textures.md.
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy
import tifffile
from PIL import Image

HERE = pathlib.Path(__file__).resolve().parent
SCENES = HERE.parent.parent / "examples" / "textures"
KINDS = ("tissue", "mitochondria", "actin", "vesicles", "chromatin_fibroblast")


def colours(centroids):
    """Words alike in colours alike: red, green and blue by the first principal components."""
    spread = (centroids - centroids.mean(0)) / centroids.std(0)
    places = spread @ numpy.linalg.svd(spread, full_matrices=False)[2][:3].T
    ranks = places.argsort(0).argsort(0) / (len(places) - 1)
    return numpy.rint(40 + 200 * ranks).astype(numpy.uint8)


def bright(plane):
    low, high = numpy.percentile(plane, (0.5, 99.7))
    grey = (255 * numpy.clip((plane - low) / (high - low), 0, 1)).astype(numpy.uint8)
    return numpy.repeat(grey[..., None], 3, -1)


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        def run(*words):
            subprocess.run([program, *words, "--quiet"], cwd=folder, check=True,
                           capture_output=True)

        folder = pathlib.Path(folder)
        (folder / "cells").mkdir()
        for kind in KINDS:
            run("simulate", SCENES / f"{kind}.toml", "--set", "frames=4", "--truth-layout",
                "stardist", "-o", f"cells/{kind}")
        run("words", "train", "cells", "-o", "words.h5", "--planes", "middle", "--words", "24",
            "--seed", "1")
        with h5py.File(folder / "words.h5") as model:
            colour = colours(model["dictionary/centroid"][()])
        columns = []
        for kind in KINDS:
            image = sorted((folder / "cells" / kind / "images").iterdir())[1]
            run("words", "assign", image, "--model", "words.h5", "-o", "map.tif", "--overwrite")
            stack = tifffile.imread(image)
            columns.append(numpy.vstack([bright(stack[len(stack) // 2].astype(float)),
                                         colour[tifffile.imread(folder / "map.tif")]]))
    Image.fromarray(numpy.hstack(columns)).save(HERE / "word_maps.png", optimize=True)


if __name__ == "__main__":
    main()
