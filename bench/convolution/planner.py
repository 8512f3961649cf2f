# SPDX-License-Identifier: MIT
"""Does the planner predict what convolutions take, and does it choose the faster way?

usage: planner.py PROGRAM [--rounds N] [--write docs/benchmarks/planner.md]

Small volumes by every strategy that takes them, as commands from file to file. The least of
several rounds counts, in processor seconds of one thread over the cores that the plan is for:
what else the machine does then counts for little.
"""
import argparse
import json
import os
import pathlib
import platform
import resource
import subprocess
import sys
import tempfile

import numpy as np
import tifffile

# image, kernel, further options
CASES = [((256, 256, 256), (31, 31, 31), ()), ((256, 256, 256), (5, 64, 64), ()),
         ((400, 128, 128), (64, 9, 9), ()), ((128, 128, 128), (128, 128, 128), ()),
         ((32, 1024, 1024), (9, 33, 33), ()), ((300, 300, 300), (3, 3, 3), ()),
         ((1, 4096, 4096), (1, 65, 65), ()), ((1, 4096, 4096), (1, 1001, 1001), ()),
         ((128, 256, 256), (31, 31, 31), ("--precision", "double")),
         ((300, 300, 300), (31, 31, 31), ("--memory", "80M")),
         ((1, 4096, 4096), (1, 65, 65), ("--memory", "40M"))]
STRATEGIES = ("in-core", "ring", "tiles", "parts")


def joined(shape):
    return "x".join(str(n) for n in shape)


def make_files(folder):
    random = np.random.default_rng(3)
    for image, kernel, _ in CASES:
        for shape in (image, kernel):
            path = folder / f"{joined(shape)}.tif"
            if not path.exists():
                voxels = (random.random(shape, "f4") if shape == kernel
                          else random.integers(0, 60000, shape, "u2"))
                tifffile.imwrite(path, voxels, photometric="minisblack")


def remember_rates(program, folder, measured):
    """Keeps a record in which the disk takes no time, because files stay in the page cache."""
    os.environ["XDG_CACHE_HOME"] = str(folder)
    words = [program, "devices", "--json", "--quiet"]
    if measured:
        words += ["--measure", "--folder", folder]
    found = json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)
    rates = {**found["rates"], "cores": found["cores"], "disk_read_bytes_per_second": 1e15,
             "disk_write_bytes_per_second": 1e15}
    record = folder / "synthoscope" / "machine.json"
    record.parent.mkdir(exist_ok=True)
    record.write_text(json.dumps({"format": 2, "processor": found["processor"], "rates": rates}))


def processor_seconds(command):
    """Of the whole command, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, json.loads(done.stdout)


def chosen(plan):
    return next(c for c in plan["candidates"] if c["verdict"] == "chosen")


def measure(program, folder, case, rounds):
    image, kernel, options = case
    words = [program, "convolve", folder / f"{joined(image)}.tif", folder / f"{joined(kernel)}.tif",
             "--quiet", *options]
    rows = []
    for strategy in ("auto", *STRATEGIES):
        dry = subprocess.run([*words, "--strategy", strategy, "--dry-run", "--json"], check=False,
                             capture_output=True, text=True)
        if dry.returncode != 0:
            continue
        plan = json.loads(dry.stdout)
        if strategy == "auto":
            automatic = plan["strategy"]
            continue
        cores = plan["machine"]["rates"]["cores"]
        runs = [processor_seconds([*words, "--strategy", strategy, "--threads", "1", "--json",
                                   "-o", folder / "out.tif", "--overwrite"])
                for _ in range(rounds)]
        rows.append({"image": joined(image), "kernel": joined(kernel),
                     "options": " ".join(options), "strategy": strategy,
                     "automatic": automatic, "plan": plan,
                     "predicted": chosen(plan)["seconds"],
                     "seconds": min(used for used, _ in runs) / cores,
                     "wall": min(run["run"]["seconds"] for _, run in runs)})
    return rows


def cut_of(row):
    transform = joined(row["plan"]["transform"])
    at_once = joined(row["plan"]["cut"]["result"])
    return f"{transform} | {at_once}" + (", kept" if row["plan"]["cut"]["keep_transfer"] else "")


def table(rows, measured):
    machine = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo", encoding="utf-8")
                    if line.startswith("model name")), platform.processor())
    ratios = [row["predicted"] / row["seconds"] for row in rows]
    within = sum(1 / 1.5 <= r <= 1.5 for r in ratios)
    lines = [
        "# What the planner predicts, and what runs take",
        "",
        f"Machine: {machine}, {os.cpu_count()} cores; commit "
        f"{os.environ.get('SYNTHOSCOPE_COMMIT', 'unknown')}. Images are uint16 files, kernels "
        "float32 noise, results float32 files; all of them stay in the page cache. Taken: "
        "processor seconds of the whole command with one thread, over the cores that the plan is "
        "for, the least of several rounds. Predicted with the rates of the "
        + ("machine as just measured." if measured else "reference machine."),
        "",
        "Made by `./dev bench planner --write docs/benchmarks/planner.md`.",
        "",
        "| image | kernel | options | strategy | transform | at once | predicted | taken | ratio |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row, ratio in zip(rows, ratios):
        mark = " (auto)" if row["strategy"] == row["automatic"] else ""
        lines.append(f"| {row['image']} | {row['kernel']} | {row['options']} | "
                     f"{row['strategy']}{mark} | {cut_of(row)} | {row['predicted']:.3f} s | "
                     f"{row['seconds']:.3f} s | {ratio:.2f} |")
    lines += ["", f"{within} of {len(rows)} predictions are within a factor of 1.5; the ratios go "
              f"from {min(ratios):.2f} to {max(ratios):.2f}.", ""]
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--measured", action="store_true",
                        help="with the rates of this machine instead of the reference's")
    parser.add_argument("--rows", type=pathlib.Path, help="write everything measured as JSON")
    options = parser.parse_args()
    program = options.program.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        remember_rates(program, folder, options.measured)
        make_files(folder)
        rows = [row for case in CASES for row in measure(program, folder, case, options.rounds)]
    if options.rows:
        options.rows.write_text(json.dumps(rows))
    text = table(rows, options.measured)
    print(text)
    if options.write:
        options.write.write_text(text)


if __name__ == "__main__":
    main()
