# SPDX-License-Identifier: MIT
"""What end_to_end.py measured, as a page with a table and a chart of where the time goes."""
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "docs" / "figures"))
from drawing import FAINT, INK, SOFT, Drawing  # noqa: E402

# Stages in the order of a run, by what the time is spent on
KINDS = {
    "start": "start", "open files": "start", "kernel": "start", "start GPU": "start GPU",
    "plan": "start", "prepare": "start", "create file": "create file", "hash inputs": "hash inputs",
    "release memory": "release memory", "finish file": "close the file", "sync": "close the file",
    "record": "close the file",
}
COLOURS = {"start": "#8a94a3", "start GPU": "#b8860b", "create file": "#a8565b",
           "work": "#3f7fb0", "hash inputs": "#c98bb9", "release memory": "#d9a441",
           "close the file": "#6b8e5a"}


def kinds_of(stages):
    sums = dict.fromkeys(COLOURS, 0.0)
    for stage, seconds in stages.items():
        sums[KINDS.get(stage, "work")] += seconds
    return sums


def copying(report):
    return {row["work"]: row["seconds"] for row in report["rows"] if row["place"] == "-"}


def table(report):
    """A row of each work: seconds, as a ratio to cp, and its largest stages."""
    cp = copying(report)
    lines = ["| work | where | seconds | of `cp` | stages of 3 % or more |",
             "|---|---|---|---|---|"]
    for row in report["rows"]:
        if "seconds" not in row:
            lines.append(f"| {row['work']} | {row['place']} | {' '.join(row['refused'])} | | |")
            continue
        older = "older" in row["work"]
        base = cp["cp over an older file" if older else "cp to a new name"]
        stages = row.get("run", {}).get("stages", {})
        shown = ", ".join(f"{name} {seconds:.2f}" for name, seconds in stages.items()
                          if seconds >= max(0.005, 0.03 * row["seconds"]))
        ratio = "" if row["work"].startswith("simulate") else f"{row['seconds'] / base:.2f}"
        lines.append(f"| {row['work']} | {row['place']} | {row['seconds']:.2f} | {ratio} | "
                     f"{shown} |")
    return "\n".join(lines)


def ratios(reports):
    """A row of each work of the host, with its ratio to cp on every machine."""
    heads = [f"{' x '.join(map(str, report['extent']))}, {report['cores']} cores"
             for report in reports]
    lines = [f"| work | {' | '.join(heads)} |", "|---|" + "---|" * len(heads)]
    works = [row["work"] for row in reports[0]["rows"]
             if row["place"] == "host" and not row["work"].startswith("simulate")]
    for work in works:
        cells = []
        for report in reports:
            cp = copying(report)
            base = cp["cp over an older file" if "older" in work else "cp to a new name"]
            found = [row["seconds"] for row in report["rows"]
                     if (row["work"], row["place"]) == (work, "host") and "seconds" in row]
            cells.append(f"{found[0] / base:.2f}" if found else "")
        lines.append(f"| {work} | {' | '.join(cells)} |")
    return "\n".join(lines)


def chart(report):
    rows = [row for row in report["rows"] if "run" in row and row["work"].startswith("convolve")]
    drawing = Drawing(860, 120 + 34 * len(rows), "Where the time of a command goes",
                      "Seconds of each kind of stage of convolve, and those of cp.")
    drawing.heading(30, 40, "Where the seconds of convolve go")
    at = 30
    for kind, colour in COLOURS.items():
        drawing.circle(at + 5, 66, 5, colour)
        drawing.words(at + 15, 71, kind, 12, INK)
        at += 32 + 7 * len(kind)
    left, right = 330, 830
    most = max(row["seconds"] for row in rows)
    cp = copying(report)["cp to a new name"]
    x = left + (right - left) * cp / most
    if x <= right:
        drawing.line(x, 84, x, 96 + 34 * len(rows), FAINT, 1.4, stroke_dasharray="5 4")
        drawing.words(x, 112 + 34 * len(rows), "cp", 12, SOFT, "middle")
    for number, row in enumerate(rows):
        y = 96 + 34 * number
        name = row["work"].removeprefix("convolve with ")
        drawing.words(left - 10, y + 14, f"{name}, {row['place']}", 12, SOFT, "end")
        at = left
        for kind, seconds in kinds_of(row["run"]["stages"]).items():
            width = (right - left) * seconds / most
            if width > 0.3:
                drawing.box(at, y, width, 20, COLOURS[kind])
            at += width
    return drawing.text()


def beside(reports):
    if not reports:
        return ""
    commits = ", ".join(dict.fromkeys(report["commit"] for report in reports))
    return f"""
## Other machines

Seconds as multiples of those of `cp` on the same machine, without a GPU, at commit {commits}.

{ratios(reports)}
"""


def page(report, others, path):
    svg = path.with_suffix(".svg")
    svg.write_text(chart(report), encoding="utf-8")
    depth, height, width = report["extent"]
    where = ", ".join([f"{report['cores']} cores",
                       *(line.split(": ")[1].split(" (")[0] for line in report["gpus"])])
    rounds = max(row.get("rounds", 0) for row in report["rows"])
    errors = ", ".join(f"{place} {error:.1e}" for place, error in report["errors"].items())
    path.write_text(f"""# End to end

How long a user waits for a whole command, from the start of the process to its end, with files in
memory. The image has {depth}x{height}x{width} voxels of uint16. `cp` copies the same file in the
same rounds; of {rounds} rounds the middle one counts. Times mean something only beside `cp` of the
same run.

Measured at commit {report['commit']} on {where}, by `./dev bench end-to-end`.

{table(report)}

![where the seconds go]({svg.name})

Largest error of 1,000 voxels of the convolution that were recomputed by direct sums in double
precision, as a share of the peak, with float32 results: {errors}.

Every second is in a stage: `run.stages` of `--json` has them, and they sum to `run.wall_seconds`.

## What a run waits for

* CUDA needs 0.1 s or more for each GPU that it sees, and 0.12 s for a context, before anything can
  be computed. `--gpus 0` shows it only the first GPU.
* The system allocates and clears the pages of a file of 2 GiB in memory in 0.44 s, with one thread
  or with many. This begins before CUDA has started, and it is the limit of a run on a GPU.
* Writing into pages that are there takes 0.12 s with 16 threads.
* The pages of an older result are given back when the new one gets its name: 0.15 to 0.24 s in
  `sync`.
* After the last stage, the driver needs 0.1 to 0.15 s to end a process that has used a GPU.
* In a virtual machine with two cores, `image planes` of the volume of 2 GiB, whose spectra fill
  4.5 GB, took 1.0 to 1.2 s right after another run, and 2.5 to 3.8 s otherwise. We suppose that the
  host then had to give the memory back first. The ratios of 1024 x 1024 x 1024 below differ by
  this, not by their kernels.
{beside(others)}""", encoding="utf-8")
