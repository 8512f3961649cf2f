// SPDX-License-Identifier: MIT
// Turns voxels into colours: levels, gamma, channels on top of each other, labels and outlines.
import { percentile } from "./voxels.js";

// White for one channel; for several, colours that people with colour blindness tell apart.
const channelColours = [
  [88, 214, 141], [224, 86, 196], [86, 156, 240], [240, 180, 70], [240, 100, 90], [90, 220, 225],
];

/** Returns the colour [r, g, b], of 0 to 255, that a channel has at first. */
export function firstColour(number, count) {
  return count <= 1 ? [255, 255, 255] : channelColours[number % channelColours.length];
}

/** Returns the levels {low, high} between two percentiles of a sorted sample, never equal. */
export function levelsOf(sorted, lowPercent, highPercent) {
  const low = percentile(sorted, lowPercent);
  let high = percentile(sorted, highPercent);
  // An image of a few bright voxels has equal percentiles: then its largest value is the upper one
  if (!(high > low)) high = sorted.length ? sorted[sorted.length - 1] : 1;
  return { low, high: high > low ? high : low + 1 };
}

/** Returns how bright a value is, from 0 to 1. */
export function brightness(value, { low, high }, gamma) {
  const share = Math.min(1, Math.max(0, (value - low) / (high - low)));
  return gamma === 1 ? share : share ** gamma;
}

/**
 * Adds one channel's plane to RGBA pixels, through a table of 1024 brightnesses, which is precise
 * enough for the 256 of a screen. Colours have parts of 0 to 255.
 */
export function addLayer(pixels, { data, levels, gamma, colour }) {
  const steps = 1023;
  const table = Float32Array.from({ length: steps + 1 }, (_, i) => (i / steps) ** gamma);
  const scale = steps / (levels.high - levels.low);
  for (let i = 0, at = 0; i < data.length; i += 1, at += 4) {
    const step = Math.min(steps, Math.max(0, (data[i] - levels.low) * scale)) | 0;
    const bright = table[step];
    pixels[at] += bright * colour[0];
    pixels[at + 1] += bright * colour[1];
    pixels[at + 2] += bright * colour[2];
    pixels[at + 3] = 255;
  }
}

/** Returns the colour of a label; background is almost black and neighbours differ in hue. */
export function labelColour(label) {
  if (label === 0) return [14, 16, 18];
  const hue = (label * 137.508) % 360;
  const light = 0.58 + 0.1 * ((label * 7) % 3 - 1);
  const sector = (offset) => {
    const k = (offset + hue / 30) % 12;
    const chroma = 0.52 * Math.min(light, 1 - light);
    return Math.round(255 * (light - chroma * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [sector(0), sector(8), sector(4)];
}

/** Fills RGBA pixels with the colours of labels. */
export function paintLabels(pixels, labels) {
  const colours = new Map();
  for (let i = 0, at = 0; i < labels.length; i += 1, at += 4) {
    let colour = colours.get(labels[i]);
    if (!colour) colours.set(labels[i], (colour = labelColour(labels[i])));
    pixels[at] = colour[0];
    pixels[at + 1] = colour[1];
    pixels[at + 2] = colour[2];
    pixels[at + 3] = 255;
  }
}

/**
 * Returns the edges between pixels of different labels, as lines {x0, y0, x1, y1, label} in pixels
 * from the corner of the plane. Edges in one line that belong to the same label are joined.
 */
export function outlines({ width, height, data }) {
  const lines = [];
  const at = (x, y) => data[y * width + x];
  const scan = (length, across, labelsAt, lineOf) => {
    for (let line = 1; line < length; line += 1) {
      let open = null;
      for (let i = 0; i <= across; i += 1) {
        const label = i < across ? edgeLabel(...labelsAt(line, i)) : 0;
        if (open && open.label !== label) {
          lines.push({ ...lineOf(line, open.start, i), label: open.label });
          open = null;
        }
        if (label && !open) open = { label, start: i };
      }
    }
  };
  scan(height, width, (y, x) => [at(x, y - 1), at(x, y)],
    (y, from, to) => ({ x0: from, y0: y, x1: to, y1: y }));
  scan(width, height, (x, y) => [at(x - 1, y), at(x, y)],
    (x, from, to) => ({ x0: x, y0: from, x1: x, y1: to }));
  return lines;
}

function edgeLabel(one, other) {
  return one === other ? 0 : Math.max(one, other);
}

/** Returns a length in um for a scale bar: 1, 2 or 5 times a power of ten, at most `longest`. */
export function scaleBarUm(longest) {
  const decade = 10 ** Math.floor(Math.log10(longest));
  for (const factor of [5, 2, 1]) if (factor * decade <= longest) return factor * decade;
  return decade;
}
