# SPDX-License-Identifier: MIT
"""How like real nuclei are synthetic ones? Histograms, spectra and places, beside real images.

usage: realism.py PROGRAM DATA [--seeds 12] [--kind adherent] [--svg docs/images/realism.svg]

DATA holds dapi_40x201x101_u16.tif, a wide-field stack of one DAPI-stained nucleus, and
embryo_labels_3d.tif, expert labels of the nuclei of an embryo. Prints the tables of
docs/understand/realism.md; with --kind adherent only those of lifelike-nuclei.md. Every number is a
mean over seeds with its standard deviation.
"""
import argparse
import csv
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import tifffile
from scipy import ndimage

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "docs" / "figures"))
from drawing import FAINT, IMAGE, KERNEL, RESULT, SOFT, Drawing  # noqa: E402

PITCH = (0.3, 0.13, 0.13)  # um, of the real stack, as its authors' demonstration gives them
NUCLEUS = """
[grid]
size = [40, 256, 256]
pitch_nm = [300, 130, 130]
[nuclei]
{shape}
count = 1
[background]
photons_per_pixel = 170
[optics]
na = 1.45
wavelength_nm = 461
immersion_index = 1.512
[camera]
kind = "ccd"
bit_depth = 16
gain_dn_per_electron = 7.7
full_well_electrons = 100000
"""
# Each with the light of the real nucleus
SHAPES = {
    "fibroblast": """kind = "fibroblast"
radius_um = 5
axis_ratios = [1, 2, 3.5]
photons_per_um3 = 35000""",
    "adherent": """kind = "adherent"
photons_per_um3 = 41000""",
}
PLACES = """
frames = {frames}
[grid]
size = [13, 36, 51]
pitch_nm = [2000, 2000, 2000]
[nuclei]
kind = "hl60"
count = 20
border = "cut"
clustering = {clustering}
[optics]
model = "gaussian"
"""
BANDS = [0.2, 0.35, 0.55, 0.85, 1.3, 2.0]  # cycles per um
DEPTHS = np.arange(-4, 2.3, 0.26)           # um below the edge of the nucleus; negative: outside
HISTOGRAM = np.arange(0.4, 1.61, 0.05)      # over the median


def simulate(program, scene, seed, folder):
    path = folder / "scene.toml"
    path.write_text(scene)
    subprocess.run([program, "simulate", path, "--seed", str(seed), "-o", folder / "set",
                    "--overwrite", "--quiet"], check=True, capture_output=True)
    return folder / "set"


def photon_transfer(stack):
    """Slope of noise variance over mean in planes without detail: DN per electron."""
    second = np.array([1, -2, 1])
    means, squares = [], []
    for plane in np.concatenate([stack[:5], stack[-5:]]):
        noise = ndimage.convolve(plane, np.outer(second, second) / 6)
        means.append(ndimage.gaussian_filter(plane, 2)[3:-3, 3:-3].ravel())
        squares.append((noise**2)[3:-3, 3:-3].ravel())
    means, squares = np.concatenate(means), np.concatenate(squares)
    edges = np.quantile(means, np.linspace(0, 1, 25))
    among = [(means >= low) & (means < high) for low, high in zip(edges, edges[1:])]
    return np.polyfit([means[a].mean() for a in among], [squares[a].mean() for a in among], 1)[0]


def largest(mask):
    labels, count = ndimage.label(mask)
    sizes = ndimage.sum(mask, labels, range(1, count + 1))
    return ndimage.binary_fill_holes(labels == 1 + int(np.argmax(sizes)))


def spectrum(plane, inside, gain):
    """Power of the relative fluctuation in the largest square inside, um^2, without shot noise."""
    fits = [side for side in range(16, 90, 2) if ndimage.minimum_filter(inside, side).any()]
    half = max(fits) // 2
    y, x = np.argwhere(ndimage.minimum_filter(inside, 2 * half))[0]
    square = plane[y - half:y + half, x - half:x + half]
    window = np.hanning(2 * half + 2)[1:-1]
    window = np.outer(window, window)
    power = np.abs(np.fft.fft2((square / square.mean() - 1) * window))**2 / (window**2).sum()
    power = (power - gain / square.mean()) * PITCH[1]**2
    wave = np.hypot(*np.meshgrid(*[np.fft.fftfreq(2 * half, PITCH[1])] * 2))
    return [power[(wave >= low) & (wave < high)].mean() for low, high in zip(BANDS, BANDS[1:])]


