# SPDX-License-Identifier: MIT
# docs/figures/drawing.py — a small pencil that writes SVG: shapes, words, arrows, leaning planes.
"""Colours are opaque on paper of their own, so that a figure looks the same on light and on dark
pages. Lengths are pixels, y grows downwards."""
import math

PAPER, PANEL, EDGE = "#11141b", "#191d27", "#2c3342"
INK, SOFT, FAINT = "#eceff4", "#a3adbd", "#4a5467"
IMAGE, KERNEL, SPECTRUM, RESULT, COST = "#5bb8f5", "#f7b955", "#b794f6", "#69d69e", "#f2777a"
FONT = "Helvetica, Arial, 'DejaVu Sans', sans-serif"


def number(value):
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def attributes(values):
    words = ((key.rstrip("_").replace("_", "-"), value) for key, value in values.items())
    return "".join(f' {key}="{number(value) if isinstance(value, (int, float)) else value}"'
                   for key, value in words if value is not None)


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class Drawing:
    """Elements in painting order; `text()` is the whole file."""

    def __init__(self, width, height, title, description):
        self._size = (width, height)
        self._head = (f"<title>{escaped(title)}</title>", f"<desc>{escaped(description)}</desc>")
        self._elements = []
        self.box(0.5, 0.5, width - 1, height - 1, fill=PAPER, stroke=EDGE, radius=14)

    def add(self, name, content=None, **values):
        body = f">{content}</{name}>" if content is not None else "/>"
        self._elements.append(f"<{name}{attributes(values)}{body}")

    def box(self, x, y, width, height, fill="none", stroke=None, radius=0, **more):
        self.add("rect", x=x, y=y, width=width, height=height, rx=radius or None, fill=fill,
                 stroke=stroke, **more)

    def line(self, x1, y1, x2, y2, stroke=FAINT, width=1, **more):
        self.add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=stroke, stroke_width=width, **more)

    def circle(self, x, y, radius, fill="none", **more):
        self.add("circle", cx=x, cy=y, r=radius, fill=fill, **more)

    def polygon(self, points, fill="none", **more):
        self.add("polygon", points=" ".join(f"{number(x)},{number(y)}" for x, y in points),
                 fill=fill, **more)

    def path(self, steps, stroke=SOFT, width=1.5, fill="none", **more):
        self.add("path", d=steps, stroke=stroke, stroke_width=width, fill=fill, **more)

    def words(self, x, y, text, size=14, fill=INK, anchor="start", **more):
        self.add("text", escaped(text), x=x, y=y, font_size=size, fill=fill,
                 text_anchor=anchor if anchor != "start" else None, **more)

    def heading(self, x, y, text, fill=INK, anchor="start"):
        self.words(x, y, text, 16, fill, anchor, font_weight="bold")

    def paragraph(self, x, y, lines, size=13, fill=SOFT, anchor="start", leading=18):
        for i, line in enumerate(lines):
            self.words(x, y + i * leading, line, size, fill, anchor)

    def arrow(self, x1, y1, x2, y2, stroke=SOFT, width=1.8, bend=0):
        """From the first point to the second, bent by `bend` pixels to its left."""
        dx, dy = x2 - x1, y2 - y1
        length = math.hypot(dx, dy)
        cx = (x1 + x2) / 2 + bend * dy / length
        cy = (y1 + y2) / 2 - bend * dx / length
        angle = math.atan2(y2 - cy, x2 - cx)
        tip = 8
        ex, ey = x2 - 0.7 * tip * math.cos(angle), y2 - 0.7 * tip * math.sin(angle)
        self.path(f"M{number(x1)} {number(y1)}Q{number(cx)} {number(cy)} {number(ex)} {number(ey)}",
                  stroke, width, stroke_linecap="round")
        wings = [(x2 - tip * math.cos(angle + side), y2 - tip * math.sin(angle + side))
                 for side in (-0.42, 0.42)]
        self.polygon([(x2, y2), *wings], fill=stroke)

    def brace(self, x1, x2, y, text, fill=SOFT, size=13, down=True):
        """A bracket under (or over) a stretch, with its name."""
        side = 6 if down else -6
        self.path(f"M{number(x1)} {number(y)}v{side}H{number(x2)}v{-side}", fill, 1.2)
        self.words((x1 + x2) / 2, y + (24 if down else -13), text, size, fill, "middle")

    def text(self):
        width, height = self._size
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                f'viewBox="0 0 {width} {height}" font-family="{FONT}" role="img">')
        return "\n".join([head, *self._head, *self._elements, "</svg>", ""])


class LeaningPlane:
    """A plane of a stack seen from the side: x runs right and up, y runs down."""

    def __init__(self, x, y, width, height, rise):
        self.x, self.y, self.width, self.height, self.rise = x, y, width, height, rise

    def at(self, across, down):
        """The pixel of a point in [0, 1] x [0, 1] of the plane."""
        return (self.x + across * self.width, self.y + down * self.height - across * self.rise)

    def corners(self, left=0, top=0, right=1, bottom=1):
        return [self.at(left, top), self.at(right, top), self.at(right, bottom),
                self.at(left, bottom)]

    def draw(self, drawing, colour, opacity=0.22, dashed=False):
        drawing.polygon(self.corners(), fill="none" if dashed else colour,
                        fill_opacity=None if dashed else opacity, stroke=colour,
                        stroke_opacity=0.55 if dashed else 0.95, stroke_width=1.2,
                        stroke_dasharray="4 4" if dashed else None, stroke_linejoin="round")

    def blot(self, drawing, across, down, size, colour, opacity=1.0):
        """A round spot, foreshortened as the plane is."""
        x, y = self.at(across, down)
        shear = math.degrees(math.atan2(-self.rise, self.width))
        drawing.add("ellipse", cx=0, cy=0, rx=size * 0.62, ry=size, fill=colour,
                    fill_opacity=opacity,
                    transform=f"translate({number(x)} {number(y)}) skewY({number(shear)})")
