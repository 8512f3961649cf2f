// SPDX-License-Identifier: MIT
// What is looked at and how: stack, cursor, contrast, colours. All panes share one view.
import { firstColour, levelsOf } from "./contrast.js";
import { indexAt, shareAt, sortedSample } from "./voxels.js";
import { everything, showing } from "./window.js";

/** Dispatches "changed" whenever something has to be drawn again, and "moved" if only images do. */
export class View extends EventTarget {
  constructor() {
    super();
    this.stack = "image";
    this.layout = "slices";
    this.cursor = { z: 0.5, y: 0.5, x: 0.5 };
    this.window = everything;
    this.outlines = true;
    this.outlineOpacity = 0.9;
    this.contrast = { mode: "auto", lowPercent: 0.5, highPercent: 99.8 };
    this.gamma = 1;
    this.profileAxis = "x";
    this.channels = [];
    this.channel = 0;
    this.held = new Map();
    this.result = null;
    this.file = null;
    this.fileLevels = "own";
  }

  set(changes) {
    Object.assign(this, changes);
    if (changes.cursor) this.window = showing(this.window, this.cursor);
    this.dispatchEvent(new Event("changed"));
  }

  /** Shows another part of the images: see window.js. */
  look(window) {
    this.window = window;
    this.dispatchEvent(new Event("moved"));
  }

  showEverything() {
    this.look(everything);
  }

  /** Takes a new preview: its levels hold for the pinned one, too, so that both can be compared. */
  take(result) {
    this.result = result;
    const images = this.named("image").length ? this.named("image") : this.named("light");
    const isSame = this.channels.length === images.length;
    this.channels = images.map((stack, at) => ({
      shown: true, colour: firstColour(at, images.length), ...(isSame ? this.channels[at] : {}),
      name: stack.channel,
    }));
    this.channel = Math.min(this.channel, Math.max(0, images.length - 1));
    if (this.named(this.stack).length === 0) this.stack = result.stacks[0]?.name ?? "image";
    this.set({});
  }

  named(name, result = this.result) {
    return result ? result.stacks.filter((stack) => stack.name === name) : [];
  }

  /** Returns the numbers of the chosen channel of a preview, if it has this channel. */
  numbers(result = this.result) {
    return result?.images?.[this.channel] ?? null;
  }

  /** Returns some values of a stack, sorted. Images from files may have voxels without a number. */
  sampleOf(stack) {
    return (stack.sample ??= sortedSample(stack.data).filter(Number.isFinite));
  }

  /** Returns the levels {low, high} of a stack of the newest preview with this name and channel. */
  levels(shown) {
    if (shown.isFile) return this.levelsOfFile(shown);
    const { name, number } = shown;
    const held = this.held.get(`${name}/${number}`);
    if (this.contrast.mode === "fixed" && held) return held;
    const stack = this.named(name).find((each) => each.number === number);
    if (!stack) return { low: 0, high: 1 };
    return this.levelsNow(stack);
  }

  levelsNow(stack) {
    const { mode, lowPercent, highPercent } = this.contrast;
    return mode === "all" ? levelsOf(this.sampleOf(stack), 0, 100)
      : levelsOf(this.sampleOf(stack), lowPercent, highPercent);
  }

  /** Returns the levels of the image from a file: those of the simulated image, or its own. */
  levelsOfFile(stack) {
    const image = this.named("image")[0];
    if (this.fileLevels === "same" && image) return this.levels(image);
    const held = this.held.get(stack);
    return this.contrast.mode === "fixed" && held ? held : this.levelsNow(stack);
  }

  /**
   * Returns a function that converts values of the image from a file to those of a stack that look
   * the same: with the same levels they are equal.
   */
  fileScale(stack, levels) {
    if (this.fileLevels === "same") return (value) => value;
    const own = this.levelsOfFile(stack);
    const factor = (levels.high - levels.low) / (own.high - own.low);
    return (value) => levels.low + (value - own.low) * factor;
  }

  /** Sets how levels are found; "fixed" keeps those that hold now. */
  setContrast(changes) {
    if (changes.mode === "fixed") {
      for (const stack of this.result?.stacks ?? []) {
        this.held.set(`${stack.name}/${stack.number}`, this.levels(stack));
      }
      if (this.file) this.held.set(this.file, this.levelsNow(this.file));
    }
    this.contrast = { ...this.contrast, ...changes };
    this.set({});
  }

  /** Returns the extent [z, y, x] of the stack that is shown. */
  extent() {
    return (this.named(this.stack)[0] ?? this.result?.stacks[0])?.extent ?? [1, 1, 1];
  }

  /** Returns the voxel [z, y, x] at the cursor of a stack with this extent. */
  voxel(extent = this.extent()) {
    return ["z", "y", "x"].map((axis, at) => indexAt(this.cursor[axis], extent[at]));
  }

  /** Moves the cursor by a number of voxels along an axis of a stack with this extent. */
  step(axis, voxels, extent = this.extent()) {
    const at = ["z", "y", "x"].indexOf(axis);
    const place = shareAt(this.voxel(extent)[at] + voxels, extent[at]);
    this.set({ cursor: { ...this.cursor, [axis]: place } });
  }
}
