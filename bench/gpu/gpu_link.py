# SPDX-License-Identifier: MIT
"""Runs gpu_link_bench, and draws what each batch of a run did when.

usage: gpu_link.py PROGRAM [SIZE ...]        measures, and writes build/gpu-link.{json,csv,svg}
       gpu_link.py --draw TIMELINE.csv OUT.svg
"""
import csv
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "figures"))
from drawing import COST, IMAGE, INK, KERNEL, RESULT, SOFT, SPECTRUM, Drawing  # noqa: E402

LANES = [("load", "host copies in", IMAGE), ("up", "link up", KERNEL), ("take", "planes", SPECTRUM),
         ("columns", "columns", COST), ("give", "planes back", SPECTRUM),
         ("down", "link down", KERNEL), ("store", "host copies out", RESULT)]
WIDTH, LEFT, RIGHT, TOP, LANE, BAR = 1000, 150, 24, 84, 24, 16


def read(path):
    """Spans of each memory: what -> [(from, to)], in seconds from the first one."""
    runs = {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            spans = runs.setdefault(row["memory"], {})
            spans.setdefault(row["what"], []).append((float(row["from"]), float(row["to"])))
    for spans in runs.values():
        first = min(begin for batches in spans.values() for begin, _ in batches)
        for what, batches in spans.items():
            spans[what] = sorted((begin - first, end - first) for begin, end in batches)
    return runs


def busy(batches):
    """Seconds in which at least one of them is under way."""
    total, until = 0.0, 0.0
    for begin, end in batches:
        total += max(0.0, end - max(begin, until))
        until = max(until, end)
    return total


def draw(runs):
    height = TOP + len(runs) * (len(LANES) * LANE + 68) - 24
    d = Drawing(WIDTH, height, "What each batch did when",
                "One lane for each thing that is done to a batch of planes, time to the right: "
                "loading, the link in both directions, computing and storing overlap.")
    d.heading(24, 36, "Loading, computing and storing at the same time")
    d.words(24, 58, "one bar is a batch; beside each lane, the share of the time that it is busy",
            13, SOFT)
    y = TOP
    for memory, spans in sorted(runs.items(), reverse=True):
        end = max(to for batches in spans.values() for _, to in batches)
        scale = (WIDTH - LEFT - RIGHT - 50) / end
        d.words(24, y + 14, f"from and to {memory} memory: {1e3 * end:.0f} ms", 14, INK)
        y += 28
        for what, title, colour in LANES:
            batches = spans.get(what, [])
            d.words(LEFT - 10, y + 13, title, 12, SOFT, "end")
            for begin, to in batches:
                d.box(LEFT + begin * scale, y, max(0.6, (to - begin) * scale - 0.4), BAR, colour)
            d.words(WIDTH - RIGHT, y + 13, f"{100 * busy(batches) / end:.0f} %", 12, SOFT, "end")
            y += LANE
        y += 40
    return d.text()


def main(arguments):
    if arguments[:1] == ["--draw"]:
        timeline, out = arguments[1:]
    else:
        folder = ROOT / "build"
        timeline, out = folder / "gpu-link.csv", folder / "gpu-link.svg"
        timeline.unlink(missing_ok=True)
        subprocess.run([arguments[0], folder / "gpu-link.json", timeline, *arguments[1:]],
                       check=True)
        if not timeline.exists():
            return  # there is no GPU
    pathlib.Path(out).write_text(draw(read(timeline)), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
