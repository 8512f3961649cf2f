# SPDX-License-Identifier: MIT
"""gpu_many_parts_page.py JSON... CHART.svg — what gpu_many_parts_bench measured: a table for a
page, printed, and a chart of the speed-up over R."""
import json
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "docs" / "figures"))
from drawing import FAINT, INK, KERNEL, RESULT, SOFT, Drawing  # noqa: E402

WAYS = {"computing_seconds": None, "resident_seconds": "2 4",
        "host_to_host_seconds": "6 4"}  # dashes of its lines
COLOURS = {2: RESULT, 4: KERNEL, 8: INK}


def table(rows):
    alone = {(row["side"], row["parts"]): row for row in rows if row["devices"] == 1}
    lines = ["| image and kernel | R | GPUs | computing, ms | speed-up | resident, ms | speed-up | "
             "host to host, ms | speed-up | memory of each | largest error |",
             "|---|---|---|---|---|---|---|---|---|---|---|"]
    for row in rows:
        one = alone[row["side"], row["parts"]]
        times = [f"{1e3 * row[way]:.1f} | "
                 + ("" if row is one else f"{one[way] / row[way]:.2f}")
                 for way in WAYS]
        assert row["same_bits"], row
        lines.append(f"| {row['side']}^3 | {row['parts']} | {row['devices']} | "
                     f"{' | '.join(times)} | {row['device_bytes'] / 2**30:.2f} GiB | "
                     f"{row['error']:.1e} |")
    return lines


def chart(side, rows):
    runs = {(row["devices"], row["parts"]): row for row in rows}
    numbers = sorted({row["parts"] for row in rows if row["parts"] > 1})
    counts = sorted({row["devices"] for row in rows if row["devices"] > 1})
    most = max(counts)
    drawing = Drawing(760, 420, "Parts on several GPUs: speed-up over R",
                      "Speed-up of strategy parts on several GPUs over one, for numbers of parts.")
    left, right, top, bottom = 84, 720, 96, 350

    def at(parts, speedup):
        return (left + (numbers.index(parts) + 0.5) * (right - left) / len(numbers),
                bottom - speedup / (1.08 * most) * (bottom - top))

    drawing.heading(40, 44, f"{side}^3, a kernel as large, R parts")
    drawing.words(40, 68, "speed-up over one GPU; solid: computing, dotted: resident, "
                  "dashed: host to host", 13, SOFT)
    for speedup in range(most + 1):
        y = at(numbers[0], speedup)[1]
        drawing.line(left, y, right, y, FAINT, 1.4 if speedup in counts else 0.6)
        drawing.words(left - 12, y + 4, str(speedup), 12, SOFT, "end")
    for number, count in enumerate(counts):
        for way, dashes in WAYS.items():
            line = [at(n, runs[1, n][way] / runs[count, n][way]) for n in numbers
                    if (count, n) in runs]
            for (x1, y1), (x2, y2) in zip(line, line[1:]):
                drawing.line(x1, y1, x2, y2, COLOURS[count], 2.2, stroke_dasharray=dashes)
            for x, y in line:
                drawing.circle(x, y, 5, COLOURS[count])
        x = right - 96 * (len(counts) - number)
        drawing.circle(x, 39, 5, COLOURS[count])
        drawing.words(x + 12, 44, f"{count} GPUs", 13, INK)
    for parts in numbers:
        drawing.words(at(parts, 0)[0], bottom + 24, f"R = {parts}", 13, INK, "middle")
    return drawing.text()


def main(*arguments):
    *measured, picture = arguments
    rows = [row for path in measured
            for row in json.loads(pathlib.Path(path).read_text(encoding="utf-8"))["rows"]]
    side = max(row["side"] for row in rows)
    pathlib.Path(picture).write_text(chart(side, [r for r in rows if r["side"] == side]),
                                     encoding="utf-8")
    print("\n".join(table(rows)))


if __name__ == "__main__":
    main(*sys.argv[1:])
