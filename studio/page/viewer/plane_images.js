// SPDX-License-Identifier: MIT
// The planes of a preview as images of one pixel per voxel, and the outlines of labels. What was
// drawn last is kept, so that a zoom or a moved cursor paints no voxel again.
import { element } from "../base/dom.js";
import { addLayer, labelColour, outlines, paintLabels } from "./contrast.js";

const mostKept = 16;

/** Keeps the values that were made last. */
class Recent {
  constructor() {
    this.values = new Map();
  }

  get(name, make) {
    const value = this.values.get(name) ?? make();
    this.values.delete(name);
    this.values.set(name, value);
    if (this.values.size > mostKept) this.values.delete(this.values.keys().next().value);
    return value;
  }
}

export class PlaneImages {
  constructor(view) {
    this.view = view;
    this.forget();
  }

  /** Forgets all images, because those of another preview follow. */
  forget() {
    this.images = new Recent();
    this.lines = new Recent();
  }

  /**
   * Returns a canvas with the planes of stacks at a place, one channel on top of the other;
   * `makePlanes` returns them.
   */
  image(place, stacks, makePlanes) {
    const layers = stacks.map((stack) => this.layerOf(stack));
    return this.images.get(JSON.stringify([place, layers]), () => {
      const planes = makePlanes();
      const { width, height } = planes[0];
      const canvas = element("canvas", { width, height });
      const image = new ImageData(width, height);
      if (stacks[0].name === "labels") paintLabels(image.data, planes[0].data);
      else this.addLayers(image.data, layers, planes);
      canvas.getContext("2d").putImageData(image, 0, 0);
      return canvas;
    });
  }

  /** Returns how a stack is drawn; null if its channel is hidden. */
  layerOf(stack) {
    if (stack.name === "labels") return stack.name;
    const channel = this.view.channels[stack.number] ?? { shown: true, colour: [255, 255, 255] };
    if (!channel.shown) return null;
    return { levels: this.view.levels(stack), gamma: this.view.gamma, colour: channel.colour };
  }

  addLayers(pixels, layers, planes) {
    for (let i = 3; i < pixels.length; i += 4) pixels[i] = 255;
    layers.forEach((layer, at) => {
      if (layer) addLayer(pixels, { ...layer, data: planes[at].data });
    });
  }

  /** Returns {width, height, lines} of a plane, whose lines are [colour, path] for every label. */
  outlines(place, makePlane) {
    return this.lines.get(place, () => {
      const plane = makePlane();
      const paths = new Map();
      for (const { x0, y0, x1, y1, label } of outlines(plane)) {
        if (!paths.has(label)) paths.set(label, new Path2D());
        paths.get(label).moveTo(x0, y0);
        paths.get(label).lineTo(x1, y1);
      }
      const lines = [...paths].map(([label, path]) => [labelColour(label), path]);
      return { width: plane.width, height: plane.height, lines };
    });
  }
}
