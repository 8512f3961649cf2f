# SPDX-License-Identifier: MIT
"""crossover_page.py PAGE HOST_JSON [DEVICE_JSON...] — where direct sums, passes and FFT cross.

The first JSON is crossover.py's, the others are of gpu_crossover_bench. A page with charts, tables,
and the sides from which the next way is faster."""
import json
import math
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "docs" / "figures"))
from drawing import FAINT, IMAGE, INK, KERNEL, RESULT, SOFT, Drawing  # noqa: E402

WAYS = {"direct": KERNEL, "separable": RESULT, "FFT": IMAGE}


def curves_of(case):
    return {way: [(row["side"], row["seconds"]) for row in case["rows"] if row["by"] == way]
            for way in WAYS}


def crossing(first, second):
    """The side from which the second way stays faster, between two measured ones."""
    second = dict(second)
    both = [(side, math.log(seconds / second[side])) for side, seconds in first if side in second]
    found = "always" if both[0][1] > 0 else f"beyond {both[-1][0]}"
    for (a, below), (b, above) in zip(both, both[1:]):
        if below <= 0 < above:
            share = -below / (above - below)
            found = f"{math.exp(math.log(a) + share * (math.log(b) - math.log(a))):.0f}"
    return found


def shape(case):
    return "x".join(str(n) for n in case["extent"] if n > 1)


def table(case):
    curves = {way: dict(points) for way, points in curves_of(case).items()}
    digits = 1 if "threads" in case else 3
    errors = [row["error"] for row in case["rows"]]
    lines = [f"### {shape(case)}", "",
             "| side of the kernel | " + " | ".join(f"{way}, ms" for way in WAYS) + " |",
             "|---" * (1 + len(WAYS)) + "|"]
    for side in sorted({row["side"] for row in case["rows"]}):
        lines.append(f"| {side} | " + " | ".join(
            f"{1e3 * curves[way][side]:.{digits}f}" if side in curves[way] else ""
            for way in WAYS) + " |")
    return [*lines, "", f"Largest error: {max(errors):.1e} of the largest value.", ""]


def chart(cases, title):
    drawing = Drawing(60 + 420 * len(cases), 430, title, "Seconds over the kernel's side.")
    drawing.heading(40, 42, title)
    for number, (way, colour) in enumerate(WAYS.items()):
        drawing.circle(46 + 120 * number, 64, 5, colour)
        drawing.words(58 + 120 * number, 69, way, 13, INK)
    for number, case in enumerate(cases):
        curves = curves_of(case)
        points = [point for line in curves.values() for point in line]
        left, right, top, bottom = 84 + 420 * number, 440 + 420 * number, 112, 370
        low_x, high_x = (f(math.log2(side) for side, _ in points) for f in (min, max))
        low_y = math.floor(min(math.log10(seconds) for _, seconds in points))
        high_y = math.ceil(max(math.log10(seconds) for _, seconds in points))

        def at(side, seconds):
            return (left + (math.log2(side) - low_x) / (high_x - low_x) * (right - left),
                    bottom - (math.log10(seconds) - low_y) / (high_y - low_y) * (bottom - top))
        drawing.words(left, top - 12, shape(case), 13, SOFT)
        for power in range(low_y, high_y + 1):
            y = at(3, 10.0 ** power)[1]
            drawing.line(left, y, right, y, FAINT, 0.6)
            drawing.words(left - 8, y + 4, f"{10.0 ** (power + 3):g} ms", 11, SOFT, "end")
        for side in (3, 5, 9, 15, 31, 63, 127):
            if math.log2(side) <= high_x:
                drawing.words(at(side, 1)[0], bottom + 20, f"{side}", 12, SOFT, "middle")
        for way, colour in WAYS.items():
            places = [at(*point) for point in curves[way]]
            for (x1, y1), (x2, y2) in zip(places, places[1:]):
                drawing.line(x1, y1, x2, y2, colour, 2.2)
            for x, y in places:
                drawing.circle(x, y, 3.5, colour)
        drawing.words((left + right) / 2, bottom + 42, "side of the kernel, voxels", 12, SOFT,
                      "middle")
    return drawing.text()


def crossings(cases):
    lines = ["| image | from direct to FFT | from passes to FFT | from direct to passes |",
             "|---|---|---|---|"]
    for case in cases:
        curves = curves_of(case)
        lines.append(f"| {shape(case)} | " + " | ".join(
            crossing(curves[first], curves[second]) for first, second in
            (("direct", "FFT"), ("separable", "FFT"), ("direct", "separable"))) + " |")
    return lines


def section(title, text, cases, picture):
    picture.write_text(chart(cases, title), encoding="utf-8")
    return [f"## {title}", "", text, "", f"![Seconds over the side of the kernel]({picture.name})",
            "", "Sides from which the second way is the faster one:", "", *crossings(cases), "",
            *(line for case in cases for line in table(case))]


def main(page, host, *devices):
    page = pathlib.Path(page)
    found = json.loads(pathlib.Path(host).read_text(encoding="utf-8"))
    levels = ", ".join(sorted({case["vector_level"] for case in found["cases"]}))
    threads = found["cases"][0]["threads"]
    lines = ["# From direct sums to FFT: where the ways cross", "",
             "Gaussian kernels of equal sides, float32, boundary zero. FFT is `convolve --strategy "
             "in-core`, the kernel's transform included. Where curves cross is the result; times "
             "are of one machine on one day.", "",
             "Made by `./dev bench crossover HOST_JSON`, on a GPU `gpu_crossover_bench`, and "
             "`bench/convolution/crossover_page.py docs/benchmarks/crossover.md HOST_JSON "
             "DEVICE_JSON...`.", ""]
    lines += section(
        "Direct sums, passes and FFT on the host",
        f"{found['machine']}, {threads} threads, inner loops {levels}; commit {found['commit']}. "
        "From memory to memory, the ways in turn, medians; planning is part of FFT.",
        found["cases"], page.with_suffix(".svg"))
    cases = [json.loads(pathlib.Path(path).read_text(encoding="utf-8")) for path in devices]
    if cases:
        lines += section(
            f"Direct sums, passes and FFT on one {cases[0]['device']}",
            f"Commit {cases[0].get('commit', 'unknown')}. Image, kernel and result in the GPU's "
            "memory; medians of 9 runs.", cases, page.with_name(page.stem + "-gpu.svg"))
    page.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
