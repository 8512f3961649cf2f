// SPDX-License-Identifier: MIT
// Which part of the scene is previewed: its size, its place on a map of the scene, and the frame.
import { element, menu } from "../base/dom.js";

const largestDepth = 48;
const mapSide = 76;

/**
 * Returns the region {origin, extent} of a grid around a centre {z, y, x} of shares from 0 to 1, at
 * most `largest` voxels along y and x and 48 along z; an infinite `largest` takes the whole grid.
 */
export function regionOf(extent, largest, centre) {
  const limits = [Number.isFinite(largest) ? largestDepth : Infinity, largest, largest];
  const size = extent.map((n, axis) => Math.min(n, limits[axis]));
  const origin = size.map((n, axis) => {
    const start = Math.round([centre.z, centre.y, centre.x][axis] * extent[axis] - n / 2);
    return Math.min(extent[axis] - n, Math.max(0, start));
  });
  return { origin, extent: size };
}

/** Shows the map; `changed` is called whenever another region or frame is to be previewed. */
export class RegionPicker {
  constructor(box, changed) {
    this.changed = changed;
    this.largest = 192;
    this.centre = { z: 0.5, y: 0.5, x: 0.5 };
    this.grid = null;
    this.map = element("canvas", {
      class: "map", tabindex: 0, role: "application", width: mapSide, height: mapSide,
      on: {
        pointerdown: (event) => this.pointed(event),
        keydown: (event) => this.pressed(event),
      },
    });
    this.frame = element("input", {
      id: "frame", type: "number", min: 0, max: 0, value: 0, step: 1,
      on: { change: () => changed() },
    });
    this.frameBox = element("span", { class: "labelled" },
      element("label", { for: "frame", text: "frame" }), this.frame);
    const sizes = ["96", "192", "384"].map((size) => [size, size]);
    box.replaceChildren(this.map, element("div", { class: "region-inputs" },
      menu("voxels", "region-size", [...sizes, ["all", "all"]], "192", (size) => {
        this.largest = size === "all" ? Infinity : Number(size);
        this.draw();
        changed();
      }), this.frameBox));
  }

  /** Takes the grid {extent, voxel_um} and the number of frames of a scene. */
  take(grid, frames) {
    if (String(grid.extent) !== String(this.grid?.extent)) this.centre = { z: 0.5, y: 0.5, x: 0.5 };
    this.grid = grid;
    this.frame.max = Math.max(0, frames - 1);
    if (Number(this.frame.value) > frames - 1) this.frame.value = 0;
    this.frameBox.hidden = frames < 2;
    this.draw();
  }

  region() {
    return regionOf(this.grid.extent, this.largest, this.centre);
  }

  frameNumber() {
    return Math.min(Number(this.frame.max), Math.max(0, Math.round(Number(this.frame.value)) || 0));
  }

  pointed(event) {
    const [, width, height] = this.size();
    this.move(event.offsetX / width, event.offsetY / height);
  }

  pressed(event) {
    const step = {
      ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
    }[event.key];
    if (!step) return;
    event.preventDefault();
    this.move(this.centre.x + step[0] / 16, this.centre.y + step[1] / 16);
  }

  move(x, y) {
    const inside = (share) => Math.min(1, Math.max(0, share));
    this.centre = { ...this.centre, x: inside(x), y: inside(y) };
    this.draw();
    this.changed();
  }

  /** Returns the scale in pixels per voxel of x, and the size of the map in pixels. */
  size() {
    const { extent: [, rows, columns], voxel_um: [, dy, dx] } = this.grid;
    const scale = mapSide / Math.max(columns, (rows * dy) / dx);
    return [scale, columns * scale, rows * (dy / dx) * scale];
  }

  draw() {
    if (!this.grid) return;
    const [, width, height] = this.size();
    const { extent } = this.grid;
    const region = this.region();
    const context = this.map.getContext("2d");
    const style = getComputedStyle(this.map);
    context.clearRect(0, 0, mapSide, mapSide);
    context.fillStyle = style.getPropertyValue("--line");
    context.fillRect(0, 0, width, height);
    context.fillStyle = style.getPropertyValue("--accent");
    const [across, down] = [width / extent[2], height / extent[1]];
    context.fillRect(region.origin[2] * across, region.origin[1] * down,
      region.extent[2] * across, region.extent[1] * down);
    this.map.setAttribute("aria-label", `Previewed region: ${region.extent.join(" × ")} voxels ` +
      `at ${region.origin.join(", ")} of ${extent.join(" × ")}. Arrow keys move it.`);
  }
}
