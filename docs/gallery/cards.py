# SPDX-License-Identifier: MIT
"""Makes the picture of every example that stands on its card in `synthoscope studio`:

    python3 docs/gallery/cards.py build/release/tools/synthoscope [NAME ...]

Writes studio/page/pictures/NAME.webp of the recorded image. Pictures without an example are removed
if no NAME is given. Needs numpy and Pillow (python3-pil).
"""
import os
import pathlib
import sys

import numpy
from PIL import Image

from previews import examples_in_a_studio, last_of_sweep
from regions import contrasts_of, region_of

PICTURES = pathlib.Path(__file__).resolve().parents[2] / "studio" / "page" / "pictures"
WIDTH, HEIGHT = 240, 180
QUALITY = 72  # of WebP: 4 to 10 KiB a picture

# Thin and sparse objects, of which one plane shows little: largest values along this axis
PROJECTED = {"bead_aberrations": "z", "beads": "z", "beads_at_depth": "y", "dividing_colony": "z",
             "embryo": "z", "fish_spots": "z", "microtubules_sted": "z",
             "mitochondria_confocal": "z", "moving_cells": "z", "neuron": "z",
             "structured_illumination": "z", "textures/mitochondria": "z", "two_colours": "z"}
# Rings and tails far weaker than the middle
GAMMA = {"bead_aberrations": 0.5, "beads": 0.5, "beads_at_depth": 0.5}
# As in studio/page/viewer/contrast.js
COLOURS = ((88, 214, 141), (224, 86, 196), (86, 156, 240), (240, 180, 70), (240, 100, 90),
           (90, 220, 225))


def planes_of(name, images):
    """Returns a plane of each channel: the one of most contrast, or a projection."""
    if PROJECTED.get(name) == "y":
        return [image.max(1).T for image in images]  # depth to the right
    if name in PROJECTED:
        return [image.max(0) for image in images]
    plane = numpy.argmax(contrasts_of(images))
    return [image[plane] for image in images]


def toned(plane, gamma):
    low, high = numpy.percentile(plane, (0.5, 99.7))
    return numpy.clip((plane - low) / max(high - low, 1e-9), 0, 1) ** gamma


def cropped(picture, height_of_pixel):
    """The largest middle part of a picture that has the shape of a card."""
    width, height = picture.width, picture.height * height_of_pixel
    part_width = min(width, height * WIDTH / HEIGHT)
    part_height = part_width * HEIGHT / WIDTH / height_of_pixel
    left, top = (picture.width - part_width) / 2, (picture.height - part_height) / 2
    return picture.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS,
                          (left, top, left + part_width, top + part_height))


def picture_of(name, images, voxel_um):
    """Returns the picture of an example from the image of each channel."""
    colours = COLOURS if len(images) > 1 else ((255, 255, 255),)
    pixels = sum(toned(plane.astype(float), GAMMA.get(name, 1))[..., None] * numpy.array(colour)
                 for plane, colour in zip(planes_of(name, images), colours))
    picture = Image.fromarray(numpy.clip(pixels, 0, 255).astype("uint8"))
    dz, dy, dx = voxel_um
    return cropped(picture, dy / dz if PROJECTED.get(name) == "y" else dy / dx)


def make(studio, example):
    toml = last_of_sweep(example["toml"])
    grid = studio.post("api/check", toml=toml)["grid"]
    planes = 128 if example["name"] in PROJECTED else 36
    event, stacks = studio.preview(toml, region_of(grid["extent"], planes, 2 ** 24, 960))
    images = [stack for entry, stack in zip(event["stacks"], stacks) if entry["name"] == "image"]
    file = PICTURES / f"{example['name']}.webp"
    file.parent.mkdir(parents=True, exist_ok=True)
    picture_of(example["name"], images, grid["voxel_um"]).save(file, quality=QUALITY, method=6)
    return file


def main(program, names):
    made = set()
    with examples_in_a_studio(program, names) as (studio, examples):
        for example in examples:
            print(example["name"], flush=True)
            made.add(make(studio, example))
    if not names:
        for file in set(PICTURES.rglob("*.webp")) - made:
            file.unlink()
    size = sum(os.path.getsize(file) for file in made)
    print(f"made {len(made)} pictures of {size / 1024:.0f} KiB in {PICTURES}")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), sys.argv[2:])
