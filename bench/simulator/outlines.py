# SPDX-License-Identifier: MIT
"""Outlines, brightness and crowding of synthetic nuclei beside those of a real field.

usage: outlines.py REAL.tif SET... [--masks MASKS.tif] [--pixel-um 0.5]

REAL is an image of one plane, SET a data set of `simulate` with one plane, whose frames are fields.
With --masks, objects are those of the masks and of the data sets' labels; without, objects of both
are what is brighter than Otsu's threshold, cut by a watershed of the distance to the background.
Nuclei at the border and specks below a fifth of the median area are left out. Prints a row for each
measure: real, synthetic with the standard deviation of fields, and their ratio.
"""
import argparse
import pathlib

import numpy as np
import tifffile
from scipy import ndimage
from skimage import feature, filters, measure, segmentation

ANGLES = np.linspace(0, 2 * np.pi, 128, endpoint=False)


def segmented(image):
    """Labels of what is brighter than Otsu's threshold; touching nuclei are cut apart."""
    smooth = ndimage.gaussian_filter(image, 1)
    mask = ndimage.binary_fill_holes(smooth > filters.threshold_otsu(smooth))
    depth = ndimage.gaussian_filter(ndimage.distance_transform_edt(mask), 1.5)
    peaks = feature.peak_local_max(depth, min_distance=5, labels=measure.label(mask))
    seeds = np.zeros(image.shape, int)
    seeds[tuple(peaks.T)] = range(1, len(peaks) + 1)
    return segmentation.watershed(-depth, seeds, mask=mask)


def harmonics(mask, low=3, high=8):
    """Root mean square of harmonics low to high of the radius over the mean radius, after the
    ellipse of the same second moments was made a circle."""
    contour = max(measure.find_contours(np.pad(mask, 2).astype(float), 0.5), key=len)
    points = np.argwhere(np.pad(mask, 2))
    centre = points.mean(0)
    values, vectors = np.linalg.eigh(np.cov(points.T) + np.eye(2) / 12)
    round_ = (contour - centre) @ vectors / np.sqrt(values)
    angle = np.arctan2(round_[:, 0], round_[:, 1]) % (2 * np.pi)
    order = np.argsort(angle)
    radius = np.interp(ANGLES, angle[order], np.hypot(*round_.T)[order], period=2 * np.pi)
    waves = np.abs(np.fft.rfft(radius)) / len(ANGLES)
    return np.sqrt(2 * (waves[low:high + 1]**2).sum()) / waves[0]


def objects(image, labels, pixel_um):
    """Areas (um^2), axis ratios, solidities, harmonics, brightness and distances of a field."""
    background = np.median(image[labels == 0])
    regions = measure.regionprops(labels, image - background)
    least = np.median([r.area for r in regions]) / 5
    regions = [r for r in regions if r.area >= least]
    centres = np.array([r.centroid for r in regions])
    distance = np.sqrt(((centres[:, None] - centres[None])**2).sum(-1))
    np.fill_diagonal(distance, np.inf)
    rows = []
    for region, nearest in zip(regions, distance.min(1)):
        top, left, bottom, right = region.bbox
        if min(top, left) == 0 or bottom == image.shape[0] or right == image.shape[1]:
            continue
        rows.append((region.area * pixel_um**2, region.axis_major_length / region.axis_minor_length,
                     region.solidity, harmonics(region.image), region.intensity_mean,
                     nearest / region.equivalent_diameter_area))
    return np.array(rows), (labels > 0).mean()


def measures(image, labels, pixel_um):
    """One value for each row of the table."""
    rows, covered = objects(image, labels, pixel_um)
    area, ratio, solidity, rough, light, crowding = rows.T
    median = np.median(light)
    return {
        "nuclei away from the border": len(rows),
        "part of the field covered": covered,
        "area, um^2, median": np.median(area),
        "spread of area, standard deviation of ln": np.log(area).std(),
        "axis ratio, median": np.median(ratio),
        "axis ratio, 10 %": np.percentile(ratio, 10),
        "axis ratio, 90 %": np.percentile(ratio, 90),
        "solidity, median": np.median(solidity),
        "roughness: 3rd to 8th harmonic, median": np.median(rough),
        "brightness, 10 % over median": np.percentile(light, 10) / median,
        "brightness, 90 % over median": np.percentile(light, 90) / median,
        "brightness, largest over median": light.max() / median,
        "spread of brightness, standard deviation of ln": np.log(np.maximum(light, 1)).std(),
        "nearest neighbour over diameter, median": np.median(crowding),
        "nearest neighbour over diameter, 10 %": np.percentile(crowding, 10),
        "nearest neighbour over diameter, 90 %": np.percentile(crowding, 90),
    }


def fields(path):
    """Images and labels (or None) of a data set, one for each frame."""
    for image in sorted(path.rglob("image*.ome.tif")):
        labels = image.with_name(image.name.replace("image", "labels"))
        yield (np.squeeze(tifffile.imread(image)).astype(float),
               np.squeeze(tifffile.imread(labels)).astype(int))


def digits_of(name):
    if "away" in name:
        return 0
    if "um^2" in name:
        return 1
    return 3 if "solidity" in name or "roughness" in name else 2


def main():
    options = argparse.ArgumentParser(description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("real", type=pathlib.Path)
    options.add_argument("sets", nargs="+", type=pathlib.Path)
    options.add_argument("--masks", type=pathlib.Path)
    options.add_argument("--pixel-um", type=float, default=0.5)
    args = options.parse_args()

    image = tifffile.imread(args.real).astype(float)
    labels = tifffile.imread(args.masks).astype(int) if args.masks else segmented(image)
    real = measures(image, labels, args.pixel_um)
    twins = [measures(image, labels if args.masks else segmented(image), args.pixel_um)
             for path in args.sets for image, labels in fields(path)]
    print("| | real | synthetic | ratio |\n|---|---|---|---|")
    for name, value in real.items():
        values = [twin[name] for twin in twins]
        digits = digits_of(name)
        print(f"| {name} | {value:.{digits}f} | {np.mean(values):.{digits}f} ± "
              f"{np.std(values):.{digits}f} | {np.mean(values) / value:.2f} |")


if __name__ == "__main__":
    main()
