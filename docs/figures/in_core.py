# SPDX-License-Identifier: MIT
# docs/figures/in_core.py — strategy in-core: planes, columns, planes.
from drawing import (IMAGE, INK, KERNEL, PANEL, RESULT, SOFT, SPECTRUM, Drawing,
                     LeaningPlane)

# Nuclei of the drawn volume: across, down, plane they are brightest in, size.
NUCLEI = [(0.32, 0.30, 1, 11), (0.68, 0.62, 3, 13), (0.35, 0.78, 4, 9), (0.70, 0.22, 5, 8)]
IMAGE_PLANES, KERNEL_PLANES, TRANSFORM = 6, 3, 8
STEP = 24


def planes_at(x, y, count, width=74, height=128, rise=38, step=STEP):
    return [LeaningPlane(x + i * step, y, width, height, rise) for i in range(count)]


def image_stack(drawing, x, y):
    for z, plane in enumerate(planes_at(x, y, IMAGE_PLANES)):
        plane.draw(drawing, IMAGE)
        for across, down, middle, size in NUCLEI:
            if abs(z - middle) <= 1:
                plane.blot(drawing, across, down, size * (1 - 0.3 * abs(z - middle)), IMAGE, 0.85)


def result_stack(drawing, x, y):
    for z, plane in enumerate(planes_at(x, y, IMAGE_PLANES)):
        plane.draw(drawing, RESULT, 0.18)
        for across, down, middle, size in NUCLEI:
            distance = abs(z - middle)
            if distance <= 2:
                for ring in range(4):
                    plane.blot(drawing, across, down, size * (0.7 + 0.3 * ring + 0.25 * distance),
                               RESULT, 0.2 / (1 + 0.6 * distance))


def spectrum_stack(drawing, x, y, stored, padded, colour, width=74, height=128, rise=38, step=STEP):
    """Plane spectra, and the padding that nobody stores; one column runs through all of them."""
    planes = planes_at(x, y, stored + padded, width, height, rise, step)
    points = []
    for z, plane in enumerate(planes):
        plane.draw(drawing, colour, 0.16, dashed=z >= stored)
        if z < stored:
            for k in range(1, 6):
                (x1, y1), (x2, y2) = plane.at(k / 6, 0.06), plane.at(k / 6, 0.94)
                drawing.line(x1, y1, x2, y2, colour, 0.8, stroke_opacity=0.45)
        points.append(plane.at(0.5, 0.42))
    drawing.line(*points[0], *points[-1], INK, 1.4, stroke_opacity=0.8)
    for z, (px, py) in enumerate(points):
        drawing.circle(px, py, 4, INK if z < stored else "#11141b", stroke=INK, stroke_width=1.2)
    return points


def cells(drawing, x, y, filled, total, colour, size=17):
    for i in range(total):
        drawing.box(x + i * (size + 2), y, size, size, colour if i < filled else "none", colour, 3,
                    fill_opacity=0.8 if i < filled else None,
                    stroke_dasharray=None if i < filled else "3 3")
    return x + total * (size + 2)


def column_panel(drawing, x, y):
    drawing.box(x, y, 590, 132, PANEL, radius=10)
    drawing.heading(x + 20, y + 28, "2  columns, one after the other, in the cache")
    row = y + 62
    end = cells(drawing, x + 20, row, IMAGE_PLANES, TRANSFORM, SPECTRUM)
    drawing.paragraph(x + 20, row + 38, ["gathered from planes;", "padding is absent"])
    drawing.arrow(end + 6, row + 9, end + 76, row + 9)
    drawing.words(end + 40, row - 1, "FFT", 12, SOFT, "middle")
    times = end + 96
    drawing.circle(times, row + 9, 13, "none", stroke=KERNEL, stroke_width=1.6)
    drawing.words(times, row + 14, "×", 17, KERNEL, "middle")
    drawing.paragraph(times, row + 38, ["the kernel's column,", "transformed too"], fill=KERNEL,
                      anchor="middle")
    drawing.arrow(times + 20, row + 9, times + 90, row + 9)
    drawing.words(times + 54, row - 1, "inverse", 12, SOFT, "middle")
    end = cells(drawing, times + 102, row, IMAGE_PLANES, TRANSFORM, RESULT)
    drawing.paragraph(end - TRANSFORM * 19, row + 38,
                      ["only wanted results", "are written back"])


def draw():
    drawing = Drawing(1000, 520, "In-core: planes, columns, planes",
                      "Every image plane is transformed along x and y. Every column along z is "
                      "then transformed, multiplied by the kernel's column and transformed back. "
                      "Planes that are wanted are transformed back and stored.")
    drawing.heading(50, 48, "1  planes in", IMAGE)
    drawing.paragraph(50, 70, ["read once, in their own type"])
    image_stack(drawing, 50, 152)
    drawing.arrow(262, 190, 330, 190)
    drawing.paragraph(296, 164, ["FFT x, y"], anchor="middle")

    drawing.heading(352, 48, "spectra of planes", SPECTRUM)
    drawing.paragraph(352, 70, ["half of each plane is enough: voxels are real"])
    spectrum_stack(drawing, 352, 152, IMAGE_PLANES, TRANSFORM - IMAGE_PLANES, SPECTRUM)
    drawing.paragraph(352 + IMAGE_PLANES * STEP + 112, 128,
                      ["planes of", "zeros cost", "nothing"], fill=SOFT)

    drawing.arrow(652, 216, 720, 216)
    drawing.paragraph(686, 242, ["inverse", "FFT y, x"], anchor="middle")
    drawing.heading(742, 48, "3  planes out", RESULT)
    drawing.paragraph(742, 70, ["cropped, rounded, stored"])
    result_stack(drawing, 742, 152)

    drawing.arrow(446, 292, 446, 350)
    drawing.arrow(466, 350, 466, 292)
    column_panel(drawing, 352, 358)

    drawing.heading(50, 362, "the kernel", KERNEL)
    drawing.paragraph(50, 384, ["its few planes, the same way"])
    spectrum_stack(drawing, 60, 426, KERNEL_PLANES, 0, KERNEL, 52, 64, 22, 28)
    drawing.arrow(196, 440, 340, 428, KERNEL)
    drawing.paragraph(206, 470, ["placed around z = 0", "as it is gathered"])
    return drawing.text()
