# SPDX-License-Identifier: MIT
"""Do the scores of segmentations equal those of stardist, scikit-image and panoptica? And what do
they cost?

usage: score.py PROGRAM

Makes faulty segmentations of simulated nuclei in a plane and in a stack, scores each in both
directions, and prints the largest difference for each number. Then it times PROGRAM on labels in
/dev/shm beside the peers. Needs stardist, scikit-image, panoptica, scipy and tifffile.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
import tifffile
from panoptica import InputType, Metric, NaiveThresholdMatching, Panoptica_Evaluator
from scipy import ndimage
from skimage.measure import label
from skimage.metrics import adapted_rand_error, variation_of_information
from stardist.matching import matching

THREADS, MEMORY = 2, "300M"
THRESHOLDS = [percent / 100 for percent in range(10, 100, 5)]
SCENES = {"monolayer": ("frames=1", "grid.size=[1,400,400]"),
          "first": ("grid.size=[48,160,160]", "nuclei.count=5", "optics.size=[9,21,21]")}
JUST_ABOVE_HALF = 0.5 + 1e-12  # panoptica matches at a threshold, PQ above it
METRICS = [Metric.DSC, Metric.IOU, Metric.ASSD, Metric.HD, Metric.HD95]


def each_object(labels, change):
    out = np.zeros_like(labels)
    for number in np.unique(labels)[1:]:
        out[change(labels == number)] = number
    return out


def divided(labels, ids, share):
    """Objects cut in two where this share of their voxels lies on the left."""
    out, x = labels.copy(), np.broadcast_to(np.arange(labels.shape[-1]), labels.shape)
    for number in ids:
        inside = labels == number
        out[inside & (x > np.quantile(x[inside], share))] += labels.max()
    return out


def merged(labels, ids):
    out = labels.copy()
    for one, other in zip(ids[::2], ids[1::2]):
        out[out == other] = one
    return out


def noisy(labels, share, seed):
    random = np.random.default_rng(seed)
    other = random.integers(0, labels.max() + 1, labels.shape)
    return np.where(random.random(labels.shape) < share, other, labels)


def faulty(labels):
    """Results with every kind of fault, and of every type: 30 of them."""
    labels = labels.astype(np.int64)
    ids = np.unique(labels)[1:]
    far = np.where(labels > 0, labels + 70000, 0)
    yield "same", labels.astype("u2")
    for times in (1, 2, 3):
        yield f"eroded {times}", each_object(
            labels, lambda m: ndimage.binary_erosion(m, iterations=times)).astype("u2")
        yield f"dilated {times}", each_object(
            labels, lambda m: ndimage.binary_dilation(m, iterations=times)).astype("u2")
    for voxels in (1, 3, 6, 12):
        yield f"shifted {voxels}", np.roll(labels, voxels, -1).astype("u2")
    yield "shifted along two axes", np.roll(labels, (2, 2), (0, -2)).astype("u2")
    yield "opened", each_object(
        labels, lambda m: ndimage.binary_opening(m, iterations=2)).astype("u2")
    yield "split", divided(labels, ids, 0.5).astype("u2")
    yield "some split", divided(labels, ids[::2], 0.4).astype("u2")
    yield "merged", merged(labels, ids).astype("u2")
    yield "all one", (labels > 0).astype("u1")
    yield "missing", np.where(np.isin(labels, ids[::3]), 0, labels).astype("u2")
    yield "empty", np.zeros(labels.shape, "u2")
    yield "one object", np.where(labels == ids[0], 7, 0).astype("u2")
    yield "noise 20 %", noisy(labels, 0.2, 1).astype("u2")
    yield "noise 60 %", noisy(labels, 0.6, 2).astype("u2")
    yield "components", label(labels > 0).astype("i4")
    yield "components, int64", label(labels > 0).astype("i8")
    yield "ids beyond 65535", far.astype("u4")
    yield "ids beyond 65535, int64", far.astype("i8")
    yield "float32", labels.astype("f4")
    yield "float64", far.astype("f8")
    yield "int16", labels.astype("i2")
    yield "other order", np.where(labels > 0, labels.max() + 1 - labels, 0).astype("u2")


def in_sequence(labels):
    """Ids from 1 on without gaps, as the peers want them."""
    values = np.unique(labels)
    values = values[values != 0]
    return np.where(labels == 0, 0, np.searchsorted(values, labels) + 1).astype(np.int64)


def overlaps_of(truth, found, pairs):
    return [((truth == a) & (found == b)).sum() / ((truth == a) | (found == b)).sum()
            for a, b in pairs]


def seg(truth, found):
    """SEG by its definition."""
    scores = []
    for number in range(1, truth.max() + 1):
        counts = np.bincount(found[truth == number], minlength=1)
        counts[0] = 0
        best = counts.argmax()
        holds = 2 * counts[best] > (truth == number).sum()
        scores.append(overlaps_of(truth, found, [(number, best)])[0] if holds else 0)
    return np.mean(scores)


class Comparison:
    def __init__(self, program):
        self.program, self.worst, self.cases = program, {}, 0
        self.panoptica = Panoptica_Evaluator(
            expected_input=InputType.UNMATCHED_INSTANCE, instance_metrics=METRICS,
            instance_matcher=NaiveThresholdMatching(matching_threshold=JUST_ABOVE_HALF),
            global_metrics=[])

    def add(self, name, ours, theirs):
        self.worst[name] = max(self.worst.get(name, 0), abs(ours - float(theirs)))

    def run(self, folder, truth, found):
        names = [folder / "truth.tif", folder / "found.tif"]
        for name, labels in zip(names, (truth, found)):
            tifffile.imwrite(name, labels, photometric="minisblack")
        ours = json.loads(subprocess.run(
            [self.program, "score", *names, "--json", "--surfaces", "--kind", "labels"],
            check=True, stdout=subprocess.PIPE).stdout)
        self.cases += 1
        truth, found = in_sequence(truth), in_sequence(found)
        if truth.max() or found.max():
            self.with_stardist(ours["labels"], truth, found)
        self.with_scikit_image(ours["labels"], truth, found)
        if truth.max() and found.max():
            self.with_panoptica(ours, truth, found)

    def with_stardist(self, ours, truth, found):
        for i, threshold in enumerate(THRESHOLDS):
            theirs = matching(truth, found, thresh=threshold, report_matches=True)
            for mine, other in (("tp", "tp"), ("fp", "fp"), ("fn", "fn"), ("f1", "f1"),
                                ("precision", "precision"), ("recall", "recall"),
                                ("ap", "accuracy")):
                self.add(f"{mine}, stardist", ours[mine][i], getattr(theirs, other))
            if threshold == 0.5 and theirs.tp:  # stardist adds up in float32
                pairs = [pair for pair, score in zip(theirs.matched_pairs, theirs.matched_scores)
                         if score >= threshold]
                self.add("mean IoU, of stardist's pairs", ours["mean_iou"],
                         np.mean(overlaps_of(truth, found, pairs)))
        if truth.max():
            self.add("SEG, its definition", ours["seg"], seg(truth, found))

    def with_scikit_image(self, ours, truth, found):
        split, merge = variation_of_information(truth, found)
        self.add("VI, scikit-image", ours["vi_split"], split)
        self.add("VI, scikit-image", ours["vi_merge"], merge)
        self.add("Rand error, scikit-image", ours["adapted_rand_error_all"],
                 adapted_rand_error(truth, found, ignore_labels=())[0])
        if truth.max():
            split, merge = variation_of_information(truth, found, ignore_labels=[0])
            self.add("VI, scikit-image", ours["vi_split_foreground"], split)
            self.add("VI, scikit-image", ours["vi_merge_foreground"], merge)
            self.add("Rand error, scikit-image", ours["adapted_rand_error"],
                     adapted_rand_error(truth, found)[0])

    def with_panoptica(self, ours, truth, found):
        if not ours["labels"]["tp"][8]:  # panoptica fails without a pair
            return
        theirs = self.panoptica.evaluate(found.astype("u4"), truth.astype("u4"),
                                         verbose=False)["ungrouped"]
        for name in ("pq", "sq", "rq"):
            if theirs.tp:
                self.add(f"{name.upper()}, panoptica", ours["labels"][name],
                         getattr(theirs, name))
        if theirs.tp == ours["surfaces"]["pairs"]:
            for mine, other in (("mean_distance", "sq_assd"), ("hausdorff", "sq_hd"),
                                ("hausdorff_95", "sq_hd95")):
                self.add("distances of surfaces, panoptica", ours["surfaces"][mine],
                         getattr(theirs, other))


def simulated(program, folder, name, keys):
    subprocess.run([program, "init", name, "-o", folder], check=True, capture_output=True)
    settings = [word for key in keys for word in ("--set", key)]
    subprocess.run([program, "simulate", folder / f"{name}.toml", "-o", folder / name, *settings],
                   check=True, capture_output=True)
    return tifffile.imread(folder / name / "labels.ome.tif")


def fastest(work, runs=3):
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def balls(extent, pitch):
    """One ball in each cube of `pitch` voxels."""
    z, y, x = np.ogrid[:extent[0], :extent[1], :extent[2]]
    numbers = (z // pitch * 1000 + y // pitch) * 1000 + x // pitch + 1
    away = sum((axis % pitch - pitch / 2) ** 2 for axis in (z, y, x))
    dense = np.where(away < (0.48 * pitch) ** 2, numbers, 0)
    return in_sequence(dense).astype("u2")


def print_times(program):
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        folder = pathlib.Path(folder)
        for extent in ((128, 1024, 2048), (64, 512, 512)):
            truth = balls(extent, 40)
            found = np.roll(truth, 3, -1)
            for name, labels in (("truth", truth), ("found", found)):
                tifffile.imwrite(folder / f"{name}.tif", labels, photometric="minisblack")
            size = 2 * truth.nbytes / 1e9
            command = [program, "score", folder / "truth.tif", folder / "found.tif", "--json",
                       "--kind", "labels", "--threads", str(THREADS), "--memory", MEMORY]

            def run(*options):
                subprocess.run([*command, *options], check=True, capture_output=True)

            bare, surfaces = fastest(run), fastest(lambda: run("--surfaces"), 1)
            print(f"| {'x'.join(map(str, extent))}, {truth.max()} objects | ours | {bare:.2f} s | "
                  f"{size / bare:.2f} GB/s; with surfaces {surfaces:.2f} s |")
        truth, found = truth.astype(np.int64), found.astype(np.int64)
        for name, work in (
                ("stardist, 18 thresholds", lambda: matching(truth, found, thresh=THRESHOLDS)),
                ("scikit-image, VI", lambda: variation_of_information(truth, found)),
                ("scikit-image, Rand error", lambda: adapted_rand_error(truth, found))):
            print(f"| the same | {name} | {fastest(work, 2):.2f} s | |")


def main():
    os.environ.setdefault("PANOPTICA_CITATION_REMINDER", "false")
    program = os.path.abspath(sys.argv[1])
    comparison = Comparison(program)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, keys in SCENES.items():
            truth = simulated(program, folder, name, keys)
            for _, found in faulty(truth):
                comparison.run(folder, truth, found)
                comparison.run(folder, found, truth)
    print(f"{comparison.cases} comparisons\n\n| number | largest difference |\n| --- | --: |")
    for name, difference in sorted(comparison.worst.items()):
        print(f"| {name} | {difference:.1g} |")
    print("\n| labels | program | time | |\n| --- | --- | --: | --- |")
    print_times(program)


main()
