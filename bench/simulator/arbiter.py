# SPDX-License-Identifier: MIT
# bench/simulator/arbiter.py — is a twin good enough to train on? A segmentation judges.
"""Trains a pixel classifier (random forest on fixed features) on simulated images and tests it on
quadrants of a real image, beside the same trained on the other three quadrants:

    python3 arbiter.py REAL.tif MASKS.tif --twin SET [SET ...] --preset SET [SET ...]

SET is a data set of `simulate`. Prints F1 and mean IoU of objects at IoU 0.5 for each quadrant.
Needs scikit-image and scikit-learn.
"""
import argparse
import os

import numpy
import tifffile
from scipy import ndimage
from skimage.feature import multiscale_basic_features
from skimage.measure import label as components
from skimage.segmentation import find_boundaries, watershed
from sklearn.ensemble import RandomForestClassifier

PIXELS = 4000  # of each class of an image that the forest learns from
SMALLEST = 20  # pixels of the inside of an object
BACKGROUND, INSIDE, BORDER = 0, 1, 2


def normalised(image):
    """Levels that do not depend on the exposure: median 0, and its range to the 99 % quantile 1."""
    image = image.astype(float)
    middle, high = numpy.median(image), numpy.quantile(image, 0.99)
    return (image - middle) / (high - middle)


def features_of(image):
    return multiscale_basic_features(normalised(image), sigma_min=1, sigma_max=8)


def classes_of(masks):
    classes = numpy.where(masks > 0, INSIDE, BACKGROUND)
    classes[find_boundaries(masks, mode="thick")] = BORDER
    return classes


def forest_of(images, seed=0):
    """A forest that has learned from pairs of image and masks."""
    draw = numpy.random.default_rng(seed)
    rows, answers = [], []
    for image, masks in images:
        features, classes = features_of(image), classes_of(masks)
        for one in (BACKGROUND, INSIDE, BORDER):
            places = numpy.argwhere(classes == one)
            chosen = places[draw.permutation(len(places))[:PIXELS]]
            rows.append(features[tuple(chosen.T)])
            answers.append(numpy.full(len(chosen), one))
    forest = RandomForestClassifier(100, min_samples_leaf=5, random_state=seed, n_jobs=2)
    return forest.fit(numpy.concatenate(rows), numpy.concatenate(answers))


def segmented(forest, image):
    """Labels: insides grow over the borders around them."""
    features = features_of(image)
    shares = forest.predict_proba(features.reshape(-1, features.shape[-1]))
    shares = shares.reshape(*image.shape, -1)
    foreground = shares[..., BACKGROUND] < 0.5
    inside = ndimage.gaussian_filter(shares[..., INSIDE], 1) > 0.5
    seeds = components(inside)
    seeds[numpy.bincount(seeds.ravel())[seeds] < SMALLEST] = 0
    return watershed(-shares[..., INSIDE], seeds, mask=foreground | (seeds > 0))


def f1_and_iou(masks, found):
    """F1 at an IoU of 0.5, and the mean IoU of the pairs."""
    pairs = []
    for one in numpy.unique(masks)[1:]:
        body = masks == one
        candidates, overlaps = numpy.unique(found[body], return_counts=True)
        for other, overlap in zip(candidates, overlaps):
            if other:
                iou = overlap / (body.sum() + (found == other).sum() - overlap)
                if iou > 0.5:
                    pairs.append(iou)
    truths, results = len(numpy.unique(masks)) - 1, len(numpy.unique(found)) - 1
    return 2 * len(pairs) / max(truths + results, 1), numpy.mean(pairs) if pairs else 0


def plane_of(path):
    volume = tifffile.imread(path)
    return volume if volume.ndim == 2 else volume[len(volume) // 2]


def sets_in(folders):
    return [(plane_of(os.path.join(folder, "image.ome.tif")),
             plane_of(os.path.join(folder, "labels.ome.tif"))) for folder in folders]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("real")
    parser.add_argument("masks")
    parser.add_argument("--twin", nargs="+", required=True)
    parser.add_argument("--preset", nargs="+", required=True)
    asked = parser.parse_args()
    real, masks = plane_of(asked.real), plane_of(asked.masks)
    rows, columns = (size // 2 for size in real.shape)
    quadrants = [(slice(y, y + rows), slice(x, x + columns))
                 for y in (0, rows) for x in (0, columns)]
    forests = {"twin": forest_of(sets_in(asked.twin)),
               "preset": forest_of(sets_in(asked.preset))}
    print("| tested on | trained on | F1 | mean IoU |\n|---|---|---|---|")
    for number, quadrant in enumerate(quadrants, 1):
        others = [(real[other], masks[other]) for other in quadrants if other != quadrant]
        for name, forest in {"three real quadrants": forest_of(others), **forests}.items():
            f1, iou = f1_and_iou(masks[quadrant], segmented(forest, real[quadrant]))
            print(f"| quadrant {number} | {name} | {f1:.3f} | {iou:.3f} |", flush=True)


if __name__ == "__main__":
    main()
