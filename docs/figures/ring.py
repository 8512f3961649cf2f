# SPDX-License-Identifier: MIT
# docs/figures/ring.py — strategy ring: overlap-save along z on plane spectra.
import math

from drawing import EDGE, FAINT, IMAGE, INK, PANEL, RESULT, SOFT, SPECTRUM, Drawing

PLANES, KERNEL_PLANES, CENTRE, TRANSFORM = 18, 5, 2, 8
RESULTS_A_TURN = TRANSFORM - KERNEL_PLANES + 1
CELL, LEFT, TOP, ROW = 25, 112, 138, 66


def turns():
    """First new plane, planes the results need, results: as ring_turns.cpp of fftconv does."""
    loaded = 0
    for first in range(0, PLANES, RESULTS_A_TURN):
        results = range(first, min(first + RESULTS_A_TURN, PLANES))
        window = range(max(0, first + CENTRE - (KERNEL_PLANES - 1)),
                       min(PLANES, results.stop + CENTRE))
        yield range(max(loaded, window.start), window.stop), window, results
        loaded = window.stop


def cell(drawing, plane, y, height, colour, opacity, **more):
    drawing.box(LEFT + plane * CELL + 1.5, y, CELL - 3, height, colour, colour, 3,
                fill_opacity=opacity, **more)


def draw_turn(drawing, number, fresh, window, results):
    y = TOP + number * ROW
    drawing.words(LEFT - 18, y + 17, f"turn {number + 1}", 13, INK, "end")
    for plane in range(PLANES):
        cell(drawing, plane, y, 22, FAINT, 0, stroke_opacity=0.5)
    for plane in window:
        new = plane in fresh
        cell(drawing, plane, y, 22, IMAGE if new else SPECTRUM, 0.9 if new else 0.32)
    for plane in results:
        cell(drawing, plane, y + 27, 12, RESULT, 0.85)


def draw_ring(drawing, x, y, radius, turn):
    """Plane p stands in slot p mod T; what comes new overwrites what no result needs any more."""
    fresh, window, _ = turn
    held = {plane % TRANSFORM: plane for plane in window}
    for slot in range(TRANSFORM):
        low, high = (2 * math.pi * ((slot + side) / TRANSFORM) - math.pi / 2
                     for side in (0.03, 0.97))
        outer, inner = radius, radius * 0.58
        points = [(x + r * math.cos(a), y + r * math.sin(a))
                  for r, a in ((outer, low), (outer, high), (inner, high), (inner, low))]
        (x1, y1), (x2, y2), (x3, y3), (x4, y4) = points
        new = held.get(slot) in fresh
        colour = IMAGE if new else SPECTRUM
        drawing.path(f"M{x1:.1f} {y1:.1f}A{outer} {outer} 0 0 1 {x2:.1f} {y2:.1f}"
                     f"L{x3:.1f} {y3:.1f}A{inner:.1f} {inner:.1f} 0 0 0 {x4:.1f} {y4:.1f}Z",
                     colour, 1.2, colour, fill_opacity=0.85 if new else 0.28)
        middle = (low + high) / 2
        drawing.words(x + 0.79 * radius * math.cos(middle),
                      y + 0.79 * radius * math.sin(middle) + 5, str(held[slot]), 15,
                      "#0e1116" if new else INK, "middle", font_weight="bold")
        drawing.words(x + 1.13 * radius * math.cos(middle),
                      y + 1.13 * radius * math.sin(middle) + 4, str(slot), 11, SOFT, "middle")
    drawing.words(x, y - 2, "turn 3", 14, INK, "middle")
    drawing.words(x, y + 16, f"{TRANSFORM} slots", 12, SOFT, "middle")


def legend(drawing, x, y, colour, opacity, text):
    drawing.box(x, y - 11, 14, 14, colour, colour, 3, fill_opacity=opacity)
    drawing.words(x + 22, y, text, 13, SOFT)


def draw():
    drawing = Drawing(1000, 536, "Ring: overlap-save along z",
                      "A ring of eight plane spectra moves along the z axis. Each turn loads four "
                      "new planes and finishes four results; four planes stay from the turn "
                      "before. Every plane is read and transformed once.")
    drawing.heading(50, 48, "a window of T planes moves along z, V = T - K + 1 results a turn")
    drawing.paragraph(50, 70, [f"drawn: {PLANES} planes, a kernel of K = {KERNEL_PLANES}, a "
                               f"transform of T = {TRANSFORM}, so V = {RESULTS_A_TURN}"])
    every = list(turns())
    for plane in range(PLANES):
        drawing.words(LEFT + (plane + 0.5) * CELL, TOP - 14, str(plane), 11, SOFT, "middle")
    drawing.words(LEFT - 18, TOP - 14, "plane", 12, SOFT, "end")
    for number, turn in enumerate(every):
        draw_turn(drawing, number, *turn)

    y = TOP + len(every) * ROW + 14
    legend(drawing, LEFT, y, IMAGE, 0.9, "read and transformed now, once")
    legend(drawing, LEFT + 258, y, SPECTRUM, 0.32, "spectrum still in the ring")
    legend(drawing, LEFT, y + 26, RESULT, 0.85, "finished")

    draw_ring(drawing, 800, 232, 112, every[2])
    drawing.box(612, 384, 362, 106, PANEL, EDGE, 10)
    drawing.paragraph(632, 412, ["Plane p stands in slot p mod T: nothing is moved."], fill=INK)
    drawing.paragraph(632, 434, ["What overlaps is paid for in the columns alone,",
                                 f"T / V = {TRANSFORM / RESULTS_A_TURN:g} here; never in reading,",
                                 "and never in a plane's own transform."])
    return drawing.text()
