# SPDX-License-Identifier: MIT
"""Stores small stacks of every example for the gallery of the site, which has no program to ask:

    python3 docs/gallery/stacks.py build/release/tools/synthoscope FOLDER [NAME ...]

Writes NAME.json with the text of each example and the event of its preview, NAME.bin with the
voxels, and index.json with names and sentences of all examples that the folder has, for
docs/gallery/page/stored_previews.js. Needs numpy.
"""
import gzip
import json
import os
import pathlib
import sys

import numpy

from previews import examples_in_a_studio, last_of_sweep
from regions import contrasts_of, region_of, richest_region

MOST_PLANES, MOST_VOXELS, WIDEST = 20, 20 * 128 * 128, 384
PSF_HALF = (12, 24, 24)  # voxels on either side of the middle; beyond, the PSF is almost black
LEVELS = 4095


def middle_of(stack):
    """The middle of a PSF."""
    return stack[tuple(slice(max(0, n // 2 - half), n // 2 + half + 1)
                       for n, half in zip(stack.shape, PSF_HALF))]


def bytes_of(voxels):
    """First bytes of all voxels, then second bytes and so on, which gzip makes smaller."""
    little = numpy.ascontiguousarray(voxels, voxels.dtype.newbyteorder("<"))
    return little.view(numpy.uint8).reshape(-1, voxels.dtype.itemsize).T.tobytes()


def coded(stack):
    """Returns how a stack is stored and its bytes.

    Counts and labels are stored as they are. Of light, the square root is stored in 4096 steps, as
    differences from the voxel before in the row: square roots, because the noise of photons grows
    with them.
    """
    largest = float(stack.max())
    if stack.dtype != numpy.float32 or stack.min() < 0 or not 0 < largest < numpy.inf:
        return {"coding": "exact"}, bytes_of(stack)
    steps = numpy.rint(LEVELS * numpy.sqrt(stack / largest)).astype(numpy.uint16)
    steps[..., 1:] -= steps[..., :-1].copy()
    return {"coding": "square_root", "levels": LEVELS, "largest": largest}, bytes_of(steps)


def images_of(event, stacks):
    """The recorded image of each channel."""
    return [stack for entry, stack in zip(event["stacks"], stacks) if entry["name"] == "image"]


def store(studio, example, folder):
    """Writes the files of one example; returns their bytes."""
    scene = last_of_sweep(example["toml"])
    checked = studio.post("api/check", toml=scene)
    wide = region_of(checked["grid"]["extent"], 48, 2 ** 24, 960)
    size = region_of(wide["extent"], MOST_PLANES, MOST_VOXELS, WIDEST)["extent"]
    images = images_of(*studio.preview(scene, wide))
    region = richest_region(images, wide["origin"], size)
    event, stacks = studio.preview(scene, region)
    entries, voxels = [], b""
    for entry, stack in zip(event["stacks"], stacks):
        stored = middle_of(stack) if entry["name"] == "psf" else stack
        how, some = coded(stored)
        entries.append({**entry, "extent": stored.shape, "bytes": len(some), **how})
        voxels += some
    text = {**example, "grid": checked["grid"], "channels": checked.get("channels", []),
            "of_sweep": scene != example["toml"],
            "plane": int(numpy.argmax(contrasts_of(images_of(event, stacks)))),
            "event": {**event, "stacks": entries}}
    written = {".json": json.dumps(text).encode(), ".bin": gzip.compress(voxels, 9, mtime=0)}
    for ending, content in written.items():
        file = folder / (example["name"] + ending)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return sum(map(len, written.values()))


def main(program, folder, names):
    folder.mkdir(parents=True, exist_ok=True)
    size = 0
    with examples_in_a_studio(program, names) as (studio, examples):
        for example in examples:
            print(example["name"], flush=True)
            size += store(studio, example, folder)
        listed = [{"name": one["name"], "about": one["about"]} for one in studio.examples()
                  if (folder / f"{one['name']}.bin").exists()]
    (folder / "index.json").write_text(json.dumps({"examples": listed}), encoding="utf-8")
    print(f"stored stacks of {len(examples)} examples, {size / 1e6:.1f} MB, in {folder}")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:])
