# SPDX-License-Identifier: MIT
"""gpu_parts_page.py JSON PAGE — what gpu_parts_bench measured, with a table and a chart."""
import json
import os
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "docs" / "figures"))
from drawing import FAINT, INK, KERNEL, RESULT, SOFT, Drawing  # noqa: E402

FOLDS = {"device": None, "host": "6 4"}  # dashes of its lines


def size(count):
    return f"{count / 2**30:.2f} GiB" if count >= 2**30 else f"{count / 2**20:.0f} MiB"


def rate(row):
    return row["padded_voxels"] / row["seconds"] * 1e-9


def table(rows):
    lines = ["| image and kernel | parts | folds | transform | seconds | Gvoxel/s | "
             "padded Gvoxel/s | memory of the GPU | of the host | setting up | largest error |",
             "|---|---|---|---|---|---|---|---|---|---|---|"]
    for row in rows:
        lines.append(
            f"| {row['side']}^3 | {row['parts']} | {row['folds']} | "
            f"{'x'.join(str(n) for n in row['transform'])} | {row['seconds']:.3f} | "
            f"{row['side']**3 / row['seconds'] * 1e-9:.2f} | {rate(row):.1f} | "
            f"{size(row['device_bytes'])} | {size(row['host_bytes'])} | "
            f"{row['prepare_seconds']:.2f} s | {row['error']:.1e} |")
    return lines


def chart(side, rows):
    """Throughput and memory over R, as shares of R = 1 folded by the device."""
    numbers = sorted({row["parts"] for row in rows})
    runs = {(row["folds"], row["parts"]): row for row in rows}
    whole = runs["device", 1]
    shares = {"throughput": (RESULT, lambda row: rate(row) / rate(whole)),
              "memory": (KERNEL, lambda row: row["device_bytes"] / whole["device_bytes"])}
    most = max([1.0] + [share(row) for _, share in shares.values() for row in rows])
    drawing = Drawing(760, 420, "Parts on a GPU: throughput and memory over R",
                      "Throughput and device memory of strategy parts, as shares of one part.")
    left, right, top, bottom = 84, 720, 96, 350

    def at(parts, share):
        return (left + (numbers.index(parts) + 0.5) * (right - left) / len(numbers),
                bottom - share / (1.08 * most) * (bottom - top))

    drawing.heading(40, 44, f"{side}^3 with a kernel as large, in R parts on a GPU")
    drawing.words(40, 68, "as shares of one part; solid: the GPU folds, dashed: the host folds", 13,
                  SOFT)
    for share in [s / 4 for s in range(int(4 * 1.08 * most) + 1)]:
        y = at(numbers[0], share)[1]
        drawing.line(left, y, right, y, FAINT, 1.4 if share == 1 else 0.6)
        drawing.words(left - 12, y + 4, f"{100 * share:.0f} %", 12, SOFT, "end")
    for number, (what, (colour, share_of)) in enumerate(shares.items()):
        for folds, dashes in FOLDS.items():
            line = [at(n, share_of(runs[folds, n])) for n in numbers if (folds, n) in runs]
            for (x1, y1), (x2, y2) in zip(line, line[1:]):
                drawing.line(x1, y1, x2, y2, colour, 2.2, stroke_dasharray=dashes)
            for x, y in line:
                drawing.circle(x, y, 5, colour)
        drawing.circle(right - 196 + 116 * number, 62, 5, colour)
        drawing.words(right - 184 + 116 * number, 67, what, 13, INK)
    for parts in numbers:
        drawing.words(at(parts, 0)[0], bottom + 24, f"R = {parts}", 13, INK, "middle")
    return drawing.text()


def main(measured, page):
    result = json.loads(pathlib.Path(measured).read_text(encoding="utf-8"))
    page = pathlib.Path(page)
    rows = result["rows"]
    side = max(row["side"] for row in rows)
    picture = page.with_suffix(".svg")
    picture.write_text(chart(side, [row for row in rows if row["side"] == side]), encoding="utf-8")
    page.write_text("\n".join([
        "# Frequency parts on a GPU", "",
        f"{result['device']}, {result['threads']} threads of its host; commit "
        f"{os.environ.get('SYNTHOSCOPE_COMMIT', 'unknown')}. Made by `gpu_parts_bench "
        "512 1024 FILE` and `bench/gpu/gpu_parts_page.py FILE docs/benchmarks/gpu-parts.md`.", "",
        "float32 from memory of the host to memory of the host; a kernel as large as the image; "
        "result *same*, boundary zero. *Seconds* hold folding, all copies, transforms, kernel "
        "included, and unfolding, the better of two runs; *setting up* is loading compiled code, "
        "taking and pinning memory and giving it back. *padded*: all voxels that are transformed. "
        "Errors: the largest of 100 voxels against sums in double precision, over the largest sum "
        "of |image| |kernel|.", "", *table(rows), "",
        f"![Throughput and memory of parts on a GPU, over R]({picture.name})", ""]),
        encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
