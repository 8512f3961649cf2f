// SPDX-License-Identifier: MIT
// Draws small charts on canvases, in the colours of the style sheet.
import { numberText } from "../base/values.js";

const margin = { left: 4, right: 4, top: 6, bottom: 20 };

function prepare(canvas) {
  const dense = window.devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = Math.round(width * dense);
  canvas.height = Math.round(height * dense);
  const context = canvas.getContext("2d");
  context.setTransform(dense, 0, 0, dense, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = "13px system-ui, sans-serif";
  return { context, width, height };
}

function colourOf(canvas, name) {
  return getComputedStyle(canvas).getPropertyValue(name).trim();
}

function ends(context, canvas, width, height, left, right) {
  context.fillStyle = colourOf(canvas, "--quiet");
  context.textBaseline = "bottom";
  context.fillText(left, margin.left, height);
  context.textAlign = "right";
  context.fillText(right, width - margin.right, height);
  context.textAlign = "left";
}

/**
 * Draws histograms {counts, colour} over low to high, on a logarithmic axis of counts, because most
 * voxels are background; `levels` are drawn as vertical lines.
 */
export function drawHistogram(canvas, { series, low, high, levels }) {
  const { context, width, height } = prepare(canvas);
  const [w, h] = [width - margin.left - margin.right, height - margin.top - margin.bottom];
  const most = Math.max(1, ...series.flatMap(({ counts }) => counts));
  for (const { counts, colour } of series) {
    context.beginPath();
    context.moveTo(margin.left, margin.top + h);
    counts.forEach((count, bin) => {
      const y = margin.top + h * (1 - Math.log1p(count) / Math.log1p(most));
      context.lineTo(margin.left + (bin / counts.length) * w, y);
      context.lineTo(margin.left + ((bin + 1) / counts.length) * w, y);
    });
    context.lineTo(margin.left + w, margin.top + h);
    context.fillStyle = colour ?? colourOf(canvas, "--accent");
    context.globalAlpha = 0.55;
    context.fill();
    context.globalAlpha = 1;
  }
  context.strokeStyle = colourOf(canvas, "--text");
  for (const level of levels) {
    const x = margin.left + Math.min(1, Math.max(0, (level - low) / (high - low))) * w;
    context.setLineDash([3, 3]);
    context.beginPath();
    context.moveTo(x, margin.top);
    context.lineTo(x, margin.top + h);
    context.stroke();
  }
  context.setLineDash([]);
  ends(context, canvas, width, height, numberText(round(low)), numberText(round(high)));
}

/** Draws lines {values, colour, dashed} over 0 to `lengthUm`; `at` is the cursor's share of it. */
export function drawProfile(canvas, { series, lengthUm, at }) {
  const { context, width, height } = prepare(canvas);
  const top = 20; // below the line of text
  const [w, h] = [width - margin.left - margin.right, height - top - margin.bottom];
  const high = Math.max(1e-30, ...series.flatMap(({ values }) => Array.from(values)));
  const low = Math.min(high, ...series.flatMap(({ values }) => Array.from(values)));
  const yOf = (value) => top + h * (1 - (value - low) / (high - low || 1));
  context.strokeStyle = colourOf(canvas, "--line");
  context.beginPath();
  context.moveTo(margin.left + at * w, top);
  context.lineTo(margin.left + at * w, top + h);
  context.stroke();
  context.lineWidth = 1.5;
  for (const { values, colour, dashed } of series) {
    context.setLineDash(dashed ? [4, 3] : []);
    context.strokeStyle = colour ?? colourOf(canvas, "--accent");
    context.beginPath();
    values.forEach((value, i) => {
      context.lineTo(margin.left + ((i + 0.5) / values.length) * w, yOf(value));
    });
    context.stroke();
  }
  context.setLineDash([]);
  context.lineWidth = 1;
  context.fillStyle = colourOf(canvas, "--quiet");
  context.textBaseline = "top";
  context.fillText(`${numberText(round(low))} to ${numberText(round(high))}`, margin.left, 0);
  ends(context, canvas, width, height, "0", `${numberText(round(lengthUm))} µm`);
}

function round(value) {
  return Number(value.toPrecision(3));
}

/** Draws one plane of a PSF with a gamma of 0.4, so that its rings are seen. */
export function drawPlane(canvas, { width, height, data }, aspect) {
  const view = prepare(canvas);
  const image = new ImageData(width, height);
  let peak = 0;
  for (const value of data) peak = Math.max(peak, value);
  data.forEach((value, i) => {
    const bright = 255 * Math.max(0, value / (peak || 1)) ** 0.4;
    image.data.set([bright, bright, bright, 255], 4 * i);
  });
  const buffer = document.createElement("canvas");
  buffer.width = width;
  buffer.height = height;
  buffer.getContext("2d").putImageData(image, 0, 0);
  const scale = Math.min(view.width / width, view.height / (height * aspect));
  const [w, h] = [width * scale, height * aspect * scale];
  view.context.imageSmoothingEnabled = false;
  view.context.drawImage(buffer, (view.width - w) / 2, (view.height - h) / 2, w, h);
}
