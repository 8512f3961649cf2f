// SPDX-License-Identifier: MIT
// The images: what is shown, the plane, and a pinned preview beside the newest one.
import { checkbox, element, segments } from "../base/dom.js";
import { Pane } from "./pane.js";
import { shareAt } from "./voxels.js";

/**
 * Draws at most once per frame of the screen, whenever the view or the size has changed. Dispatches
 * "beside" once something else is shown beside the newest preview.
 */
export class Viewer extends EventTarget {
  constructor({ bar, panes, planeBar, underCursor }, view, inspector) {
    super();
    Object.assign(this, { view, inspector, underCursor, panesBox: panes });
    this.newest = new Pane(view, (result, cursor) => this.showUnder(result, cursor));
    this.pinned = new Pane(view, (result, cursor) => this.showUnder(result, cursor));
    this.pin = element("button", {
      id: "pin", type: "button", text: "Pin this one", "aria-pressed": "false", disabled: true,
      title: "Keep these images beside those of the next changes",
      on: { click: () => this.togglePin() },
    });
    this.stacks = segments("Stack",
      [["labels", "Truth"], ["light", "Light"], ["photons", "Photons"], ["image", "Image"]],
      view.stack, (stack) => view.set({ stack }));
    bar.replaceChildren(this.stacks,
      segments("Layout", [["slices", "Planes"], ["stages", "All stages"]],
        view.layout, (layout) => view.set({ layout })),
      element("span", { class: "space" }), this.pin);
    this.makePlaneBar(planeBar);
    panes.replaceChildren(element("p", {
      class: "nothing", text: "Choose an example; its images appear here.",
    }));
    view.addEventListener("changed", () => this.drawSoon());
    new ResizeObserver(() => this.drawSoon()).observe(panes);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.drawSoon());
  }

  makePlaneBar(bar) {
    const { view } = this;
    this.plane = element("input", {
      id: "plane", type: "range", min: 0, max: 0, value: 0, step: 1,
      on: {
        input: () => {
          const z = shareAt(Number(this.plane.value), view.extent()[0]);
          view.set({ cursor: { ...view.cursor, z } });
        },
      },
    });
    this.planeText = element("output", { for: "plane" });
    bar.replaceChildren(
      element("label", { for: "plane", text: "Plane" }), this.plane, this.planeText,
      checkbox("Outlines", "outlines", view.outlines, (outlines) => view.set({ outlines })));
  }

  /** Shows a new preview of the scene with this name. */
  take(result, name) {
    if (!this.newest.result) this.panesBox.replaceChildren(this.newest.box);
    this.newest.result = result;
    this.name = name;
    this.pin.disabled = false;
    const channels = this.view.channels.map((channel) => channel.name).join();
    this.view.take(result);
    if (channels !== this.view.channels.map((channel) => channel.name).join() || !this.listed) {
      this.listed = true;
      this.inspector.listChannels();
    }
  }

  togglePin() {
    const { result } = this.pinned;
    if (result && !result.file) this.showBeside(null);
    else this.showBeside(this.newest.result, `Pinned: ${this.name}`);
  }

  /** Shows an older preview or the image from a file beside the newest preview; null hides it. */
  showBeside(result, caption = "") {
    const isPin = result !== null && !result.file;
    this.pinned.result = result;
    this.inspector.pinned = result;
    this.view.file = result?.file ? result.stacks[0] : null;
    this.pinned.caption.textContent = caption;
    this.newest.caption.textContent = result?.file ? `Simulated: ${this.name}` : "Now";
    this.pinned.caption.hidden = this.newest.caption.hidden = result === null;
    // The focus stays in a pane that stays
    if (result) this.newest.box.before(this.pinned.box);
    else this.pinned.box.remove();
    this.pin.textContent = isPin ? "Unpin" : "Pin this one";
    this.pin.setAttribute("aria-pressed", String(isPin));
    this.dispatchEvent(new Event("beside"));
    this.drawSoon();
  }

  drawSoon() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.draw();
    });
  }

  draw() {
    this.newest.draw();
    if (this.pinned.result) this.pinned.draw();
    this.inspector.draw();
    const [depth] = this.view.extent();
    const [z] = this.view.voxel();
    this.plane.max = depth - 1;
    this.plane.value = z;
    this.plane.disabled = depth === 1;
    this.planeText.textContent = `${z + 1} / ${depth}`;
    for (const button of this.stacks.children) {
      button.setAttribute("aria-pressed", String(button.dataset.value === this.view.stack));
      const missing = this.view.named(button.dataset.value).length === 0;
      button.disabled = this.view.result !== null && missing;
    }
  }

  /** Writes the values of all stacks at a place. */
  showUnder(result, cursor) {
    if (!result || !cursor) {
      this.underCursor.textContent = "";
      return;
    }
    const stacks = result.stacks.filter((stack) => stack.name !== "psf");
    const values = stacks.map(({ name, extent, data }) => {
      const [z, y, x] = ["z", "y", "x"].map((axis, at) =>
        Math.min(extent[at] - 1, Math.max(0, Math.floor(cursor[axis] * extent[at]))));
      const value = data[(z * extent[1] + y) * extent[2] + x];
      return `${name === "labels" ? "label" : name} ${Number(value.toPrecision(4))}`;
    });
    const at = ["z", "y", "x"].map((axis, i) =>
      `${axis} ${result.region.origin[i] + Math.floor(cursor[axis] * result.region.extent[i])}`);
    this.underCursor.textContent = `${at.join(" ")} · ${values.join(" · ")}`;
  }
}
