# SPDX-License-Identifier: MIT
# docs/figures/parts.py — strategy parts: decimation in frequency along z, at half-integer places.
import math

from drawing import EDGE, FAINT, IMAGE, INK, KERNEL, PANEL, PAPER, RESULT, SOFT, SPECTRUM, Drawing

R, M = 2, 4
P, N = 2 * R, 2 * R * M
PART_COLOURS = [SPECTRUM, KERNEL]
CELL = 24


def cells(drawing, x, y, count, colour, opacity, height=24, label=None):
    for i in range(count):
        drawing.box(x + i * CELL + 1.5, y, CELL - 3, height, colour, colour, 3,
                    fill_opacity=opacity)
        if label:
            drawing.words(x + (i + 0.5) * CELL, y + height - 7, label(i), 11, INK, "middle")


def circle_of_frequencies(drawing, x, y, radius):
    """All N frequencies k + 1/2: part p has k = p, p + P, ...; the others are its conjugates."""
    drawing.circle(x, y, radius, "none", stroke=FAINT)
    drawing.line(x - radius - 18, y, x + radius + 18, y, FAINT, 1, stroke_dasharray="3 4")
    for k in range(N):
        angle = 2 * math.pi * (k + 0.5) / N
        px, py = x + radius * math.cos(angle), y - radius * math.sin(angle)
        part = k % P
        ours = part < R
        colour = PART_COLOURS[part if ours else P - 1 - part]
        drawing.circle(px, py, 9 if ours else 6, colour if ours else PAPER, stroke=colour,
                       stroke_width=1.6)
        if ours:
            drawing.words(px, py + 4, str(k), 11, "#0e1116", "middle", font_weight="bold")
    drawing.words(x, y - 14, "frequencies", 13, INK, "middle")
    drawing.words(x, y + 22, "k + ½", 15, INK, "middle")


def part_row(drawing, p, y):
    colour = PART_COLOURS[p]
    drawing.words(50, y + 18, f"part {p}", 15, colour, font_weight="bold")
    cells(drawing, 130, y, M, colour, 0.35)
    cells(drawing, 130, y + 27, M, colour, 0.35)
    drawing.words(130 + M * CELL + 10, y + 18, "real", 12, SOFT)
    drawing.words(130 + M * CELL + 10, y + 45, "imaginary", 12, SOFT)
    drawing.arrow(312, y + 26, 356, y + 26, colour)
    drawing.box(366, y - 4, 176, 60, PANEL, colour, 8, stroke_opacity=0.7)
    drawing.words(454, y + 20, "cyclic convolution", 13, INK, "middle")
    drawing.words(454, y + 39, f"of M planes with g{'₀₁'[p]}", 13, SOFT, "middle")
    drawing.arrow(552, y + 26, 594, y + 26, colour)
    cells(drawing, 604, y, M, colour, 0.8)
    cells(drawing, 604, y + 27, M, colour, 0.8)


def fold(drawing, y, down):
    """Every part takes planes from each slab, turned by the part's own phase."""
    slabs = [78 + (q + 0.5) * M * CELL + 16 * q for q in range(P)]
    for q, x in enumerate(slabs):
        cells(drawing, x - M * CELL / 2, y, M, IMAGE if down else RESULT, 0.5,
              label=lambda i, q=q: str(q * M + i))
        drawing.words(x, y - 10, f"slab {q}", 12, SOFT, "middle")
    return slabs


def draw():
    drawing = Drawing(1000, 640, "Parts: decimation in frequency",
                      "The z axis is cut into P = 2 R slabs of M planes. They are folded into R "
                      "complex parts, each a cyclic convolution of its own, and unfolded again.")
    drawing.heading(50, 48, "fold: slabs on top of each other, each turned by the part's phase",
                    IMAGE)
    drawing.words(50, 73, "fₚ[m] = Σ exp(-i θₚ z) f[z]  over all z = m + qM,     "
                          "θₚ = 2π (p + ½) / N", 14)
    slabs = fold(drawing, 116, True)
    for x in slabs:
        drawing.arrow(x, 146, 178 + (x - 290) * 0.16, 196, IMAGE, 1.4)
    drawing.words(340, 190, f"N = {N} planes, P = {P} slabs of M = {M}, R = {R} parts", 12, SOFT)
    for p in range(R):
        part_row(drawing, p, 214 + 86 * p)
    y = 490
    slabs = fold(drawing, y, False)
    for x in slabs:
        drawing.arrow(652 + (x - 290) * 0.06, 370, x, y - 28, RESULT, 1.4)
    drawing.heading(50, 556, "unfold: every slab from the same parts, turned back", RESULT)
    drawing.words(50, 582, "h[z] = (2 / P) Re Σₚ exp(i θₚ z) cₚ[z mod M],  p < R", 14, INK)
    drawing.paragraph(50, 608, ["A part is M complex planes: one R-th of the axis, whatever the "
                                "kernel's size."])

    circle_of_frequencies(drawing, 834, 190, 98)
    drawing.paragraph(834, 330, ["a part owns every P-th frequency;",
                                 "open circles are conjugates,", "known for free"],
                      anchor="middle")
    drawing.box(728, 404, 230, 96, PANEL, EDGE, 10)
    drawing.paragraph(746, 428, ["At half-integer places no", "frequency is its own conjugate:",
                                 "the parts are all alike, and", "none needs another."], fill=INK)
    return drawing.text()
