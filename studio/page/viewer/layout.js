// SPDX-License-Identifier: MIT
// Where planes lie on a canvas. All lengths of a rectangle are in CSS pixels.

const gap = 6;

/**
 * Returns rectangles {kind, x, y, width, height} for the planes XY, XZ below it and YZ at its
 * right, or for all three in one column if they are larger there, with one scale in pixels per um;
 * a single plane gets all the space.
 */
export function sliceRectangles(width, height, [z, y, x], single) {
  if (single) {
    const scale = Math.min(width / x, height / y);
    const [left, top] = [(width - x * scale) / 2, (height - y * scale) / 2];
    const plane = { kind: "xy", x: left, y: top, width: x * scale, height: y * scale };
    return { scale, planes: [plane] };
  }
  const scale = Math.min((width - gap) / (x + z), (height - gap) / (y + z));
  const narrow = columnRectangles(width, height, [z, y, x]);
  if (narrow.scale > scale) return narrow;
  const [w, h, d] = [x * scale, y * scale, z * scale];
  const left = Math.max(0, (width - w - gap - d) / 2);
  const top = Math.max(0, (height - h - gap - d) / 2);
  return {
    scale,
    planes: [
      { kind: "xy", x: left, y: top, width: w, height: h },
      { kind: "xz", x: left, y: top + h + gap, width: w, height: d },
      { kind: "yz", x: left + w + gap, y: top, width: d, height: h },
    ],
  };
}

/** Returns rectangles for XY, XZ and ZY in one column, which suits a narrow canvas. */
function columnRectangles(width, height, [z, y, x]) {
  const scale = Math.min(width / Math.max(x, y), (height - 2 * gap) / (y + 2 * z));
  const [w, h, d] = [x * scale, y * scale, z * scale];
  const left = (width - Math.max(w, h)) / 2;
  const top = Math.max(0, (height - h - 2 * d - 2 * gap) / 2);
  return {
    scale,
    planes: [
      { kind: "xy", x: left, y: top, width: w, height: h },
      { kind: "xz", x: left, y: top + h + gap, width: w, height: d },
      { kind: "zy", x: left, y: top + h + d + 2 * gap, width: h, height: d },
    ],
  };
}

/**
 * Returns a layout {scale, planes} that is shrunk, if it is larger, to the scale that the planes of
 * a stack of `um` have on the same canvas; unchanged if `um` is not given.
 */
export function scaledLike(um, width, height, { scale, planes }) {
  const wanted = um ? sliceRectangles(width, height, um, false).scale : scale;
  if (wanted >= scale) return { scale, planes };
  const factor = wanted / scale;
  const about = (middle, at) => middle + (at - middle) * factor;
  return {
    scale: wanted,
    planes: planes.map((plane) => ({
      ...plane, x: about(width / 2, plane.x), y: about(height / 2, plane.y),
      width: plane.width * factor, height: plane.height * factor,
    })),
  };
}

/** Returns rectangles for `count` XY planes in rows and columns, each as large as possible. */
export function tileRectangles(width, height, [, y, x], count) {
  let best = { scale: 0 };
  for (let columns = 1; columns <= count; columns += 1) {
    const rows = Math.ceil(count / columns);
    const scale = Math.min((width - gap * (columns - 1)) / columns / x,
      (height - gap * (rows - 1)) / rows / y);
    if (scale > best.scale) best = { scale, columns, rows };
  }
  const { scale, columns, rows } = best;
  const [w, h] = [x * scale, y * scale];
  const left = (width - columns * w - (columns - 1) * gap) / 2;
  const top = (height - rows * h - (rows - 1) * gap) / 2;
  const planes = Array.from({ length: count }, (_, at) => ({
    kind: "xy", width: w, height: h,
    x: left + (at % columns) * (w + gap), y: top + Math.floor(at / columns) * (h + gap),
  }));
  return { scale, planes };
}

/** The axes of a plane: along its width, along its height, and the one across it. */
export const planeAxes = {
  xy: { across: "x", down: "y", through: "z" },
  xz: { across: "x", down: "z", through: "y" },
  yz: { across: "z", down: "y", through: "x" },
  zy: { across: "y", down: "z", through: "x" },
};
