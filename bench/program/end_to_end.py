# SPDX-License-Identifier: MIT
"""How long does a user wait for a whole command, and where does the time go?

usage: end_to_end.py PATH_TO_SYNTHOSCOPE [--edge N] [--rounds N] [--quick] [--folder DIR]
                     [--out FILE.json] [--beside FILE.json ...]
                     [--write docs/benchmarks/end-to-end.md]

A uint16 image of N^3 voxels (1024, which are 2 GiB) is convolved with kernels of three sizes,
filtered and resampled, from a file to a new file and over an older result, on the host, on one GPU
and on two; `cp` of the same file and, with a GPU, the same work in cupy are timed in the same
rounds, and without one in scipy, if it is installed. Times are those of whole processes. Files lie
in DIR, by default in memory (/dev/shm). The data sets of examples/ are simulated, too. Needs numpy
alone. Once for each place, voxels of the convolution with the largest kernel are recomputed by
direct sums (--certify). The page also shows the ratios of runs on other machines, whose reports
--beside names.
"""
import argparse
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from end_to_end_page import page, table  # noqa: E402
from made_volumes import grainy_ball, texture  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
KERNELS = ((15, 15, 15), (15, 31, 31), (61, 127, 127))


def write_tiff(path, planes, extent, kind):
    """An uncompressed TIFF (below 4 GiB) or BigTIFF of one stack, without a library."""
    depth, height, width = extent
    letter, size = {"uint16": (1, 2), "float32": (3, 4)}[kind]
    plane = height * width * size
    big = depth * plane >= 1 << 32
    entry = "<HHQQ" if big else "<HHII"
    head = (struct.pack("<2sHHHQ", b"II", 43, 8, 0, 16) if big else
            struct.pack("<2sHI", b"II", 42, 8))
    count, pointer = ("<Q", "<Q") if big else ("<H", "<I")
    directory = struct.calcsize(count) + 10 * struct.calcsize(entry) + struct.calcsize(pointer)
    begin = len(head) + depth * directory
    begin += -begin % 4096
    with open(path, "wb") as file:
        file.write(head)
        for z in range(depth):
            place = begin + z * plane
            tags = ((256, width), (257, height), (258, 8 * size), (259, 1), (262, 1), (273, place),
                    (277, 1), (278, height), (279, plane), (339, letter))
            file.write(struct.pack(count, len(tags)))
            for tag, value in tags:
                file.write(struct.pack(entry, tag, 16 if big else 4, 1, value))
            last = z + 1 == depth
            file.write(struct.pack(pointer, 0 if last else len(head) + (z + 1) * directory))
        file.seek(begin)
        for one in planes:
            file.write(one.tobytes())


CUPY = """
import json, sys, numpy, cupy, cupyx.scipy.signal as s
def read(name, kind, extent, skip):
    return cupy.asarray(numpy.fromfile(name, kind, offset=skip).reshape(extent))
a, k, o = sys.argv[1:4]
e, ke = json.loads(sys.argv[4]), json.loads(sys.argv[5])
image = read(a, 'u2', e, int(sys.argv[6])).astype('f4')
kernel = read(k, 'f4', ke, int(sys.argv[7]))
result = s.fftconvolve(image, kernel / kernel.sum(), 'same')
cupy.asnumpy(cupy.clip(cupy.rint(result), 0, 65535).astype('u2')).tofile(o)
"""

SCIPY = """
import json, os, sys, numpy, scipy.fft, scipy.signal as s
a, k, o = sys.argv[1:4]
e, ke = json.loads(sys.argv[4]), json.loads(sys.argv[5])
image = numpy.fromfile(a, 'u2', offset=int(sys.argv[6])).reshape(e).astype('f4')
kernel = numpy.fromfile(k, 'f4', offset=int(sys.argv[7])).reshape(ke)
with scipy.fft.set_workers(os.cpu_count()):
    result = s.fftconvolve(image, kernel / kernel.sum(), 'same')
numpy.clip(numpy.rint(result), 0, 65535).astype('u2').tofile(o)
"""


def can_use_scipy(extent):
    """Whether it is installed, and there is memory for spectra of a volume in single precision."""
    bytes_of_voxel = 32
    free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    if int(np.prod(extent)) * bytes_of_voxel > free:
        return False
    return subprocess.run([sys.executable, "-c", "import scipy.signal"], capture_output=True,
                          check=False).returncode == 0