def nucleus_statistics(stack):
    """Of the sharpest plane of a stack that holds one nucleus."""
    stack = stack.astype(float)
    gain = photon_transfer(stack)
    sharp = np.array([ndimage.gaussian_laplace(plane, 1.5).std() for plane in stack])
    middle = int(sharp.argmax())
    sharp -= np.median(np.sort(sharp)[:8])
    plane = stack[middle] - np.percentile(stack[10:-10], 0.5)
    smooth = ndimage.gaussian_filter(plane, 1)
    mask = largest(smooth > np.percentile(smooth[smooth > 0.3 * smooth.max()], 90) / 2)
    depth = np.where(mask, ndimage.distance_transform_edt(mask) - 0.5,
                     0.5 - ndimage.distance_transform_edt(~mask)) * PITCH[1]
    inner = smooth[depth > 1]
    mean = inner.mean()
    relative = inner / np.median(inner)
    low, high = np.percentile(relative, [5, 95])
    return {
        "light inside, DN above background": mean,
        "area, um^2": mask.sum() * PITCH[1]**2,
        "axial range that is sharp, um": (sharp > sharp.max() / 2).sum() * PITCH[0],
        "standard deviation over mean": relative.std(),
        "skewness": ((relative - relative.mean())**3).mean() / relative.std()**3,
        "5th percentile over median": low,
        "95th percentile over median": high,
        "edge": [plane[np.abs(depth - d) < 0.13].mean() / mean for d in DEPTHS],
        "histogram": np.histogram(relative, HISTOGRAM, density=True)[0],
        "power": spectrum(plane, depth > 0.5, gain),
    }


def k_function(points, box, radii):
    """Ripley's K in a box, with the translation correction (Ohser, Muecklich 2000), over the volume
    of the ball: 1 for places without order. Of many patterns: the mean."""
    values = []
    for pattern in points:
        distance = pattern[:, None] - pattern[None]
        length = np.sqrt((distance**2).sum(-1))
        weight = np.prod(box) / np.prod(box - np.abs(distance), axis=-1)
        np.fill_diagonal(weight, 0)
        pairs = len(pattern) * (len(pattern) - 1) / np.prod(box)
        values.append([weight[length < r].sum() / pairs / (4 / 3 * np.pi * r**3) for r in radii])
    return np.mean(values, 0), np.std(values, 0) / np.sqrt(len(values))


def placed_nuclei(program, clustering, frames, folder):
    scene = PLACES.format(frames=frames, clustering=clustering)
    patterns = {}
    with open(simulate(program, scene, 1, folder) / "objects.csv", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            patterns.setdefault(row["frame"], []).append(
                [float(row[f"centroid_{axis}_um"]) for axis in "zyx"])
    return [np.array(pattern) for pattern in patterns.values()]


def embryo_nuclei(path):
    """Centroids in units of the mean distance to the nearest neighbour."""
    labels = tifffile.imread(path)
    ids = np.unique(labels)[1:]
    points = np.array(ndimage.center_of_mass(labels > 0, labels, ids))
    return points, nearest(points).mean()


def nearest(points):
    length = np.sqrt(((points[:, None] - points[None])**2).sum(-1))
    np.fill_diagonal(length, np.inf)
    return length.min(1)


def print_nuclei(real, twins):
    def row(name, pick, digits=3):
        values = [pick(twin) for twin in twins]
        print(f"| {name} | {pick(real):.{digits}f} | {np.mean(values):.{digits}f} "
              f"± {np.std(values):.{digits}f} |")
    print("| of the sharpest plane | real | synthetic |\n|---|---|---|")
    for name in [key for key, value in real.items() if np.isscalar(value)]:
        digits = 0 if "DN" in name else 1 if "um" in name else 3
        row(name, lambda s, name=name: s[name], digits)
    for depth in (-3.0, -1.0, 0.5, 1.5):
        at = int(np.abs(DEPTHS - depth).argmin())
        side = "inside" if depth > 0 else "outside"
        row(f"{abs(depth):g} um {side} the edge, over the inner mean", lambda s: s["edge"][at])
    for number, (low, high) in enumerate(zip(BANDS, BANDS[1:])):
        row(f"power, waves of {1 / high:.2f} to {1 / low:.2f} um, 10^-3 um^2",
            lambda s: 1e3 * s["power"][number], 2)


def curve(drawing, area, points, range_x, range_y, colour, dashed=False):
    left, top, width, height = area
    def place(x, y):
        return (left + (x - range_x[0]) / (range_x[1] - range_x[0]) * width,
                top + height - (y - range_y[0]) / (range_y[1] - range_y[0]) * height)
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in (place(*p) for p in points))
    drawing.path(path, colour, 2, stroke_dasharray="5 4" if dashed else None)


