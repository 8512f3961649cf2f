// SPDX-License-Identifier: MIT
// The images: what is shown, the plane, and a pinned preview beside the newest one.
import { checkbox, element, segments } from "../base/dom.js";
import { numberText, textOf } from "../base/values.js";
import { makeHelp } from "./help.js";
import { Pane } from "./pane.js";
import { shareAt } from "./voxels.js";

const mostDifferences = 2;

/** Returns the names of values that differ, also those that only one of them has. */
export function differences(before, after) {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => textOf(before[key]) !== textOf(after[key]));
}

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
      element("span", { class: "space" }), this.pin, ...Object.values(makeHelp()));
    this.makePlaneBar(planeBar);
    panes.replaceChildren(element("p", {
      class: "nothing", text: "Choose an example; its images appear here.",
    }));
    view.addEventListener("changed", () => this.drawSoon());
    view.addEventListener("moved", () => this.drawSoon(false));
    new ResizeObserver(() => this.drawSoon()).observe(panes);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.drawSoon());
  }

  /** Makes the button that shows how much is zoomed, and ends it. */
  makeZoom() {
    this.zoom = element("button", {
      id: "zoom", type: "button", title: "Show everything (0)", hidden: true,
      on: { click: () => this.view.showEverything() },
    });
    return this.zoom;
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
      this.makeZoom(),
      checkbox("Outlines", "outlines", view.outlines, (outlines) => view.set({ outlines })),
      this.makeOpacity());
  }

  makeOpacity() {
    const input = element("input", {
      id: "outline-opacity", class: "opacity", type: "range", min: 0.1, max: 1, step: 0.05,
      value: this.view.outlineOpacity, "aria-label": "Opacity of outlines",
      title: "Opacity of outlines",
      on: { input: () => this.view.set({ outlineOpacity: Number(input.value) }) },
    });
    return input;
  }

  /** Shows a new preview of the scene with this name, at once. */
  take(result, name) {
    if (!this.newest.result) this.panesBox.replaceChildren(this.newest.box);
    this.newest.result = result;
    this.name = name;
    this.showCaptions();
    this.pin.disabled = false;
    const channels = this.view.channels.map((channel) => channel.name).join();
    this.view.take(result);
    if (channels !== this.view.channels.map((channel) => channel.name).join() || !this.listed) {
      this.listed = true;
      this.inspector.listChannels();
    }
    this.draw();
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
    this.pinnedCaption = caption;
    this.showCaptions();
    this.pinned.caption.hidden = this.newest.caption.hidden = result === null;
    // The focus stays in a pane that stays
    if (result) this.newest.box.before(this.pinned.box);
    else this.pinned.box.remove();
    this.pin.textContent = isPin ? "Unpin" : "Pin this one";
    this.pin.setAttribute("aria-pressed", String(isPin));
    this.dispatchEvent(new Event("beside"));
    this.drawSoon();
  }

  /** Says in what the pinned preview and the newest one differ. */
  showCaptions() {
    const { result } = this.pinned;
    if (!result) return;
    let [pinned, newest] = [this.pinnedCaption, `Simulated: ${this.name}`];
    if (!result.file) {
      const keys = differences(result.values ?? {}, this.newest.result.values ?? {});
      const list = ({ values }) => keys.slice(0, mostDifferences)
        .map((key) => `${key} ${textOf(values[key]) || "not given"}`).join(", ") +
        (keys.length > mostDifferences ? ` and ${keys.length - mostDifferences} more` : "");
      newest = keys.length > 0 ? `Now: ${list(this.newest.result)}` : "Now";
      if (keys.length > 0) pinned = `Pinned: ${list(result)}`;
    }
    this.pinned.caption.textContent = this.pinned.caption.title = pinned;
    this.newest.caption.textContent = this.newest.caption.title = newest;
  }

  /** Draws in the next frame; measurements only if they may have changed. */
  drawSoon(measured = true) {
    this.measured ||= measured;
    this.frame ??= requestAnimationFrame(() => this.draw());
  }

  draw() {
    cancelAnimationFrame(this.frame);
    this.frame = null;
    this.newest.draw();
    if (this.pinned.result) this.pinned.draw();
    const { zoom } = this.view.window;
    this.zoom.hidden = zoom === 1;
    this.zoom.textContent = `${numberText(Number(zoom.toPrecision(2)))}×`;
    this.zoom.setAttribute("aria-label", `Zoom ${this.zoom.textContent}; show everything`);
    if (!this.measured) return;
    this.measured = false;
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
    const several = this.view.channels.length > 1;
    const shown = ["labels", this.view.stack];
    const stacks = result.stacks.filter(({ name }) =>
      (several ? shown.includes(name) : name !== "psf"));
    const values = stacks.map(({ name, channel, extent, data }) => {
      const [z, y, x] = ["z", "y", "x"].map((axis, at) =>
        Math.min(extent[at] - 1, Math.max(0, Math.floor(cursor[axis] * extent[at]))));
      const value = data[(z * extent[1] + y) * extent[2] + x];
      const of = several && name !== "labels" ? ` ${channel}` : "";
      return `${name === "labels" ? "label" : name}${of} ${Number(value.toPrecision(4))}`;
    });
    const at = ["z", "y", "x"].map((axis, i) =>
      `${axis} ${result.region.origin[i] + Math.floor(cursor[axis] * result.region.extent[i])}`);
    this.underCursor.textContent = `${at.join(" ")} · ${values.join(" · ")}`;
  }
}
