# SPDX-License-Identifier: MIT
"""How fast are the image kernels on the host, beside scipy.ndimage and OpenCV?

usage: kernels.py PATH_TO_KERNELS_BENCH [--rows WORD] [--rounds N] [--json FILE] [--seconds S]
                  [--write PAGE]

Ours, scipy's and OpenCV's take turns row by row, so that what else the machine does meets all.
Results are held against scipy's in double. Where `--json` holds a row of the same commit already,
it is not measured again: a run that was stopped, or that `--seconds` ended, goes on from there.
Rows during which other programs took more than a tenth of the machine are not kept, whatever came
out. Rows of bilinear_page.py are measured where `--rows` names them. `--write` makes the page, once
all others are there.
"""
import argparse
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy
from scipy import ndimage

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from kernels_rows import ROWS, cv2  # noqa: E402

THREADS = 2
DISTURBED = 0.1  # of the machine's time
PATIENCE = 0.6  # seconds: what takes longer runs once a round, else six times


def image_of(row):
    """Smooth bright shapes and noise, in the whole range of the type."""
    random = np.random.default_rng(11)
    shape = row.shape
    blobs = ndimage.gaussian_filter(random.random(shape, "f4"), 3)
    blobs = (blobs - blobs.min()) / (blobs.max() - blobs.min())
    image = 0.8 * blobs + 0.2 * random.random(shape, "f4")
    if row.type == "float32":
        return image.astype("f4")
    return (image * np.iinfo(row.type).max).astype(row.type)


def fastest(call):
    """Seconds of a call, the fastest of five behind one that warms up, unless it takes long: as
    often as kernels_bench runs ours."""
    seconds = []
    while not seconds or (len(seconds) < 6 and seconds[0] < PATIENCE):
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


class Others:
    """What other programs take of the machine from here on."""

    def __init__(self):
        self.start = self.seconds()

    @staticmethod
    def seconds():
        ticks = os.sysconf("SC_CLK_TCK")
        with open("/proc/stat", encoding="utf-8") as file:
            user, nice, system, idle, wait, *rest = map(int, file.readline().split()[1:9])
        busy = (user + nice + system + sum(rest)) / ticks
        mine = os.times()
        return (busy - (mine.user + mine.system + mine.children_user + mine.children_system),
                busy + (idle + wait) / ticks)

    def share(self):
        others, both = (now - then for now, then in zip(self.seconds(), self.start))
        return others / both


class Ours:
    def __init__(self, bench, row, image, folder):
        self.bench, self.folder = bench, pathlib.Path(folder)
        self.shape = row.out_shape or row.shape
        image.tofile(self.folder / "image.raw")
        extent = list(image.shape) if image.ndim == 3 else [1, *image.shape]
        job = {"threads": THREADS, "patience": PATIENCE, "type": row.type, "extent": extent,
               "operation": row.operation, **row.job}
        (self.folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
        self.level = None

    def seconds(self):
        found = json.loads(subprocess.run([str(self.bench), str(self.folder)], check=True,
                                          capture_output=True, text=True).stdout)
        self.level = found["vector_level"]
        return min(found["seconds"])

    def result(self, row):
        return np.fromfile(self.folder / "result.raw", row.result_type).reshape(self.shape)


def largest_error(found, exact, scale):
    return float(np.abs(found.astype("f8") - exact).max() / scale)


def measure(bench, row, rounds):
    image = image_of(row)
    exact = row.scipy(image.astype("f8"), "f8")
    if row.result_type != "float32":  # splines reach beyond what integers hold
        exact = exact.clip(0, np.iinfo(row.result_type).max)
    # Of integers, errors count in steps; half a step is rounding
    scale = 1.0 if row.result_type != "float32" else float(np.abs(exact).max())
    with tempfile.TemporaryDirectory() as folder:
        ours = Ours(bench, row, image, folder)
        times = {"ours": [], "scipy": [], "opencv": []}
        peers = {"scipy": lambda: row.scipy(image, row.result_type)}
        if row.opencv:
            peers["opencv"] = lambda: row.opencv(image)
        for _ in range(rounds):
            times["ours"].append(ours.seconds())
            for name, call in peers.items():
                times[name].append(fastest(call))
        found = {"name": row.name, "shape": list(row.shape), "type": row.type,
                 "level": ours.level, "ours_error": largest_error(ours.result(row), exact, scale)}
        for name, call in peers.items():
            found[f"{name}_error"] = largest_error(call(), exact, scale)
    for name, seconds in times.items():
        found[name] = min(seconds) if seconds else None
    return found


def machine():
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8")
                  if line.startswith("model name")), platform.processor())
    return {"model": model, "cores": os.cpu_count(), "scipy": scipy.__version__,
            "opencv": cv2.__version__ if cv2 else "absent",
            "commit": os.environ.get("SYNTHOSCOPE_COMMIT", "unknown")}


