# SPDX-License-Identifier: MIT
"""How fast are 24 common calls of the Python package, beside scipy's?

usage: python_calls.py FOLDER_OF_THE_PACKAGE [--write PAGE] [--rounds N]

Ours and scipy's take turns call by call in rounds, so that what else the machine does meets both;
the fastest of each counts. `--write` makes the page, and a figure of the same name beside it.
"""
import argparse
import pathlib
import platform
import subprocess
import sys
import time

import numpy as np
import scipy
import scipy.ndimage
import scipy.signal

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "docs" / "figures"))
from drawing import COST, FAINT, IMAGE, INK, KERNEL, RESULT, SOFT, Drawing  # noqa: E402

SHORT, PATIENCE = 0.02, 1.0  # seconds: a timing lasts SHORT at least; PATIENCE ends a round

# Name; the call, where s and n are signal and ndimage; shapes and types of a and b
CALLS = (
    ("s.fftconvolve(a, b, 'same')", "512x512 f4", "31x31 f4"),
    ("s.fftconvolve(a, b, 'same')", "2048x2048 f8", "65x65 f8"),
    ("s.fftconvolve(a, b, 'same')", "64x256x256 f4", "21x31x31 f4"),
    ("s.fftconvolve(a, b, 'same')", "64x256x256 u2", "5x9x9 f4"),
    ("s.fftconvolve(a, b, 'same')", "64x64 f4", "5x5 f4"),
    ("s.fftconvolve(a, b)", "100000 f8", "101 f8"),
    ("s.fftconvolve(a, b, 'same')", "1000 f8", "31 f8"),
    ("s.fftconvolve(a, b, 'same', axes=-1)", "64x4096 f8", "1x101 f8"),
    ("s.oaconvolve(a, b, 'same')", "1000000 f4", "501 f4"),
    ("s.convolve(a, b, 'same')", "512x512 i8", "9x9 i8"),
    ("s.convolve(a, b)", "100 f8", "7 f8"),
    ("s.correlate(a, b, 'valid')", "512x512 f4", "64x64 f4"),
    ("n.gaussian_filter(a, 2)", "2048x2048 f4", None),
    ("n.gaussian_filter(a, 2)", "64x256x256 u1", None),
    ("n.gaussian_filter(a, 1)", "64x64 f8", None),
    ("n.uniform_filter(a, 15)", "2048x2048 u2", None),
    ("n.convolve(a, b)", "1024x1024 f4", "7x7 f4"),
    ("n.correlate(a, b, mode='wrap')", "64x256x256 f4", "3x3x3 f4"),
    ("n.convolve1d(a, b, axis=0)", "2048x2048 f8", "15 f8"),
    ("n.affine_transform(a, [[0.8, 0.6], [-0.6, 0.8]], order=1)", "1024x1024 f4", None),
    ("n.zoom(a, 1.7, order=3)", "512x512 f4", None),
    ("n.rotate(a, 30, reshape=False, order=1)", "1024x1024 u1", None),
    ("n.shift(a, (0.5, 1.5, -2.25), order=3)", "32x256x256 f4", None),
    ("n.map_coordinates(a, b, order=1)", "1024x1024 f4", "2x512x512 coordinates"),
)


def array_of(text, random):
    if text is None:
        return None
    extent, kind = text.split()
    shape = tuple(int(length) for length in extent.split("x"))
    if kind == "coordinates":
        return random.uniform(0, 1000, shape)
    if kind[0] in "iu":
        return random.integers(0, 200, shape).astype(kind)
    return random.standard_normal(shape).astype(kind)


def seconds_of(call):
    """Of one call, the mean of as many as make SHORT."""
    count, lasted = 1, 0.0
    while True:
        start = time.perf_counter()
        for _ in range(count):
            call()
        lasted = time.perf_counter() - start
        if lasted >= SHORT:
            return lasted / count
        count = max(count + 1, int(1.2 * count * SHORT / max(lasted, 1e-7)))


