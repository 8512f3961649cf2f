# SPDX-License-Identifier: MIT
"""What out_of_core.py measured, as a page with tables and a chart."""
import os
import pathlib
import sys

import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "docs" / "figures"))
from drawing import FAINT, INK, KERNEL, RESULT, SOFT, Drawing  # noqa: E402


def joined(shape):
    return "x".join(str(n) for n in shape)


def seconds_of(run):
    return run["run"]["seconds"]


def rate_of(run, shape):
    return int(np.prod(shape)) / seconds_of(run) / 1e6


def sync_of(run):
    return run["run"]["stages"].get("sync", float("nan"))


def error_of(run):
    certificate = run["certificate"]
    return certificate["largest_error"] / certificate["peak"]


def plan_bytes(plan):
    return sum(item["bytes"] for item in plan["memory"])


def scratch_of(run):
    chosen = [c for c in run["plan"]["candidates"] if c["verdict"] == "chosen"]
    return chosen[0].get("scratch_bytes", 0) if chosen else 0


def size(count):
    return f"{count / 2**30:.2f} GiB" if count >= 2**30 else f"{count / 2**20:.0f} MiB"


def bytes_of(text):
    return int(text[:-1]) * {"M": 2**20, "G": 2**30}[text[-1]]


def promise(rows):
    """Whether the anonymous memory of each run stayed within its budget."""
    broken = [name for name, budget, run in rows if budget and "refused" not in run
              and run["peak_anonymous_bytes"] > budget]
    return ["", "**Beyond its memory: " + ", ".join(broken) + ".**" if broken else
            "Every run with --memory stayed within it."]


def large_table(rows):
    fits = rows[0][3]
    lines = ["| strategy | image | transform | --memory | peak RssAnon | peak VmHWM | seconds | "
             "Mvoxel/s | of the rate in memory | final sync | scratch on disk | largest error |",
             "|---|---|---|---|---|---|---|---|---|---|---|---|"]
    left_out = []
    for name, shape, memory, run in rows:
        if "refused" in run:
            left_out.append(f"* {name}: {run['refused']}")
            continue
        strategy = run["plan"]["strategy"]
        shown = name if name.startswith(strategy) else f"{name}: {strategy}"
        share = rate_of(run, shape) / rate_of(fits, rows[0][1])
        lines.append(
            f"| {shown} | {joined(shape)} | {joined(run['plan']['transform'])} | "
            f"{memory or 'none'} | {size(run['peak_anonymous_bytes'])} | "
            f"{size(run['peak_resident_bytes'])} | {seconds_of(run):.1f} | "
            f"{rate_of(run, shape):.1f} | {100 * share:.0f} % | {sync_of(run):.1f} s | "
            f"{size(scratch_of(run))} | {error_of(run):.1e} |")
    lines += promise((name, memory and bytes_of(memory), run) for name, _, memory, run in rows)
    if left_out:
        lines += ["", "Refused:", "", *left_out]
    return lines


def deep_table(shape, rows):
    lines = ["| strategy | --memory | transform | memory of the plan | peak RssAnon | seconds | "
             "Mvoxel/s | scratch on disk | largest error |",
             "|---|---|---|---|---|---|---|---|---|"]
    for name, memory, run in rows:
        if "refused" in run:
            lines.append(f"| {name} | {size(memory) if memory else 'none'} | {run['refused']} |"
                         " | | | | | |")
            continue
        strategy = run["plan"]["strategy"]
        shown = name if name.startswith(strategy) else f"{name}: {strategy}"
        lines.append(
            f"| {shown} | {size(memory) if memory else 'none'} | "
            f"{joined(run['plan']['transform'])} | {size(plan_bytes(run['plan']))} | "
            f"{size(run['peak_anonymous_bytes'])} | {seconds_of(run):.2f} | "
            f"{rate_of(run, shape):.2f} | {size(scratch_of(run))} | {error_of(run):.1e} |")
    return lines + promise(rows)


