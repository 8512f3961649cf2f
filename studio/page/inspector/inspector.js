// SPDX-License-Identifier: MIT
// The measurements beside the images: contrast and histogram, channels, line profile, PSF, numbers.
import { drawHistogram, drawPlane, drawProfile } from "./charts.js";
import {
  aboutWidths, collectsAll, lightTable, nanometres, numbersTable, whyNoLedger, widthsText,
} from "./numbers.js";
import { element, menu } from "../base/dom.js";
import { histogram, lineOf, middleOf, percentile, planeOf } from "../viewer/voxels.js";

const bins = 96;
const css = ([r, g, b]) => `rgb(${r} ${g} ${b})`;
const hex = (colour) => `#${colour.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
const rgb = (text) => [1, 3, 5].map((at) => parseInt(text.slice(at, at + 2), 16));

export class Inspector {
  /** `keepSeed` gets the seed that a preview drew and the user keeps; without it, none is shown. */
  constructor(box, view, keepSeed) {
    Object.assign(this, { box, view, keepSeed });
    this.pinned = null;
    const chart = (text) => element("canvas", { class: "chart", role: "img", "aria-label": text });
    this.histogram = chart("Histogram of the stack that is shown");
    this.profile = chart("Line profile through the cursor");
    this.psf = ["PSF", "PSF of the pinned preview"].map((name) => ({
      charts: element("div", { class: "psf" }, chart(`${name}, XY`), chart(`${name}, XZ`)),
      caption: element("p", { class: "hint", title: aboutWidths }),
    }));
    this.channel = element("div");
    this.light = element("div");
    this.seed = element("p", { class: "seed" });
    this.compared = element("div", { class: "compared" });
    this.files = element("section", { class: "files-bar", "aria-label": "Files" });
    this.channels = element("div", { class: "channels" });
    this.region = element("div", { class: "region" });
    this.numbers = element("div");
    this.sizes = element("dl", { class: "numbers" });
    box.replaceChildren(
      this.files,
      section("Contrast", this.histogram, ...this.contrastInputs()),
      section("Image from a file", this.compared),
      section("Channels", this.channels),
      section("Line profile", this.profile, menu("along", "profile-axis",
        [["x", "x"], ["y", "y"], ["z", "z"]], "x", (profileAxis) => view.set({ profileAxis }))),
      section("PSF", this.channel, ...this.psf.flatMap(({ charts, caption }) => [charts, caption])),
      section("Numbers", this.numbers, this.seed, this.sizes),
      section("Light", this.light),
      section("Region", this.region));
    this.compared.parentElement.hidden = true;
    box.classList.add("empty");
  }

  contrastInputs() {
    const { view } = this;
    const share = (id, text, name) => {
      const input = element("input", {
        id, type: "number", min: 0, max: 100, step: 0.1, value: view.contrast[name],
        on: {
          change: () => {
            view.setContrast({ [name]: Math.min(100, Math.max(0, Number(input.value))) });
          },
        },
      });
      return element("span", { class: "labelled" }, element("label", { for: id, text }), input);
    };
    this.percentiles = element("div", { class: "pair" },
      share("low-percent", "from %", "lowPercent"), share("high-percent", "to %", "highPercent"));
    const gamma = element("input", {
      id: "gamma", type: "range", min: -1, max: 1, step: 0.05, value: 0,
      on: { input: () => view.set({ gamma: 2 ** -Number(gamma.value) }) },
    });
    this.gammaText = element("output", { for: "gamma" });
    return [
      menu("levels", "levels",
        [["auto", "percentiles"], ["all", "lowest to highest"], ["fixed", "keep these"]],
        "auto", (mode) => view.setContrast({ mode })),
      this.percentiles,
      element("span", { class: "labelled" },
        element("label", { for: "gamma", text: "gamma" }), gamma, this.gammaText),
    ];
  }

  /** Draws everything for what the view shows now. */
  draw() {
    const { view } = this;
    this.percentiles.hidden = view.contrast.mode !== "auto";
    this.gammaText.textContent = view.gamma.toFixed(2);
    this.box.classList.toggle("empty", !view.result);
    if (!view.result) return;
    this.drawHistogram();
    this.drawProfile();
    this.drawPsf();
    this.showNumbers();
  }

  /** Makes a switch and a colour for every channel, once the channels have changed. */
  listChannels() {
    const { view } = this;
    this.channels.parentElement.hidden = view.channels.length < 2;
    this.channel.hidden = view.channels.length < 2;
    this.channel.replaceChildren(menu("channel", "channel",
      view.channels.map(({ name }, at) => [String(at), name ?? `channel ${at + 1}`]),
      String(view.channel), (channel) => view.set({ channel: Number(channel) })));
    this.channels.replaceChildren(...view.channels.map((channel, at) => {
      const name = channel.name || `channel ${at + 1}`;
      const box = element("input", {
        type: "checkbox", checked: channel.shown, id: `channel-${at}`,
        on: { change: () => { channel.shown = box.checked; view.set({}); } },
      });
      const colour = element("input", {
        type: "color", value: hex(channel.colour), "aria-label": `Colour of ${name}`,
        on: { input: () => { channel.colour = rgb(colour.value); view.set({}); } },
      });
      return element("div", { class: "channel" }, colour,
        element("label", { class: "check", for: `channel-${at}` }, box, name));
    }));
  }

  shownStacks(result = this.view.result) {
    if (result.file) return result.stacks;
    return this.view.named(this.view.stack, result)
      .filter((stack) => this.view.channels[stack.number]?.shown ?? true);
  }

  colourOf(stack) {
    const { channels } = this.view;
    const channel = channels[stack.number];
    return channels.length > 1 && channel ? css(channel.colour) : null;
  }

  drawHistogram() {
    const { view } = this;
    const stacks = this.shownStacks();
    const samples = stacks.map((stack) => view.sampleOf(stack));
    const levels = stacks.map((stack) => view.levels(stack));
    const low = Math.min(...samples.map((sample) => sample[0]));
    const file = view.stack === "labels" || stacks.length === 0 ? null : this.fileSample(levels[0]);
    // The brightest few voxels would press all others into the first bins.
    const high = Math.max(low + 1e-12, ...samples.map((sample) => percentile(sample, 99.95)),
      ...levels.map((level) => level.high), ...(file ? [percentile(file, 99.95)] : []));
    const series = stacks.map((stack, at) => ({
      counts: histogram(samples[at], low, high, bins), colour: this.colourOf(stack),
    }));
    if (file) series.push(outlineOf(file, samples[0].length, low, high));
    drawHistogram(this.histogram, {
      low, high, series,
      levels: view.stack === "labels" ? [] : levels.flatMap((level) => [level.low, level.high]),
    });
  }

  /** Returns the sorted values of the image from a file, scaled to a stack with these levels. */
  fileSample(levels) {
    const { view } = this;
    if (!view.file) return null;
    return view.sampleOf(view.file).map(view.fileScale(view.file, levels));
  }

  drawProfile() {
    const { view } = this;
    const axis = view.profileAxis;
    const at = ["z", "y", "x"].indexOf(axis);
    const { region, voxelUm } = view.result;
    const lines = (result, dashed) => this.shownStacks(result).map((stack) => ({
      values: this.lineOf(stack, axis), colour: this.colourOf(stack), dashed,
      scale: (result.region.extent[at] * result.voxelUm[at]) / (region.extent[at] * voxelUm[at]),
    }));
    drawProfile(this.profile, {
      series: [...(this.pinned ? lines(this.pinned, true) : []), ...lines(view.result, false)],
      lengthUm: region.extent[at] * voxelUm[at], at: view.cursor[axis],
    });
  }

  /** Returns the values along an axis; those of an image from a file as they are shown. */
  lineOf(stack, axis) {
    const { view } = this;
    const values = lineOf(stack, axis, view.voxel(stack.extent));
    const shown = this.shownStacks()[0];
    if (!stack.isFile) return values;
    const finite = values.map((value) => (Number.isFinite(value) ? value : 0));
    if (!shown || view.stack === "labels") return finite;
    return finite.map(view.fileScale(stack, view.levels(shown)));
  }

  drawPsf() {
    [this.view.result, this.pinned].forEach((result, at) => {
      const { charts, caption } = this.psf[at];
      const stack = this.view.named("psf", result)
        .find(({ number }) => number === this.view.channel);
      charts.hidden = caption.hidden = !stack;
      if (stack) this.drawPsfOf(result, stack, charts.children, caption, at > 0);
    });
  }

  drawPsfOf(result, stack, [xy, xz], caption, isPinned) {
    const [z, y] = stack.extent.map((n) => Math.floor(n / 2));
    const [dz, dy, dx] = result.voxelUm;
    const numbers = this.view.numbers(result);
    const widths = numbers?.psf_widths_um ?? [];
    // Twice the widths on either side of the middle show the rings; the rest is almost black.
    const half = [dz, dy, dx].map((um, at) =>
      (widths[at] > 0 ? Math.max(4, Math.ceil((2 * widths[at]) / um)) : stack.extent[at]));
    drawPlane(xy, middleOf(planeOf(stack, "xy", z), half[2], half[1]), dy / dx);
    drawPlane(xz, middleOf(planeOf(stack, "xz", y), half[2], half[0]), dz / dx);
    caption.textContent = numbers ? `${isPinned ? "Pinned: " : ""}${widthsText(numbers)}` : "";
  }

  showNumbers() {
    const { result } = this.view;
    const now = this.numbersOf(result);
    const pinned = this.pinned && !this.pinned.file ? this.numbersOf(this.pinned) : null;
    this.numbers.replaceChildren(...(now ? [numbersTable(now, pinned)] : []));
    const hint = (text) => element("p", { class: "hint", text });
    this.light.replaceChildren(
      now?.light_ledger ? lightTable(now.light_ledger, pinned?.light_ledger)
        : hint(whyNoLedger(result)),
      ...(now?.collects_all ? [hint(collectsAll)] : []));
    this.showSeed(result);
    this.sizes.replaceChildren(
      element("dt", { text: "Voxels z, y, x" }),
      element("dd", { text: result.region.extent.join(" × ") }),
      element("dt", { text: "Voxel in nm" }),
      element("dd", { text: result.voxelUm.map((um) => nanometres(um, 4)).join(" × ") }));
  }

  /** Returns the numbers of the chosen channel, and those of all objects. */
  numbersOf(result) {
    const numbers = this.view.numbers(result);
    return numbers && { ...numbers, objects: result.objects };
  }

  /** Shows the seed that was drawn, once per preview, so that its button keeps the focus. */
  showSeed(result) {
    if (this.seeded === result) return;
    this.seeded = result;
    this.seed.hidden = !result.is_seed_drawn || !this.keepSeed;
    this.seed.replaceChildren(`Seed ${result.seed}, drawn `, element("button", {
      type: "button", id: "keep-seed", text: "Keep this seed",
      title: "Give the scene this seed, so that it always has these objects and this noise",
      on: { click: () => this.keepSeed(result.seed) },
    }));
  }
}

/** Returns the histogram of a file's values as an outline, as if there were `count` of them. */
function outlineOf(values, count, low, high) {
  const counts = histogram(values, low, high, bins);
  return { counts: counts.map((n) => (n * count) / Math.max(1, values.length)), isOutline: true };
}

function section(title, ...children) {
  return element("section", { "aria-label": title }, element("h2", { text: title }), ...children);
}
