# SPDX-License-Identifier: MIT
"""many_gpus_figure.py SVG MANY.json [SIMULATE.json] — how runs scale with GPUs, as measured by
gpu_many_bench and gpu_many_simulate_bench (dots), and as the planner predicts (dashed)."""
import json
import math
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "docs" / "figures"))
from drawing import COST, FAINT, IMAGE, INK, KERNEL, RESULT, SOFT, SPECTRUM, Drawing  # noqa: E402

GPUS = [1, 2, 4, 8]
COLOURS = {"float32, pinned": IMAGE, "uint16, pinned": "#3f7fb0", "float32, resident": KERNEL,
           "float32, ordinary": COST, "uint16, ordinary": "#a8565b", "simulated volume": RESULT}
LEAST, MOST = 0.8, 8.8  # speed-ups that are drawn


def curves_of(many, simulated, grows):
    """name -> {GPUs: speed-up}, of as much work for all of them, or for each."""
    curves = {}
    largest = max(row["edge"] for row in many["rows"] if not row["grows"])
    for row in many["rows"]:
        if row["grows"] != grows or (not grows and row["edge"] != largest):
            continue
        name = f"{row['type']}, {row['where']}"
        curves.setdefault(name, {})[row["devices"]] = row["speedup"]
    for row in [] if grows else simulated["rows"]:
        name = row["what"].split(",")[0].split(" of ")[0].removeprefix("a ")
        curves.setdefault(f"simulated {name}", {})[row["devices"]] = row["speedup"]
    return curves


def predictions_of(many):
    """name -> {GPUs of one machine: speed-up} of the planner."""
    predictions = {}
    for one in many["projections"]:
        runs = [run for run in one["runs"] if run["machines"] == 1]
        name = ", ".join(one["volume"].split()[-2:])
        predictions[name] = {run["gpus"]: runs[0]["seconds"] / run["seconds"] for run in runs}
    return predictions


class Panel:
    def __init__(self, drawing, left, title):
        self.drawing, self.left, self.right = drawing, left, left + 300
        self.top, self.bottom = 76, 400
        drawing.heading(left, 52, title)
        for speed in GPUS:
            y = self.at(1, speed)[1]
            drawing.line(left, y, self.right, y, FAINT, 0.6)
            drawing.words(left - 10, y + 4, f"{speed}x", 12, SOFT, "end")
        for count in GPUS:
            drawing.words(self.at(count, 1)[0], self.bottom + 24, f"{count}", 12, SOFT, "middle")
        drawing.words((left + self.right) / 2, self.bottom + 44, "GPUs", 12, SOFT, "middle")
        self.polyline({count: count for count in GPUS}, FAINT, "2 4")

    def at(self, count, speed):
        steps = math.log2(count)  # doubled numbers of GPUs are equally spaced
        return (self.left + 12 + steps * (self.right - self.left - 24) / 3,
                self.bottom - math.log(speed / LEAST) / math.log(MOST / LEAST)
                * (self.bottom - self.top))

    def polyline(self, values, colour, dashes=None):
        points = [self.at(count, speed) for count, speed in sorted(values.items())]
        for (x1, y1), (x2, y2) in zip(points, points[1:]):
            self.drawing.line(x1, y1, x2, y2, colour, 2, stroke_dasharray=dashes)

    def curve(self, name, values, predicted, colour, place):
        if predicted:
            self.polyline(predicted, colour, "6 4")
        self.polyline(values, colour)
        for count, speed in values.items():
            self.drawing.circle(*self.at(count, speed), 4.5, colour)
        x, y = self.left + 16, self.top + 22 + 17 * place
        self.drawing.circle(x, y - 4, 4, colour)
        self.drawing.words(x + 12, y, name, 12, INK)


def main(picture, many, simulated=None):
    many = json.loads(pathlib.Path(many).read_text(encoding="utf-8"))
    simulated = (json.loads(pathlib.Path(simulated).read_text(encoding="utf-8")) if simulated
                 else {"rows": []})
    drawing = Drawing(780, 470, "Scaling with GPUs",
                      "Speed-up with the number of GPUs, for the same work in total and the same "
                      "work per GPU; measured, and predicted by the planner.")
    drawing.words(60, 28, "dots: measured; dashed: predicted by the planner; dotted: ideal", 13,
                  SOFT)
    predicted = predictions_of(many)
    for left, title, grows in ((60, "The same work in total", False),
                               (450, "The same work per GPU", True)):
        panel = Panel(drawing, left, title)
        for place, (name, values) in enumerate(curves_of(many, simulated, grows).items()):
            panel.curve(name, values, None if grows else predicted.get(name),
                        COLOURS.get(name, SPECTRUM), place)
    pathlib.Path(picture).write_text(drawing.text(), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
