// SPDX-License-Identifier: MIT
// Which part of a stack is shown: as much of every axis, so that all planes have one scale.

const mostZoom = 64;
const axes = ["z", "y", "x"];

/** Everything. `zoom` is 1 or more, and `centre` has shares of the axes from 0 to 1. */
export const everything = { zoom: 1, centre: { z: 0.5, y: 0.5, x: 0.5 } };

/** Returns the part {from, length} of an axis that is shown, as shares of the axis. */
export function spanOf({ zoom, centre }, axis) {
  return { from: centre[axis] - 0.5 / zoom, length: 1 / zoom };
}

/** Returns a window whose parts lie within the axes. */
function inside(zoom, centre) {
  const least = 0.5 / zoom;
  return {
    zoom,
    centre: Object.fromEntries(axes.map((axis) =>
      [axis, Math.min(1 - least, Math.max(least, centre[axis]))])),
  };
}

/** Returns the window that is `factor` times larger, with the same place at the shares `at`. */
export function zoomedAt(window, factor, at) {
  const zoom = Math.min(mostZoom, Math.max(1, window.zoom * factor));
  const centre = {};
  for (const axis of axes) {
    const { from, length } = spanOf(window, axis);
    centre[axis] = at[axis] + (0.5 - (at[axis] - from) / length) / zoom;
  }
  return inside(zoom, centre);
}

/** Returns the window moved by shares of the axes {z, y, x}, of which some may be missing. */
export function movedBy({ zoom, centre }, by) {
  return inside(zoom,
    Object.fromEntries(axes.map((axis) => [axis, centre[axis] + (by[axis] ?? 0)])));
}

/** Returns the window, moved as little as possible, so that it shows a place. */
export function showing(window, at) {
  const by = {};
  for (const axis of axes) {
    const { from, length } = spanOf(window, axis);
    by[axis] = Math.min(0, at[axis] - from) + Math.max(0, at[axis] - from - length);
  }
  return movedBy(window, by);
}