def measure(row, ours, rounds):
    """(text, operands, seconds of ours, of scipy's, largest difference over the largest value)."""
    text, first, second = row
    random = np.random.default_rng(7)
    names = {"a": array_of(first, random), "b": array_of(second, random)}
    code = compile(text, text, "eval")
    calls = [lambda of=of: eval(code, {**of, **names})
             for of in (ours, {"s": scipy.signal, "n": scipy.ndimage})]
    made, expected = (np.asarray(call(), np.float64) for call in calls)
    error = np.abs(made - expected).max() / np.abs(expected).max()
    best = [np.inf, np.inf]
    begin = time.perf_counter()
    for turn in range(rounds):
        if turn >= 3 and time.perf_counter() - begin > rounds * PATIENCE:
            break
        for i, call in enumerate(calls):
            best[i] = min(best[i], seconds_of(call))
    operands = first if second is None else f"{first}, {second}"
    return text, operands, *best, error


def table(rows):
    lines = ["| call | operands | ours, ms | scipy's, ms | scipy / ours | difference |",
             "|---|---|---|---|---|---|"]
    for text, operands, ours, others, error in rows:
        lines.append(f"| `{text}` | {operands} | {1e3 * ours:.3g} | {1e3 * others:.3g} | "
                     f"{others / ours:.1f} | {error:.1e} |")
    return "\n".join(lines)


def figure(rows):
    """Bars of how often scipy's time holds ours, on a scale of powers of two."""
    left, top, step, width, most = 430, 70, 24, 420, 64
    drawing = Drawing(left + width + 80, top + step * len(rows) + 40,
                      "Calls of the Python package beside scipy's",
                      "For each call, the time of scipy over the time of synthoscope")
    drawing.words(24, 38, "Time of scipy over time of synthoscope", 17, INK)

    def at(ratio):
        return left + width * (np.log2(max(ratio, 0.5)) + 1) / (np.log2(most) + 1)

    for ratio in (1, 2, 4, 8, 16, 32, 64):
        drawing.line(at(ratio), top - 12, at(ratio), top + step * len(rows), FAINT,
                     1.6 if ratio == 1 else 0.6)
        drawing.words(at(ratio), top - 18, f"{ratio}x", 11, SOFT, "middle")
    for i, (text, operands, ours, others, _) in enumerate(rows):
        y, ratio = top + step * i, others / ours
        name = text if len(text) < 42 else text[:40] + "..."
        drawing.words(left - 12, y + 9, f"{name}  {operands.split(',')[0]}", 11, SOFT, "end")
        colour = COST if ratio < 0.9 else KERNEL if ratio < 3 else \
            RESULT if text.startswith("n.") else IMAGE
        drawing.box(min(at(1), at(ratio)), y, max(abs(at(min(ratio, most)) - at(1)), 1.5), 13,
                    fill=colour)
        drawing.words(max(at(1), at(min(ratio, most))) + 6, y + 10, f"{ratio:.1f}", 11, INK)
    return drawing.text()


def page(rows, name):
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        processor = next(line.split(":")[1].strip() for line in info if "model name" in line)
    commit = subprocess.run(["git", "-C", str(HERE), "rev-parse", "--short", "HEAD"],
                            capture_output=True, text=True, check=True).stdout.strip()
    ratios = sorted(others / ours for _, _, ours, others, _ in rows)
    return f"""# Calls of the Python package: ours beside scipy's

Machine: {processor}, 2 cores, commit {commit}; Python {platform.python_version()}, numpy
{np.__version__}, scipy {scipy.__version__}. Ours has 2 threads, scipy its one. Both take turns
in rounds, and the fastest of each counts. Times are of this machine on that day: the ratios are the
result. Half of them are above {np.median(ratios):.1f}, the smallest is {ratios[0]:.2f}.

![Time of scipy over time of synthoscope, call by call]({name}.svg)

Blue is `signal`, green `ndimage`, yellow what is below 3. In the table `s` is `signal`, `n` is
`ndimage`; operands are `a` and `b`, with numpy's letters for types. The
difference is the largest between the two results, of the largest value.

{table(rows)}

Made by `python3 bench/python/python_calls.py build/release/python --write
docs/benchmarks/python.md`.
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("package")
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    sys.path.insert(0, options.package)
    from synthoscope import ndimage, signal

    rows = []
    for row in CALLS:
        rows.append(measure(row, {"s": signal, "n": ndimage}, options.rounds))
        print(table(rows[-1:]).split("\n")[-1], flush=True)
    if options.write:
        options.write.write_text(page(rows, options.write.stem), encoding="utf-8")
        options.write.with_suffix(".svg").write_text(figure(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