def axes(drawing, area, title, range_x, range_y, unit_x, ticks_x, ticks_y):
    left, top, width, height = area
    drawing.words(left, top - 14, title, 13, SOFT)
    for y in ticks_y:
        at = top + height - (y - range_y[0]) / (range_y[1] - range_y[0]) * height
        drawing.line(left, at, left + width, at, FAINT, 0.6)
        drawing.words(left - 8, at + 4, f"{y:g}", 11, SOFT, "end")
    for x in ticks_x:
        at = left + (x - range_x[0]) / (range_x[1] - range_x[0]) * width
        drawing.words(at, top + height + 18, f"{x:g}", 11, SOFT, "middle")
    drawing.words(left + width / 2, top + height + 36, unit_x, 12, SOFT, "middle")


def draw(real, twins, path):
    drawing = Drawing(1000, 360, "Real and synthetic nuclei",
                      "Histogram, edge and power spectrum of a DAPI-stained nucleus and of "
                      "synthetic ones.")
    for x, colour, name in ((40, KERNEL, "real"), (120, IMAGE, "synthetic, each seed"),
                            (290, RESULT, "their mean")):
        drawing.circle(x, 34, 5, colour)
        drawing.words(x + 12, 39, name, 13)
    middles = (HISTOGRAM[1:] + HISTOGRAM[:-1]) / 2
    waves = np.log10(np.sqrt(np.array(BANDS[1:]) * np.array(BANDS[:-1])))
    panels = [
        ("Brightness inside, over its median: density", "histogram", middles, (0.4, 1.6), (0, 4.5),
         "brightness over median", (0.5, 1, 1.5), (0, 1, 2, 3, 4), lambda v: v),
        ("From outside to inside, over the inner mean", "edge", DEPTHS, (-4, 2.2), (0, 1.1),
         "um below the edge", (-4, -2, 0, 2), (0, 0.5, 1), lambda v: v),
        ("Power of the texture: log10, um^2", "power", waves, (-0.65, 0.25), (-5, -1),
         "log10 of cycles per um", (-0.6, -0.3, 0, 0.2), (-5, -4, -3, -2, -1),
         lambda v: np.log10(np.maximum(v, 1e-5))),
    ]
    for number, (title, key, x, rx, ry, unit, tx, ty, shown) in enumerate(panels):
        area = (60 + 325 * number, 90, 260, 200)
        axes(drawing, area, title, rx, ry, unit, tx, ty)
        for twin in twins:
            curve(drawing, area, zip(x, shown(np.array(twin[key]))), rx, ry, IMAGE + "55")
        mean = np.mean([twin[key] for twin in twins], 0)
        curve(drawing, area, zip(x, shown(mean)), rx, ry, RESULT)
        curve(drawing, area, zip(x, shown(np.array(real[key]))), rx, ry, KERNEL)
    path.write_text(drawing.text(), encoding="utf-8")


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("program")
    options.add_argument("data", type=pathlib.Path)
    options.add_argument("--seeds", type=int, default=12)
    options.add_argument("--kind", choices=SHAPES, default="fibroblast")
    options.add_argument("--svg", type=pathlib.Path)
    args = options.parse_args()

    real = nucleus_statistics(tifffile.imread(args.data / "dapi_40x201x101_u16.tif"))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        scene = NUCLEUS.format(shape=SHAPES[args.kind])
        twins = [nucleus_statistics(tifffile.imread(simulate(args.program, scene, seed, folder)
                                                    / "image.ome.tif"))
                 for seed in range(1, args.seeds + 1)]
        print_nuclei(real, twins)
        if args.svg:
            draw(real, twins, args.svg)
        if args.kind != "fibroblast":
            return

        radii = [8, 12, 16, 20, 30]
        box = np.array([26.0, 72.0, 102.0])
        print("\n| clustering | " + " | ".join(f"{r} um" for r in radii) + " |")
        print("|---" * (len(radii) + 1) + "|")
        for clustering in (0, 0.25, 0.5, 0.75):
            k, error = k_function(placed_nuclei(args.program, clustering, 100, folder), box, radii)
            print(f"| {clustering} | " + " | ".join(f"{a:.2f} ± {b:.2f}" for a, b in zip(k, error))
                  + " |")
        points, unit = embryo_nuclei(args.data / "embryo_labels_3d.tif")
        print(f"\nembryo: nearest neighbours {unit:.1f} voxels apart, "
              f"standard deviation over mean {nearest(points).std() / unit:.2f}")
        for clustering in (0, 0.75):
            distances = [nearest(p) for p in placed_nuclei(args.program, clustering, 100, folder)]
            print(f"clustering {clustering}: standard deviation over mean "
                  f"{np.mean([d.std() / d.mean() for d in distances]):.2f}")


if __name__ == "__main__":
    main()
