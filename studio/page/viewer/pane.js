// SPDX-License-Identifier: MIT
// Draws the planes of one preview on a canvas, with outlines, cursor and scale bar.
import { element } from "../base/dom.js";
import { planeAxes, scaledLike, sliceRectangles, tileRectangles } from "./layout.js";
import { drawCaption, drawCursor, drawOutlines, drawScaleBar } from "./marks.js";
import { PlaneImages } from "./plane_images.js";
import { Pointing } from "./pointing.js";
import { indexAt, planeOf } from "./voxels.js";
import { spanOf } from "./window.js";

const stageNames = { labels: "truth", light: "light", photons: "photons", image: "image" };

export class Pane {
  /** `hovered` gets the preview and the place under the pointer, or null. */
  constructor(view, hovered) {
    this.view = view;
    this.preview = null;
    this.rectangles = [];
    this.images = new PlaneImages(view);
    this.canvas = element("canvas", { tabindex: 0, role: "slider", "aria-label": "Images" });
    this.caption = element("p", { class: "pane-caption", hidden: true });
    this.box = element("div", { class: "pane" }, this.canvas, this.caption);
    this.pointing = new Pointing(this, view, (cursor) => hovered(this.result, cursor));
  }

  /** Returns the extent that is stepped through: of the image from a file, or of the view. */
  extent() {
    return this.result?.file ? this.result.region.extent : this.view.extent();
  }

  get result() {
    return this.preview;
  }

  set result(result) {
    this.preview = result;
    this.images.forget();
  }

  draw() {
    const { canvas, view, result } = this;
    const { clientWidth: width, clientHeight: height } = canvas;
    const dense = window.devicePixelRatio || 1;
    if (canvas.width !== Math.round(width * dense)) canvas.width = Math.round(width * dense);
    if (canvas.height !== Math.round(height * dense)) canvas.height = Math.round(height * dense);
    const context = canvas.getContext("2d");
    context.setTransform(dense, 0, 0, dense, 0, 0);
    context.clearRect(0, 0, width, height);
    this.rectangles = [];
    if (!result || width === 0) return;
    const stages = Object.keys(stageNames).filter((name) => view.named(name, result).length > 0);
    const names = view.layout === "stages" || result.file ? stages : [view.stack];
    const first = view.named(names[0], result)[0] ?? result.stacks[0];
    const um = result.region.extent.map((n, axis) => n * result.voxelUm[axis]);
    const { scale, planes } = view.layout === "stages"
      ? tileRectangles(width, height, um, names.length)
      : scaledLike(result.likeUm, width, height,
        sliceRectangles(width, height, um, first.extent[0] === 1));
    this.rectangles = planes;
    planes.forEach((plane, at) => {
      const name = names[view.layout === "stages" ? at : 0];
      this.drawPlane(context, plane, name);
      if (view.layout === "stages") drawCaption(context, plane, stageNames[name]);
    });
    drawScaleBar(context, planes[0], scale * view.window.zoom);
    this.describe(result.file ? [result.file] : names);
  }

  /** Describes the canvas to screen readers, as a slider of planes. */
  describe(names) {
    const [z, y, x] = this.view.voxel(this.extent());
    const [depth] = this.extent();
    const shown = names.map((name) => stageNames[name] ?? name).join(", ");
    const attributes = {
      label: `Images of ${shown}; Page Up and Page Down change the plane, arrow keys move the ` +
        "cursor, plus and minus zoom",
      valuemin: 1, valuemax: depth, valuenow: z + 1,
      valuetext: `plane ${z + 1} of ${depth}, cursor at row ${y + 1}, column ${x + 1}`,
    };
    for (const [name, value] of Object.entries(attributes)) {
      this.canvas.setAttribute(`aria-${name}`, value);
    }
  }

  drawPlane(context, at, name) {
    const { view, result } = this;
    const stacks = view.named(name, result);
    if (stacks.length === 0) return;
    const { across, down, through } = planeAxes[at.kind];
    const axis = ["z", "y", "x"].indexOf(through);
    const indexIn = (stack) => indexAt(view.cursor[through], stack.extent[axis]);
    const planeIn = (stack) => planeOf(stack, at.kind, indexIn(stack));
    const image = this.images.image(`${name}/${at.kind}/${indexIn(stacks[0])}`, stacks,
      () => stacks.map(planeIn));
    context.save();
    context.beginPath();
    context.rect(at.x, at.y, at.width, at.height);
    context.clip();
    const [left, width] = placed(at.x, at.width, spanOf(view.window, across));
    const [top, height] = placed(at.y, at.height, spanOf(view.window, down));
    context.imageSmoothingEnabled = width < image.width;
    context.drawImage(image, left, top, width, height);
    const labels = view.named("labels", result)[0];
    if (view.outlines && labels && name !== "labels") {
      const place = `${at.kind}/${indexIn(labels)}`;
      const plane = this.images.outlines(place, () => planeIn(labels));
      const matrix = [width / plane.width, 0, 0, height / plane.height, left, top];
      drawOutlines(context, plane.lines, new DOMMatrix(matrix), view.outlineOpacity);
    }
    drawCursor(context, at, left + view.cursor[across] * width, top + view.cursor[down] * height);
    context.restore();
  }
}

/** Returns begin and length of a whole axis of which a part fills a rectangle. */
function placed(begin, length, { from, length: part }) {
  const all = length / part;
  return [begin - from * all, all];
}
