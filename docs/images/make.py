# SPDX-License-Identifier: MIT
# docs/images/make.py PROGRAM [NAME ...] — makes the pictures of the example scenes: simulates each
# and stores its preview, at most 1000 pixels wide; and what commands make of one, before and after.
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy
import tifffile
from PIL import Image

WIDTH = 1000
# Data sets of which show draws the first frame, with the options of simulate and of show
SHOWN = {"touching_nuclei": (["--truth-layout", "stardist"], "snr-6", ["--projection", "slice"]),
         "monolayer": ([], ".", [])}
# benchmark shows how sets are made, not what they can look like; compare_tools.py plots those to
# compare programs; others have their own function
DRAWN_OTHERWISE = ("beads_at_depth", "benchmark", "benchmark_nuclei", "benchmark_spots",
                   "camera_test_chart", *SHOWN, "structured_illumination")
HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "examples"


def preview_of(folder):
    """The only preview of a data set, the last one of a sweep."""
    return sorted(folder.rglob("preview.png"))[-1]


def shrunk(picture):
    if picture.width <= WIDTH:
        return picture
    height = round(picture.height * WIDTH / picture.width)
    return picture.resize((WIDTH, height), Image.Resampling.LANCZOS)


def contrast(program):
    """Before, with all scales, with one window: for docs/do/enhance-contrast.md."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        subprocess.run([program, "simulate", EXAMPLES / "fibroblasts.toml", "-o", folder / "cells",
                        "--quiet"], check=True)
        files = [folder / "cells" / "photons.ome.tif", folder / "all.tif", folder / "one.tif"]
        for file, window in zip(files[1:], ((), ("--window", "triangle:32"))):
            subprocess.run([program, "variance", files[0], "-o", file, "--enhance", "--limit", "8",
                            "--quiet", *window], check=True)
        planes = []
        for file in files:
            stack = tifffile.imread(file)
            plane = stack[len(stack) // 2]
            low, high = numpy.percentile(plane, (0.2, 99.8))
            planes.append((255 * numpy.clip((plane - low) / (high - low), 0, 1)).astype("uint8"))
    shrunk(Image.fromarray(numpy.hstack(planes))).save(HERE / "contrast.png", optimize=True)


def bright(plane, high):
    return (255 * numpy.clip(plane / high, 0, 1)).astype("uint8")


def beside(*planes):
    """Pictures side by side at the top of a grey ground."""
    height = max(plane.shape[0] for plane in planes)
    gap = numpy.full((height, 8), 128, "uint8")
    pieces = []
    for plane in planes:
        ground = numpy.full((height, plane.shape[1]), 128, "uint8")
        ground[:plane.shape[0]] = plane
        pieces += [ground, gap]
    return Image.fromarray(numpy.hstack(pieces[:-1]))


def resampled(program):
    """Side views of tilted planes, level and not, and of slices and cubes: for
    docs/do/deskew-a-stack.md and docs/do/make-voxels-isotropic.md."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        photons = folder / "cells" / "photons.ome.tif"
        subprocess.run([program, "simulate", EXAMPLES / "granulocytes.toml", "-o", folder / "cells",
                        "--quiet"], check=True)

        def stack(name, source, *options):
            file = folder / f"{name}.ome.tif"
            subprocess.run([program, "resample", source, "-o", file, "--quiet", *options],
                           check=True)
            return file

        recorded = stack("recorded", photons, "--matrix",
                         "0,0.22,0,0,2.7273,0.866,0,-220,0,0,1,0", "--output-size", "184,255,280")
        level = stack("level", recorded, "--deskew", "30")
        cubes = stack("cubes", photons, "--isotropic", "--order", "3", "--boundary", "mirror")
        slices, high = tifffile.imread(photons), 160
        beside(bright(tifffile.imread(recorded)[:, :, 140].T, high),
               bright(tifffile.imread(level)[:, 200:520, 140], high)).save(
                   HERE / "deskew.png", optimize=True)
        beside(bright(slices[:, 140, :], high),
               bright(tifffile.imread(cubes)[:, 140, :], high)).save(
                   HERE / "isotropic.png", optimize=True)


