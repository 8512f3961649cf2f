# SPDX-License-Identifier: MIT
"""The same convolutions by each library of transforms: does the planner choose the fastest?

usage: transform_libraries.py PROGRAM [--gpu] [--rounds N] [--out FILE.json]

Each request is run from file to file by every library of the program, and by scipy and ducc in
memory, all in turns; the fastest round counts. Seconds are those of the convolution (`run.seconds`)
and of the call of the peer; memory is what the program counts, and what the peer adds to the
process; errors are the largest difference from scipy's result in double precision, relative to its
peak. Planning is what the first run with a library takes longer to prepare than the next one. The
planner's choice is the library and strategy of a run without --fft; it is right if no library that
was measured takes less than 1/1.05 of its seconds. Prints a table of Markdown.
"""
import argparse
import json
import math
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy.fft
import tifffile

IMAGES = [(1, 512, 512), (1, 2048, 2048), (16, 256, 256), (30, 512, 512), (64, 64, 64),
          (64, 250, 250), (100, 100, 100), (128, 256, 256), (210, 210, 210), (400, 64, 64)]
SIDES = (5, 15, 41)
PEERS = ("scipy", "ducc")


def joined(shape):
    return "x".join(str(n) for n in shape)


def cases(gpu):
    for image in IMAGES:
        for side in SIDES:
            kernel = tuple(min(side, 2 * n - 1) for n in image)
            for precision in ("single",) if gpu else ("single", "double"):
                yield image, kernel, precision


def transform_of(image, kernel):
    return [scipy.fft.next_fast_len(i + k - 1, True) for i, k in zip(image, kernel)]


