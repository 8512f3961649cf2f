# SPDX-License-Identifier: MIT
# docs/figures/tiles.py — strategy tiles: planes are cut, each tile has a ring of its own.
from drawing import COST, EDGE, FAINT, IMAGE, INK, PANEL, RESULT, SOFT, SPECTRUM, Drawing

TILES, TILE, HALO = 3, 100, 15  # tiles along each side; pixels of a tile and of its halo
LEFT, TOP = 66, 118


def plane(drawing):
    """One plane from above: results are disjoint, what is loaded for them overlaps."""
    side = TILES * TILE
    drawing.box(LEFT, TOP, side, side, IMAGE, IMAGE, fill_opacity=0.1)
    for i in range(1, TILES):
        drawing.line(LEFT + i * TILE, TOP, LEFT + i * TILE, TOP + side, IMAGE, 1,
                     stroke_opacity=0.5)
        drawing.line(LEFT, TOP + i * TILE, LEFT + side, TOP + i * TILE, IMAGE, 1,
                     stroke_opacity=0.5)
    for row, column, strong in ((0, 2, False), (1, 1, True)):
        x, y = LEFT + column * TILE, TOP + row * TILE
        drawing.box(x - HALO, y - HALO, TILE + 2 * HALO, TILE + 2 * HALO, COST, COST,
                    fill_opacity=0.22 if strong else 0.1, stroke_dasharray="5 4")
        drawing.box(x, y, TILE, TILE, RESULT, RESULT, fill_opacity=0.55 if strong else 0.2,
                    stroke_width=1.6)
    x, y = LEFT + TILE, TOP + TILE
    drawing.words(x + TILE / 2, y + TILE / 2 - 3, "results", 14, INK, "middle")
    drawing.words(x + TILE / 2, y + TILE / 2 + 15, "of a tile", 14, INK, "middle")
    drawing.brace(LEFT + TILE - HALO, LEFT + TILE, TOP + side + 8, "K / 2", COST)


def solid(drawing, x, y, width, height, depth, colour, opacity, **more):
    """A box seen from the front, left and above; `depth` goes right and up."""
    dx, dy = 0.82 * depth, -0.42 * depth
    faces = [[(x, y), (x + width, y), (x + width, y + height), (x, y + height)],
             [(x, y), (x + dx, y + dy), (x + width + dx, y + dy), (x + width, y)],
             [(x + width, y), (x + width + dx, y + dy), (x + width + dx, y + height + dy),
              (x + width, y + height)]]
    for face, shade in zip(faces, (1, 0.75, 0.5)):
        drawing.polygon(face, colour, fill_opacity=opacity * shade, stroke=colour,
                        stroke_opacity=0.8, stroke_linejoin="round", **more)


def volume(drawing, x, y, side, depth):
    """The volume, the column of one tile through it, and where its ring stands now."""
    tile = side / TILES
    halo = tile * HALO / TILE
    solid(drawing, x, y, side, side, depth, IMAGE, 0.05)
    for i in range(1, TILES):
        drawing.line(x + i * tile, y, x + i * tile, y + side, IMAGE, 1, stroke_opacity=0.3)
        drawing.line(x, y + i * tile, x + side, y + i * tile, IMAGE, 1, stroke_opacity=0.3)
    tx, ty, wide = x + tile - halo, y + tile - halo, tile + 2 * halo

    def at(z):
        return tx + 0.82 * z, ty - 0.42 * z

    solid(drawing, *at(0.72 * depth), wide, wide, 0.28 * depth, FAINT, 0.25)
    solid(drawing, *at(0.38 * depth), wide, wide, 0.34 * depth, SPECTRUM, 0.6)
    solid(drawing, *at(0), wide, wide, 0.38 * depth, RESULT, 0.3)
    ax, ay = x + side + 28, y + side + 6
    drawing.arrow(ax, ay, ax + 0.82 * 0.62 * depth, ay - 0.42 * 0.62 * depth)
    drawing.words(ax + 0.82 * 0.62 * depth + 10, ay - 0.42 * 0.62 * depth + 4, "z", 14, SOFT)
    return at


def legend(drawing, x, y, colour, opacity, text):
    drawing.box(x, y - 11, 14, 14, colour, colour, 3, fill_opacity=opacity)
    drawing.words(x + 22, y, text, 13, SOFT)


def draw():
    drawing = Drawing(1000, 540, "Tiles: rings inside pieces of planes",
                      "Planes are cut into tiles. Each tile is loaded with a halo of half a kernel "
                      "around it and is convolved by a ring along z; then comes the next tile.")
    drawing.heading(50, 48, "planes are cut; what is loaded for a tile overlaps its neighbours'")
    drawing.paragraph(50, 70, ["one plane, seen from above"])
    plane(drawing)
    y = TOP + TILES * TILE + 62
    legend(drawing, LEFT, y, RESULT, 0.55, "finished by this tile")
    legend(drawing, LEFT, y + 25, COST, 0.22, "its halo: read and transformed again")

    drawing.paragraph(478, 70, ["the volume: one tile after the other, each with a ring along z"])
    volume(drawing, 486, 232, 220, 260)
    legend(drawing, 486, y, SPECTRUM, 0.6, "the ring of this tile, now")
    legend(drawing, 486, y + 25, RESULT, 0.3, "stored already")
    drawing.box(776, y - 28, 190, 68, PANEL, EDGE, 10)
    drawing.paragraph(792, y - 3, ["the kernel is placed and", "transformed once for all"],
                      fill=INK, leading=19)
    return drawing.text()