def bent(program):
    """As it is, aslant, and by landmarks, one of which moves: for docs/do/bend-an-image.md."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        photons, marks = folder / "cells" / "photons.ome.tif", folder / "marks.csv"
        subprocess.run([program, "simulate", EXAMPLES / "granulocytes.toml", "-o", folder / "cells",
                        "--quiet"], check=True)
        marks.write_text("20,20,20,20\n20,260,20,260\n260,20,260,20\n260,260,260,260\n"
                         "140,140,165,110\n", encoding="utf-8")
        files = [photons]
        for name, options in (
                ("aslant", ("--homography", "0.8,0.1,20,0,0.9,10,-0.0015,0.0005,1")),
                ("bent", ("--landmarks", marks))):
            files.append(folder / f"{name}.ome.tif")
            subprocess.run([program, "resample", photons, "-o", files[-1], "--order", "3",
                            "--quiet", *options], check=True)
        beside(*(bright(tifffile.imread(file)[28], 160) for file in files)).save(
            HERE / "bent.png", optimize=True)


def camera_test_chart(program):
    """What every camera of the sweep records of the middle plane, each scaled by itself."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "chart"
        subprocess.run([program, "simulate", EXAMPLES / "camera_test_chart.toml", "-o", output,
                        "--quiet"], check=True)
        shown = []
        for name in ("icx285", "ixon-897", "zyla-4.2", "gsense400-bsi", "orca-quest", "spad-512"):
            plane = tifffile.imread(output / f"preset-{name}" / "image.ome.tif")[1]
            low, high = numpy.percentile(plane, (1, 99.7))
            tone = (255 * numpy.clip((plane - low) / max(high - low, 1), 0, 1)).astype("uint8")
            shown.append(numpy.kron(tone, numpy.ones((2, 2), "uint8")))
    rows = [numpy.asarray(beside(*shown[:3])), numpy.asarray(beside(*shown[3:]))]
    gap = numpy.full((8, rows[0].shape[1]), 128, "uint8")
    shrunk(Image.fromarray(numpy.vstack([rows[0], gap, rows[1]]))).save(
        HERE / "camera_test_chart.png", optimize=True)


HUES = numpy.array([[230, 80, 60], [70, 150, 230], [90, 190, 90], [240, 180, 50], [170, 100, 210],
                    [60, 190, 190], [230, 120, 180], [150, 140, 80], [120, 160, 250]], "uint8")


def strip(program, scene):
    """Largest values along z of frames of a movie, and below them the labels."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "movie"
        subprocess.run([program, "simulate", scene, "-o", output, "--quiet"], check=True)
        images = sorted(output.glob("image_t*.ome.tif"))
        chosen = [images[i * (len(images) - 1) // 6] for i in range(7)]
        stacks = [tifffile.imread(image).max(0) for image in chosen]
        low, high = numpy.percentile(stacks[0], (1, 99.9))
        columns = []
        for image, stack in zip(chosen, stacks):
            seen = (255 * numpy.clip((stack - low) / (high - low), 0, 1)).astype("uint8")
            labels = tifffile.imread(str(image).replace("image_t", "labels_t")).max(0)
            colours = HUES[labels % len(HUES)] * (labels > 0)[..., None]
            gap = numpy.full((6, seen.shape[1], 3), 128, "uint8")
            columns.append(numpy.vstack([numpy.repeat(seen[..., None], 3, 2), gap, colours]))
            columns.append(numpy.full((len(columns[-1]), 6, 3), 128, "uint8"))
    shrunk(Image.fromarray(numpy.hstack(columns[:-1]))).save(HERE / f"{scene.stem}.png",
                                                             optimize=True)


def aberrated(program):
    """Planes below the focus to above it, without aberrations and with one term a row: for
    docs/understand/optics.md."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for row, terms in enumerate(("", "6:0.15", "8:0.15", "9:0.15", "11:0.15")):
            file = pathlib.Path(folder) / f"{row}.tif"
            subprocess.run([program, "psf", "-o", file, "--quiet", "--na", "1.1",
                            "--immersion-index", "1.333", "--sample-index", "1.333",
                            "--size", "7,101,101", "--voxel-um", "0.6,0.03,0.03",
                            "--zernike", terms], check=True)
            planes = tifffile.imread(file)
            rows.append(numpy.hstack([bright(plane ** 0.5, planes.max() ** 0.5)
                                      for plane in planes]))
    Image.fromarray(numpy.vstack(rows)).save(HERE / "aberrations.png", optimize=True)