def convolved(image, kernel, forward, inverse):
    """Shape `same`, by a library's transforms of real volumes."""
    size = transform_of(image.shape, kernel.shape)
    padded = [np.zeros(size, image.dtype) for _ in range(2)]
    for to, voxels in zip(padded, (image, kernel)):
        to[tuple(slice(n) for n in voxels.shape)] = voxels
    spectrum = forward(padded[0])
    spectrum *= forward(padded[1])
    result = inverse(spectrum, size)
    begin = [(k - 1) // 2 for k in kernel.shape]
    return result[tuple(slice(b, b + n) for b, n in zip(begin, image.shape))]


def library(name):
    workers = os.cpu_count()
    if name == "scipy":
        return (lambda v: scipy.fft.rfftn(v, workers=workers),
                lambda v, size: scipy.fft.irfftn(v, size, workers=workers))
    import ducc0
    axes = (0, 1, 2)
    return (lambda v: ducc0.fft.r2c(v, axes=axes, nthreads=workers),
            lambda v, size: ducc0.fft.c2r(v, axes=axes, lastsize=size[-1], nthreads=workers,
                                          forward=False, inorm=2))


def resident(key):
    """Bytes of the process, now or at most."""
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(1024 * int(line.split()[1]) for line in lines if line.startswith(key))


def peer(name, folder, image, kernel, precision, rounds):
    """In a process of its own: prints seconds and the memory that is added."""
    dtype = np.float32 if precision == "single" else np.float64
    f = tifffile.imread(f"{folder}/{image}.tif").reshape([int(n) for n in image.split("x")])
    g = tifffile.imread(f"{folder}/{kernel}.tif").reshape([int(n) for n in kernel.split("x")])
    f, g = f.astype(dtype), g.astype(dtype)
    forward, inverse = library(name)
    convolved(f[:2, :8, :8], g[:1, :2, :2], forward, inverse)
    pathlib.Path("/proc/self/clear_refs").write_text("5")  # begins the peak anew
    before = resident("VmRSS")
    seconds = []
    for _ in range(rounds):
        begin = time.perf_counter()
        result = convolved(f, g, forward, inverse)
        seconds.append(time.perf_counter() - begin)
    added = resident("VmHWM") - before
    np.save(f"{folder}/{name}.npy", result)
    print(json.dumps({"seconds": min(seconds), "bytes": max(added, 1)}))


def peer_of(name, folder, case, rounds):
    image, kernel, precision = case
    done = subprocess.run([sys.executable, __file__, "--peer", name, folder, joined(image),
                           joined(kernel), precision, str(rounds)], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else None


class Program:
    def __init__(self, path, folder, gpu):
        self.path, self.folder, self.gpu = path, folder, gpu
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")

    def run(self, case, *words):
        image, kernel, precision = case
        command = [self.path, "convolve", self.folder / f"{joined(image)}.tif",
                   self.folder / f"{joined(kernel)}.tif", "-o", self.folder / "out.tif",
                   "--overwrite", "--quiet", "--json", "--precision", precision, "--gpus",
                   "0" if self.gpu else "none", *words]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
        result = json.loads(done.stdout)["run"]
        plan = json.loads((self.folder / "out.tif.json").read_text())["plan"]
        return {"seconds": result["seconds"], "prepare": result["stages"]["prepare"],
                "bytes": result["peak_device_bytes" if self.gpu else "peak_memory_bytes"],
                "strategy": plan["strategy"], "fft": plan["cut"]["fft"]}

    def libraries(self):
        if self.gpu:
            return ["own", "cufft"]
        version = subprocess.run([self.path, "--version"], capture_output=True, text=True).stdout
        return ["own", "fftw", "fftw-measured"] if "fftw-3" in version else ["own"]

    def error(self, exact):
        out = tifffile.imread(self.folder / "out.tif").reshape(exact.shape)
        return float(np.abs(out - exact).max() / np.abs(exact).max())


def exact_result(folder, case):
    image, kernel, _ = case
    f, g = (tifffile.imread(folder / f"{joined(shape)}.tif").reshape(shape).astype(float)
            for shape in (image, kernel))
    return convolved(f, g, *library("scipy"))


def measure(program, case, rounds):
    exact = exact_result(program.folder, case)
    row = {"image": joined(case[0]), "kernel": joined(case[1]), "precision": case[2], "runs": {}}
    for name in program.libraries():
        first = program.run(case, "--fft", name)
        row["runs"][name] = {**first, "error": program.error(exact), "first": first["prepare"]}
    # Which library the planner takes, or sums
    choice = program.run(case)
    row["choice"] = {**choice, "error": program.error(exact)}
    for _ in range(rounds):
        for name, run in [*row["runs"].items(), ("choice", row["choice"])]:
            again = program.run(case, *(() if name == "choice" else ("--fft", name)))
            run["seconds"] = min(run["seconds"], again["seconds"])
            run["prepare"] = min(run["prepare"], again["prepare"])
    row["peers"] = {}
    for name in PEERS:
        if found := peer_of(name, program.folder, case, rounds + 1):
            result = np.load(program.folder / f"{name}.npy")
            found["error"] = float(np.abs(result - exact).max() / np.abs(exact).max())
            row["peers"][name] = found
    return row


def is_right(row):
    """The choice has the plan of one of the libraries, which was measured as often, or sums."""
    choice, runs = row["choice"], row["runs"]
    is_sum = choice["strategy"] in ("direct", "separable")
    seconds = choice["seconds"] if is_sum else runs[choice["fft"]]["seconds"]
    return seconds <= 1.05 * min(run["seconds"] for run in runs.values())


def table(rows):
    names = list(rows[0]["runs"])
    peers = [name for name in PEERS if any(name in row["peers"] for row in rows)]
    columns = ["image", "kernel", "precision", *names, "chosen", "seconds", *peers]
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    for row in rows:
        own = row["runs"]["own"]["seconds"]
        choice = row["choice"]
        what = choice["strategy"] if choice["strategy"] in ("direct", "separable") else \
            f"{choice['fft']}, {choice['strategy']}"
        cells = [row["image"], row["kernel"], row["precision"], f"{1e3 * own:.1f} ms"]
        cells += [f"{row['runs'][n]['seconds'] / own:.2f}" for n in names[1:]]
        cells += [what + ("" if is_right(row) else " (not the fastest)"),
                  f"{choice['seconds'] / own:.2f}"]
        cells += [f"{row['peers'][n]['seconds'] / own:.2f}" if n in row["peers"] else ""
                  for n in peers]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def summary(rows):
    """Over all cases: ratios of seconds and memory, largest errors, and what planning takes."""
    names = [n for n in rows[0]["runs"]]
    lines = ["| library | seconds, geometric mean over ours | at best | at worst | memory | "
             "largest error, single | double | planning, ms |", "|" + "---|" * 8]

    def ratios(key, of):
        return [of(row)[key] / row["runs"]["own"][key] for row in rows if of(row)]

    def mean(values):
        return math.exp(sum(map(math.log, values)) / len(values))

    def error(of, precision):
        found = [of(row)["error"] for row in rows if of(row) and row["precision"] == precision]
        return f"{max(found):.1e}" if found else ""

    for name in [*names, *PEERS]:
        def of(row, name=name):
            return row["runs"].get(name) or row["peers"].get(name)
        if not any(map(of, rows)):
            continue
        seconds, memory = ratios("seconds", of), ratios("bytes", of)
        planning = sorted(1e3 * (of(row)["first"] - of(row)["prepare"]) for row in rows
                          if "first" in of(row))
        middle = f"{planning[len(planning) // 2]:.1f}, {planning[-1]:.0f} at most" \
            if planning else ""
        lines.append(f"| {name} | {mean(seconds):.2f} | {min(seconds):.2f} | {max(seconds):.2f} | "
                     f"{mean(memory):.2f} | {error(of, 'single')} | {error(of, 'double')} | "
                     f"{middle} |")
    right = sum(map(is_right, rows))
    lines.append(f"\nThe planner's choice is the fastest, or within 5 % of it, in {right} of "
                 f"{len(rows)} cases ({100 * right / len(rows):.0f} %).")
    return "\n".join(lines)


def main():
    if len(sys.argv) > 1 and sys.argv[1] == "--peer":
        return peer(*sys.argv[2:7], int(sys.argv[7]))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out")
    asked = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        program = Program(os.path.abspath(asked.program), pathlib.Path(folder), asked.gpu)
        random = np.random.default_rng(3)
        for image, kernel, _ in cases(asked.gpu):
            for shape, voxels in ((image, random.integers(0, 60000, image, "u2")),
                                  (kernel, random.random(kernel, "f4"))):
                tifffile.imwrite(program.folder / f"{joined(shape)}.tif", voxels,
                                 photometric="minisblack")
        subprocess.run([program.path, "devices", "--measure", "--folder", folder, "--quiet"],
                       check=True, capture_output=True)
        for case in cases(asked.gpu):
            rows.append(measure(program, case, asked.rounds))
            print(joined(case[0]), joined(case[1]), case[2], "right" if is_right(rows[-1]) else
                  "not the fastest", file=sys.stderr, flush=True)
    found = {"processor": platform.processor(), "cores": os.cpu_count(),
             "commit": os.environ.get("SYNTHOSCOPE_COMMIT", "unknown"), "rows": rows}
    if asked.out:
        pathlib.Path(asked.out).write_text(json.dumps(found, indent=1))
    print(summary(rows) + "\n\n" + table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
