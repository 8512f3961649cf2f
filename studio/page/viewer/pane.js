// SPDX-License-Identifier: MIT
// Draws the planes of one preview on a canvas, with outlines, cursor and scale bar.
import { addLayer, outlines, paintLabels, labelColour, scaleBarUm } from "./contrast.js";
import { element } from "../base/dom.js";
import { planeAxes, scaledLike, sliceRectangles, tileRectangles } from "./layout.js";
import { indexAt, planeOf } from "./voxels.js";

const stageNames = { labels: "truth", light: "light", photons: "photons", image: "image" };

export class Pane {
  constructor(view, pointed) {
    this.view = view;
    this.result = null;
    this.rectangles = [];
    this.canvas = element("canvas", { tabindex: 0, role: "slider", "aria-label": "Images" });
    this.caption = element("p", { class: "pane-caption", hidden: true });
    this.box = element("div", { class: "pane" }, this.canvas, this.caption);
    this.buffer = document.createElement("canvas");
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      this.point(event);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) this.point(event);
      else pointed(this.result, this.shareUnder(event));
    });
    this.canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      view.step("z", Math.sign(event.deltaY), this.extent());
    }, { passive: false });
    this.canvas.addEventListener("keydown", (event) => this.pressed(event));
  }

  pressed(event) {
    const axisSteps = event.shiftKey
      ? { ArrowLeft: ["x", -1], ArrowRight: ["x", 1], ArrowUp: ["y", -1], ArrowDown: ["y", 1] }
      : {
        ArrowLeft: ["z", -1], ArrowDown: ["z", -1], ArrowRight: ["z", 1], ArrowUp: ["z", 1],
        PageUp: ["z", 10], PageDown: ["z", -10], Home: ["z", -1e9], End: ["z", 1e9],
      };
    const step = axisSteps[event.key];
    if (!step) return;
    event.preventDefault();
    this.view.step(...step, this.extent());
  }

  /** Returns the extent that is stepped through: of the image from a file, or of the view. */
  extent() {
    return this.result?.file ? this.result.region.extent : this.view.extent();
  }

  /** Returns the shares of the axes under the pointer, or null if it is not above a plane. */
  shareUnder(event) {
    const bounds = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - bounds.left, event.clientY - bounds.top];
    const at = this.rectangles.find((plane) => x >= plane.x && y >= plane.y &&
      x < plane.x + plane.width && y < plane.y + plane.height);
    if (!at) return null;
    const axes = planeAxes[at.kind];
    return {
      ...this.view.cursor,
      [axes.across]: (x - at.x) / at.width,
      [axes.down]: (y - at.y) / at.height,
    };
  }

  point(event) {
    const cursor = this.shareUnder(event);
    if (cursor) this.view.set({ cursor });
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
    drawScaleBar(context, planes[0], scale);
    this.describe(result.file ? [result.file] : names);
  }

  /** Describes the canvas to screen readers, as a slider of planes. */
  describe(names) {
    const [z, y, x] = this.view.voxel(this.extent());
    const [depth] = this.extent();
    const shown = names.map((name) => stageNames[name] ?? name).join(", ");
    const attributes = {
      label: `Images of ${shown}; arrow keys change the plane, with Shift they move the cursor`,
      valuemin: 1, valuemax: depth, valuenow: z + 1,
      valuetext: `plane ${z + 1} of ${depth}, cursor at row ${y + 1}, column ${x + 1}`,
    };
    for (const [name, value] of Object.entries(attributes)) {
      this.canvas.setAttribute(`aria-${name}`, value);
    }
  }

  drawPlane(context, at, name) {
    const { view, result } = this;
    const { through } = planeAxes[at.kind];
    const axis = ["z", "y", "x"].indexOf(through);
    const planeIn = (stack) =>
      planeOf(stack, at.kind, indexAt(view.cursor[through], stack.extent[axis]));
    const stacks = view.named(name, result);
    if (stacks.length === 0) return;
    const planes = stacks.map(planeIn);
    const { width, height } = planes[0];
    const image = new ImageData(width, height);
    if (name === "labels") paintLabels(image.data, planes[0].data);
    else this.addChannels(image.data, stacks, planes);
    this.buffer.width = width;
    this.buffer.height = height;
    this.buffer.getContext("2d").putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.buffer, at.x, at.y, at.width, at.height);
    const labels = view.named("labels", result)[0];
    if (view.outlines && labels && name !== "labels") drawOutlines(context, at, planeIn(labels));
    drawCursor(context, at, view.cursor);
  }

  addChannels(pixels, stacks, planes) {
    const { view } = this;
    pixels.fill(0);
    for (let i = 3; i < pixels.length; i += 4) pixels[i] = 255;
    stacks.forEach((stack, index) => {
      const channel = view.channels[stack.number] ?? { shown: true, colour: [255, 255, 255] };
      if (!channel.shown) return;
      addLayer(pixels, {
        data: planes[index].data, levels: view.levels(stack), gamma: view.gamma,
        colour: channel.colour,
      });
    });
  }
}

function drawOutlines(context, at, plane) {
  const [sx, sy] = [at.width / plane.width, at.height / plane.height];
  context.lineWidth = 1.25;
  context.lineCap = "square";
  for (const { x0, y0, x1, y1, label } of outlines(plane)) {
    const [r, g, b] = labelColour(label);
    context.strokeStyle = `rgb(${r} ${g} ${b} / 0.9)`;
    context.beginPath();
    context.moveTo(at.x + x0 * sx, at.y + y0 * sy);
    context.lineTo(at.x + x1 * sx, at.y + y1 * sy);
    context.stroke();
  }
}

function drawCursor(context, at, cursor) {
  const { across, down } = planeAxes[at.kind];
  const x = Math.round(at.x + cursor[across] * at.width) + 0.5;
  const y = Math.round(at.y + cursor[down] * at.height) + 0.5;
  context.strokeStyle = "rgb(255 255 255 / 0.28)";
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(x, at.y);
  context.lineTo(x, at.y + at.height);
  context.moveTo(at.x, y);
  context.lineTo(at.x + at.width, y);
  context.stroke();
}

function drawCaption(context, at, text) {
  context.font = "600 13px system-ui, sans-serif";
  const width = context.measureText(text).width + 14;
  context.fillStyle = "rgb(0 0 0 / 0.6)";
  context.fillRect(at.x + 6, at.y + 6, width, 22);
  context.fillStyle = "#fff";
  context.textBaseline = "middle";
  context.fillText(text, at.x + 13, at.y + 17.5);
}

function drawScaleBar(context, at, scale) {
  const um = scaleBarUm((at.width * 0.3) / scale);
  const length = um * scale;
  const text = um >= 1 ? `${um} µm` : `${Math.round(um * 1000)} nm`;
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