def reconstructed(images, rows, psf, pitch_um, floor=0.05):
    """The image of twice the resolution: orders told apart by their phases, put where they belong
    in the spectrum and added up with a Wiener filter (Gustafsson, J. Microsc. 198 (2000) 82). `psf`
    is of half the pitch, `rows` are those of pattern.csv."""
    size = 2 * len(images[0])
    middle = (numpy.arange(size) - size // 2) * pitch_um / 2
    y, x = numpy.meshgrid(middle, middle, indexing="ij")
    kernel = numpy.zeros((size, size))
    half = min(psf.shape[0], size - 1) // 2
    part, centre = slice(size // 2 - half, size // 2 + half + 1), psf.shape[0] // 2
    kernel[part, part] = psf[centre - half:centre + half + 1, centre - half:centre + half + 1]

    def transfer(turns):
        wave = kernel / kernel.sum() * numpy.exp(2j * numpy.pi * turns)
        return numpy.fft.fft2(numpy.fft.ifftshift(wave)).real

    def enlarged(image):
        spectrum = numpy.fft.fftshift(numpy.fft.fft2(image))
        return numpy.fft.ifft2(numpy.fft.ifftshift(numpy.pad(spectrum, size // 4)))

    edge = numpy.sin(numpy.pi * (numpy.arange(size // 2) + 0.5) / (size // 2)) ** 0.5
    total, weight = numpy.zeros((size, size), complex), numpy.zeros((size, size))
    for angle in sorted({row["angle"] for row in rows}):
        chosen = [i for i, row in enumerate(rows) if row["angle"] == angle]
        phases = numpy.radians([float(rows[i]["phase_degrees"]) for i in chosen])
        share = float(rows[chosen[0]]["contrast"]) / 2
        mixed = numpy.array([[1, share * numpy.exp(1j * p), share * numpy.exp(-1j * p)]
                             for p in phases])
        orders = numpy.tensordot(numpy.linalg.pinv(mixed),
                                 [images[i] * numpy.outer(edge, edge) for i in chosen], 1)
        ky, kx = (float(rows[chosen[0]][key]) for key in ("ky_per_um", "kx_per_um"))
        turns, there = ky * y + kx * x, (ky + kx) * pitch_um / 4  # voxels lie half a pitch off
        for number, order in zip((0, 1, -1), orders):
            placed = transfer(-number * turns)
            back = numpy.exp(-2j * numpy.pi * number * (turns + there))
            total += placed * numpy.fft.fft2(enlarged(order) * back)
            weight += placed ** 2
    return numpy.fft.ifft2(total / (weight + floor)).real


def stripes(program):
    """A raw image, the mean of all and what they are reconstructed to: for
    docs/do/structured-illumination.md."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "stripes"
        subprocess.run([program, "simulate", EXAMPLES / "structured_illumination.toml", "-o",
                        output, "--quiet"], check=True)
        images = [tifffile.imread(file)[3].astype(float) - 100
                  for file in sorted(output.glob("image_t*.ome.tif"))]
        psf = tifffile.imread(output / "psf.ome.tif")
        with open(output / "pattern.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    fine = reconstructed(images, rows, psf[len(psf) // 2], 0.065)
    twice = numpy.ones((2, 2))
    shown = [numpy.kron(images[0], twice), numpy.kron(sum(images) / 9, twice), fine]
    shrunk(beside(*(bright(image, numpy.percentile(image, 99.7)) for image in shown))).save(
        HERE / "structured_illumination.png", optimize=True)


def beads_at_depth(program):
    """Largest values along y, square root: the glass is above."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "beads"
        subprocess.run([program, "simulate", EXAMPLES / "beads_at_depth.toml", "-o", output,
                        "--quiet"], check=True)
        side = tifffile.imread(output / "photons.ome.tif").max(1) ** 0.5
        side -= numpy.percentile(side, 2)
        seen = Image.fromarray(bright(side, numpy.percentile(side, 99.95)))
        # Pixels of 80 nm, planes of 150 nm
        seen.resize((4 * seen.width, 4 * seen.height * 150 // 80),
                    Image.Resampling.BICUBIC).save(HERE / "beads_at_depth.png", optimize=True)


def look(program):
    """What `show` draws of two channels: for docs/do/look-at-images.md."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "two"
        subprocess.run([program, "simulate", EXAMPLES / "two_colours.toml", "-o", output,
                        "--quiet"], check=True)
        picture = pathlib.Path(folder) / "look.png"
        subprocess.run([program, "show", output, "-o", picture, "--size", "180"], check=True)
        shrunk(Image.open(picture).convert("RGB")).save(HERE / "look.png", optimize=True)


def doses(program):
    """The same nuclei at five signal-to-noise ratios: for docs/understand/signal-to-noise.md."""
    with tempfile.TemporaryDirectory() as folder:
        scene, found = EXAMPLES / "first.toml", []
        for snr in (1, 2, 5, 10, 20):
            said = subprocess.run([program, "simulate", scene, "-o", f"{folder}/{snr}", "--json",
                                   "--set", f"illumination.snr={snr}"], check=True,
                                  capture_output=True, text=True).stdout
            found.append(str(json.loads(said)["snr"]["dose"]))
        picture = pathlib.Path(folder) / "doses.png"
        subprocess.run([program, "simulate", scene, "--doses", ",".join(found), "-o", picture],
                       check=True)
        shrunk(Image.open(picture).convert("RGB")).save(HERE / "doses.png", optimize=True)


def shown(program, name):
    """The first frame of an example and its outlines, for the page on it."""
    making, part, drawing = SHOWN[name]
    with tempfile.TemporaryDirectory() as folder:
        output, picture = pathlib.Path(folder) / name, pathlib.Path(folder) / "picture.png"
        subprocess.run([program, "simulate", EXAMPLES / f"{name}.toml", "-o", output, "--quiet",
                        *making], check=True)
        subprocess.run([program, "show", output / part, "--frame", "0", "-o", picture, *drawing],
                       check=True)
        shrunk(Image.open(picture).convert("RGB")).save(HERE / f"{name}.png", optimize=True)


def main(program, names):
    for name in SHOWN:
        if not names or name in names:
            shown(program, name)
    if not names or "doses" in names:
        doses(program)
    if not names or "look" in names:
        look(program)
    if not names or "structured_illumination" in names:
        stripes(program)
    if not names or "camera_test_chart" in names:
        camera_test_chart(program)
    if not names or "beads_at_depth" in names:
        beads_at_depth(program)
    if not names or "aberrations" in names:
        aberrated(program)
    if not names or "contrast" in names:
        contrast(program)
    if not names or "resampled" in names:
        resampled(program)
    if not names or "bent" in names:
        bent(program)
    for scene in sorted(EXAMPLES.glob("*.toml")):
        if scene.stem in DRAWN_OTHERWISE or (names and scene.stem not in names):
            continue
        if "[time]" in scene.read_text(encoding="utf-8"):
            strip(program, scene)
            continue
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder) / scene.stem
            subprocess.run([program, "simulate", scene, "-o", output, "--quiet"], check=True)
            picture = shrunk(Image.open(preview_of(output)).convert("RGB"))
            picture.save(HERE / f"{scene.stem}.png", optimize=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