def chart(shape, rows):
    """Throughput and memory over R, as shares of what in-core has; None without parts."""
    runs = [(name, run) for name, _, run in rows if "refused" not in run]
    whole = runs[0][1]
    points = [(int(name.split("= ")[1]), run) for name, run in runs if "R = " in name]
    if not points:
        return None
    drawing = Drawing(760, 420, "Parts: throughput and memory over R",
                      "Throughput and peak memory of strategy parts, as shares of in-core.")
    left, right, top, bottom = 84, 720, 96, 350
    most = max([1.0] + [seconds_of(whole) / seconds_of(run) for _, run in points]
               + [run["peak_anonymous_bytes"] / whole["peak_anonymous_bytes"]
                  for _, run in points])

    def at(i, share):
        return (left + (i + 0.5) * (right - left) / len(points),
                bottom - share / (1.08 * most) * (bottom - top))

    drawing.heading(40, 44, f"{joined(shape)} with a kernel as large, in R parts")
    drawing.words(40, 68, "as shares of in-core, in one piece", 13, SOFT)
    for share in [s / 4 for s in range(int(4 * 1.08 * most) + 1)]:
        y = at(0, share)[1]
        drawing.line(left, y, right, y, FAINT, 1.4 if share == 1 else 0.6,
                     stroke_dasharray="5 4" if share == 1 else None)
        drawing.words(left - 12, y + 4, f"{100 * share:.0f} %", 12, SOFT, "end")
    shares = {"throughput": (RESULT, lambda run: seconds_of(whole) / seconds_of(run)),
              "memory": (KERNEL, lambda run: run["peak_anonymous_bytes"]
                         / whole["peak_anonymous_bytes"])}
    for number, (what, (colour, share_of)) in enumerate(shares.items()):
        line = [at(i, share_of(run)) for i, (_, run) in enumerate(points)]
        for (x1, y1), (x2, y2) in zip(line, line[1:]):
            drawing.line(x1, y1, x2, y2, colour, 2.2)
        for x, y in line:
            drawing.circle(x, y, 5, colour)
        drawing.circle(right - 196 + 116 * number, 62, 5, colour)
        drawing.words(right - 184 + 116 * number, 67, what, 13, INK)
    for i, (parts, _) in enumerate(points):
        drawing.words(at(i, 0)[0], bottom + 24, f"R = {parts}", 13, INK, "middle")
    return drawing.text()


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        name = next((line.split(":")[1].strip() for line in file
                     if line.startswith("model name")), "unknown processor")
    with open("/proc/meminfo", encoding="utf-8") as file:
        memory = int(file.readline().split()[1]) * 1024
    return (f"Machine: {name}, {os.cpu_count()} cores, {size(memory)}; commit "
            f"{os.environ.get('SYNTHOSCOPE_COMMIT', 'unknown')}.")


def page(sizes, rounds, large, deep, picture):
    shape, deep_runs, reasons = deep
    command = "./dev bench out-of-core --write docs/benchmarks/out-of-core.md"
    lines = ["# More than memory holds", "", machine(), "", f"Made by `{command}`.", "",
             f"## A stack of {size(2 * int(np.prod(sizes.large)))} and a kernel of "
             f"{joined(sizes.kernel)}", "",
             "uint16 in and out, a textured BigTIFF; the kernel is divided by its sum. Seconds are "
             "of the whole convolution, reading and writing included; flushing the finished file "
             "to the disk is apart. The rate in memory is that of a stack that fits, with the same "
             f"kernel, its file cached, the middle of {rounds} runs.", "", *large_table(large), "",
             f"{sizes.certified} voxels of every result were recomputed by direct sums in double "
             "and rounded as the result is; the error is the largest difference over the largest "
             "sum of |image| |kernel|.", "",
             f"## {joined(shape)} with a kernel of {joined(shape)}", "",
             f"float32 out; the middle of {rounds} runs each. The result in one piece is "
             "certified, the others are compared with it. Parts have the memory that makes them "
             "wait on disk when they are finished, and 24 MiB for the program.", "",
             *deep_table(shape, deep_runs), ""]
    if picture:
        lines += [f"![Throughput and memory of parts, over R]({picture})", ""]
    if reasons:
        lines += ["With a quarter of the memory, the plan says:", "", "```", reasons.rstrip(),
                  "```", ""]
    return "\n".join(lines)
