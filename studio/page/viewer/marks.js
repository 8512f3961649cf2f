// SPDX-License-Identifier: MIT
// What is drawn on top of the planes: outlines, cursor, caption, scale bar. Lengths are in pixels.
import { scaleBarUm } from "./contrast.js";

/** Draws [colour, path] pairs, whose paths are in pixels of a plane that `matrix` places. */
export function drawOutlines(context, lines, matrix, opacity) {
  context.lineWidth = 1.25;
  context.lineCap = "square";
  for (const [[r, g, b], path] of lines) {
    const placed = new Path2D();
    placed.addPath(path, matrix);
    context.strokeStyle = `rgb(${r} ${g} ${b} / ${opacity})`;
    context.stroke(placed);
  }
}

/** Draws the lines of the cursor, at these places, through a rectangle. */
export function drawCursor(context, at, x, y) {
  context.strokeStyle = "rgb(255 255 255 / 0.28)";
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(Math.round(x) + 0.5, at.y);
  context.lineTo(Math.round(x) + 0.5, at.y + at.height);
  context.moveTo(at.x, Math.round(y) + 0.5);
  context.lineTo(at.x + at.width, Math.round(y) + 0.5);
  context.stroke();
}

export function drawCaption(context, at, text) {
  context.font = "600 13px system-ui, sans-serif";
  const width = context.measureText(text).width + 14;
  context.fillStyle = "rgb(0 0 0 / 0.6)";
  context.fillRect(at.x + 6, at.y + 6, width, 22);
  context.fillStyle = "#fff";
  context.textBaseline = "middle";
  context.fillText(text, at.x + 13, at.y + 17.5);
}

/** Draws a scale bar into a rectangle whose scale is in pixels per um. */
export function drawScaleBar(context, at, scale) {
  const um = scaleBarUm((at.width * 0.3) / scale);
  const length = um * scale;
  const text = um >= 1 ? `${um} µm` : `${Number((um * 1000).toPrecision(1))} nm`;
  const [right, bottom] = [at.x + at.width - 12, at.y + at.height - 12];
  context.font = "600 13px system-ui, sans-serif";
  context.fillStyle = "rgb(0 0 0 / 0.55)";
  const padded = Math.max(length, context.measureText(text).width);
  context.fillRect(right - padded - 8, bottom - 26, padded + 14, 32);
  context.fillStyle = "#fff";
  context.fillRect(right - length, bottom - 3, length, 3);
  context.textBaseline = "alphabetic";
  context.textAlign = "right";
  context.fillText(text, right, bottom - 9);
  context.textAlign = "left";
}
