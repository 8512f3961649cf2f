# SPDX-License-Identifier: MIT
"""visual_words_figure.py SVG VISUAL_WORDS.json — from an image to its histogram of words, as
gpu_visual_words_bench measured it: all of it (bars) and its stages (dots). Prints the table."""
import json
import math
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "docs" / "figures"))
from drawing import COST, FAINT, IMAGE, INK, KERNEL, RESULT, SOFT, Drawing  # noqa: E402

STAGES = {"filter": IMAGE, "quantise": KERNEL, "histogram": RESULT}
LEFT, RIGHT, TOP, STEP = 230, 690, 92, 40


def nanoseconds(row, key):
    voxels = math.prod(row["extent"])
    return row[key] / voxels * 1e9


def digits(value):
    """Three of them, none of powers of ten."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def table(rows):
    lines = ["| ns a voxel | pixels | filter | quantise | histogram | all | words that differ |",
             "|---" * 7 + "|"]
    for row in rows:
        times = [digits(nanoseconds(row, key)) for key in
                 (*(f"{stage}_seconds" for stage in STAGES), "seconds")]
        lines.append(f"| {row['what']} | {row['extent'][1]} x {row['extent'][2]} | "
                     f"{' | '.join(times)} | {row['differing']:.1e} |")
    return "\n".join(lines)


def main(picture, measured):
    rows = json.loads(pathlib.Path(measured).read_text(encoding="utf-8"))
    print(table(rows))
    shown = [nanoseconds(row, f"{stage}_seconds") for row in rows for stage in STAGES]
    totals = [nanoseconds(row, "seconds") for row in rows]
    least = math.floor(math.log10(min(time for time in shown + totals if time > 0)))
    most = math.ceil(math.log10(max(totals)))
    bottom = TOP + STEP * len(rows)

    def at(time):
        return LEFT + (math.log10(time) - least) / (most - least) * (RIGHT - LEFT)

    drawing = Drawing(780, bottom + 60, "From an image to its histogram of words",
                      "Time for each voxel of plain code, of the library on one thread and on "
                      "several, and of a GPU; logarithmic.")
    drawing.words(20, 28, "bars: all stages; dots: each by itself. MR8 and 200 words", 13, SOFT)
    for place, (stage, colour) in enumerate(STAGES.items()):
        drawing.circle(LEFT + 120 * place, 54, 4.5, colour)
        drawing.words(LEFT + 12 + 120 * place, 58, stage, 12, INK)
    for power in range(least, most + 1):
        x = at(10.0**power)
        drawing.line(x, TOP - 14, x, bottom, FAINT, 0.6)
        drawing.words(x, bottom + 20, f"{10.0**power:g}", 12, SOFT, "middle")
    drawing.words((LEFT + RIGHT) / 2, bottom + 42, "ns a voxel", 12, SOFT, "middle")
    slowest = next(total for row, total in zip(rows, totals) if "separable" in row["what"])
    for place, (row, total) in enumerate(zip(rows, totals)):
        y = TOP + STEP * place + 10
        drawing.words(LEFT - 12, y + 4, row["what"], 12, INK, "end")
        drawing.line(LEFT, y, at(total), y, COST, 9, stroke_opacity=0.35)
        for stage, colour in STAGES.items():
            time = nanoseconds(row, f"{stage}_seconds")
            if time > 0:
                drawing.circle(at(time), y, 4.5, colour)
        drawing.words(RIGHT + 14, y + 4, f"{digits(slowest / total)} x", 12, SOFT)
    pathlib.Path(picture).write_text(drawing.text(), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