def shown(row):
    def ratio(name):
        return f"{row[name] / row['ours']:.1f}" if row.get(name) else ""

    def error(name):
        return f"{row[f'{name}_error']:.1e}" if f"{name}_error" in row else ""
    pixels = np.prod([float(n) for n in row["shape"]])
    return (f"| {row['name']} | {'x'.join(str(n) for n in row['shape'])} | {row['type']} | "
            f"{1e3 * row['ours']:.2f} | {pixels / row['ours'] * 1e-6:.0f} | {ratio('scipy')} | "
            f"{ratio('opencv')} | {error('ours')} | {error('scipy')} | {error('opencv')} | "
            f"{row['commit']} |")


def is_bilinear(name):
    return name.startswith("bilinear")


def page(found):
    at = found["machine"]
    levels = sorted({row["level"] for row in found["rows"]})
    return "\n".join([
        "# Image kernels on the host: ours, scipy.ndimage, OpenCV", "",
        f"Machine: {at['model']}, {at['cores']} cores; inner loops {', '.join(levels)}; "
        f"scipy {at['scipy']}, OpenCV {at['opencv']}. Ours and OpenCV with {THREADS} "
        "threads, scipy with its one. Ours, scipy and OpenCV take turns row by row in "
        "rounds; the fastest run of each counts. Times are of this machine on that "
        "day: the ratios are the result.", "",
        "Made by `./dev bench kernels --write docs/benchmarks/kernels-host.md`.", "",
        "| operation | image | type | ours, ms | Mvoxel/s | scipy / ours | OpenCV / ours | our "
        "error | scipy's | OpenCV's | commit |", "|---" * 11 + "|",
        *(shown(row) for row in found["rows"] if not is_bilinear(row["name"])), "",
        "Errors: the largest difference from scipy in double precision, of float32 over the "
        "largest magnitude of the result, of integers in steps, where 0.5 is rounding; scipy cuts "
        "off what we round. OpenCV takes coordinates to the nearest 1/32 of a voxel, and so other "
        "voxels and weights, and its Gaussian of 8-bit images fixed-point weights; it has no "
        "B-splines and no volumes, and variance with it is the mean of squares less the square of "
        "the mean.", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", type=pathlib.Path)
    parser.add_argument("--rows", default="", help="only rows whose name holds this word")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=1e9,
                        help="begin no row after that time")
    parser.add_argument("--write", type=pathlib.Path)
    options = parser.parse_args()
    if cv2:
        cv2.setNumThreads(THREADS)
    found = {"machine": machine(), "rows": []}
    if options.json and options.json.exists():
        found["rows"] = json.loads(options.json.read_text(encoding="utf-8"))["rows"]
    order = {(row.name, row.shape, row.type): number for number, row in enumerate(ROWS)}

    def key(one):
        return one["name"], tuple(one["shape"]), one["type"]
    commit, start = found["machine"]["commit"], time.perf_counter()
    there = {key(one) for one in found["rows"] if one["commit"] == commit != "unknown"}
    left = 0
    for row in ROWS:
        if options.rows not in row.name or (row.name, tuple(row.shape), row.type) in there:
            continue
        if not options.rows and is_bilinear(row.name):
            continue
        if time.perf_counter() - start > options.seconds:
            left += 1
            continue
        others = Others()
        one = {**measure(options.bench, row, options.rounds), "commit": commit}
        if others.share() > DISTURBED:
            left += 1
            continue
        print(shown(one), flush=True)
        found["rows"] = sorted([other for other in found["rows"] if key(other) != key(one)] + [one],
                               key=lambda other: order.get(key(other), -1))
        if options.json:
            options.json.write_text(json.dumps(found, indent=1), encoding="utf-8")
    if left > 0:
        sys.exit(f"kernels.py: {left} rows are left; run it again with the same --json")
    if options.write:
        options.write.write_text(page(found), encoding="utf-8")


if __name__ == "__main__":
    main()