class Bench:
    """Runs commands in one folder, and keeps the seconds of each by its name and place."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.rows = {}  # (work, place): {"seconds": [...], "stages": [...], "refused": None}
        self.errors = {}  # by place

    def timed(self, work, place, command, fresh=(), show=True):
        """Removes the files `fresh`, runs the command and keeps its times."""
        for name in fresh:
            path = os.path.join(self.folder, name)
            if os.path.isdir(path):
                shutil.rmtree(path)
            elif os.path.exists(path):
                os.remove(path)
                if os.path.exists(path + ".json"):
                    os.remove(path + ".json")
        begin = time.monotonic()
        ran = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False)
        seconds = time.monotonic() - begin
        row = self.rows.setdefault((work, place), {"seconds": [], "stages": [], "refused": None})
        if ran.returncode != 0:
            row["refused"] = ran.stderr.strip().splitlines()[-1:] or ["it said nothing"]
            return
        row["seconds"].append(seconds)
        if show:
            row["stages"].append(json.loads(ran.stdout)["run"])

    def ours(self, work, place, words, fresh=()):
        self.timed(work, place, [self.program, *words, "--json", "--quiet"], fresh)

    def certify(self, place, words):
        """Keeps the largest error of voxels that are recomputed, as a share of the peak."""
        ran = subprocess.run([self.program, *words, "--json", "--quiet", "--certify", "1000"],
                             cwd=self.folder, capture_output=True, text=True, check=True)
        certificate = json.loads(ran.stdout)["certificate"]
        self.errors[place] = certificate["largest_error"] / certificate["peak"]

    def results(self):
        """The middle run of each row, the faster one of two, with its stages."""
        found = []
        for (work, place), row in self.rows.items():
            one = {"work": work, "place": place, "refused": row["refused"]}
            if row["seconds"]:
                order = sorted(range(len(row["seconds"])), key=row["seconds"].__getitem__)
                middle = order[(len(order) - 1) // 2]
                one.update(seconds=row["seconds"][middle], fastest=min(row["seconds"]),
                           rounds=len(row["seconds"]))
                if row["stages"]:
                    one["run"] = {key: row["stages"][middle][key]
                                  for key in ("wall_seconds", "stages")}
            found.append(one)
        return found


def gpus():
    try:
        listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return []
    return [line for line in listed.stdout.splitlines() if line.startswith("GPU")]


def places_for(count):
    places = {"host": ("--gpus", "none")}
    if count > 0:
        places["1 GPU"] = ("--gpus", "0")
    if count > 1:
        places["2 GPUs"] = ("--gpus", "0,1")
    return places


def measure(bench, places, extent, rounds, quick):
    def out(name, where):
        return ("-o", name, *where, "--overwrite", "--tiff-flavor", "plain")

    sum_to_one = ("--normalize-kernel", "sum", "--output-type", "uint16")
    kernels = KERNELS[1:2] if quick else KERNELS
    for _ in range(rounds):
        bench.timed("cp to a new name", "-", ["cp", "image.tif", "copy.tif"], ["copy.tif"], False)
        bench.timed("cp over an older file", "-", ["cp", "image.tif", "copy.tif"], (), False)
        for place, where in places.items():
            for size in kernels:
                name = "x".join(map(str, size))
                words = ("convolve", "image.tif", f"k{name}.tif", *sum_to_one, *out("o.tif", where))
                bench.ours(f"convolve with {name}, new name", place, words, ["o.tif"])
                if size == kernels[-1]:
                    bench.ours(f"convolve with {name}, over an older result", place, words)
            if place == "2 GPUs":
                continue
            bench.ours("filter --gaussian 2", place,
                       ("filter", "image.tif", "--gaussian", "2", *out("f.tif", where)), ["f.tif"])
            bench.ours("resample --rotate 10", place,
                       ("resample", "image.tif", "--rotate", "10", *out("r.tif", where)),
                       ["r.tif"])
        peer = ("cupy", "1 GPU", CUPY) if len(places) > 1 else ("scipy", "host", SCIPY)
        if not quick and (peer[0] == "cupy" or can_use_scipy(extent)):
            skips = [os.path.getsize(os.path.join(bench.folder, name)) - size * int(np.prod(shape))
                     for name, size, shape in (("image.tif", 2, extent),
                                               ("k61x127x127.tif", 4, KERNELS[-1]))]
            bench.timed(f"{peer[0]}, fftconvolve with 61x127x127", peer[1],
                        [sys.executable, "-c", peer[2], "image.tif", "k61x127x127.tif", "o.raw",
                         json.dumps(extent), json.dumps(KERNELS[-1]), *map(str, skips)],
                        ["o.raw"], False)
    name = "x".join(map(str, kernels[-1]))
    for place, where in places.items():
        bench.certify(place, ("convolve", "image.tif", f"k{name}.tif", "--normalize-kernel", "sum",
                              "--output-type", "float32", *out("o.tif", where)))
    for scene in ("first", "hl60_bbbc024"):
        path = ROOT / "examples" / f"{scene}.toml"
        for _ in range(rounds):
            for place, where in list(places.items())[:2]:
                bench.ours(f"simulate {scene}.toml", place,
                           ("simulate", str(path), "-o", "set", *where, "--overwrite"), ["set"])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--edge", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="one kernel, no cupy")
    parser.add_argument("--folder", default="/dev/shm" if os.path.isdir("/dev/shm") else None)
    parser.add_argument("--out")
    parser.add_argument("--beside", nargs="*", default=[])
    parser.add_argument("--write")
    options = parser.parse_args()
    extent = (options.edge,) * 3
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        write_tiff(os.path.join(folder, "image.tif"), texture(extent, 1), extent, "uint16")
        for size in KERNELS:
            name = "k" + "x".join(map(str, size)) + ".tif"
            write_tiff(os.path.join(folder, name), grainy_ball(size), size, "float32")
        bench = Bench(os.path.abspath(options.program), folder)
        found = gpus()
        measure(bench, places_for(len(found)), extent, options.rounds, options.quick)
        report = {"extent": extent, "cores": os.cpu_count(), "gpus": found,
                  "commit": os.environ.get("SYNTHOSCOPE_COMMIT", "unknown"),
                  "rows": bench.results(), "errors": bench.errors}
    if options.out:
        pathlib.Path(options.out).write_text(json.dumps(report, indent=1), encoding="utf-8")
    print(table(report))
    if options.write:
        others = [json.loads(pathlib.Path(name).read_text(encoding="utf-8"))
                  for name in options.beside]
        page(report, others, pathlib.Path(options.write))


if __name__ == "__main__":
    main()
