// SPDX-License-Identifier: MIT
// Numbers of the chosen channel, beside those of the pinned preview: signal, counts, light.
import { element } from "../base/dom.js";
import { numberText } from "../base/values.js";

const digits = (value, count) => (Number.isFinite(value)
  ? numberText(Number(value.toPrecision(count))) : "none");
const percent = (share) => `${digits(100 * (Math.abs(share) < 1e-6 ? 0 : share), 3)} %`;

/** Returns a length in um as nanometres. */
export function nanometres(um, count) {
  return digits(1000 * um, count);
}

/**
 * The rows of numbers: a name, text of the numbers, and what they are. A row without any text is
 * left out.
 */
const rows = [
  ["Touching objects", ({ objects }) => `${objects.touching} of ${objects.count}`,
    "Objects in the region whose labels share a face with those of another one, and all objects " +
      "in the region."],
  ["Median SNR of objects", ({ snr }) => digits(snr, 3),
    "Half of the objects in the region have a lower signal-to-noise ratio."],
  ["Median counts, DN", (image) => digits(image.median_counts, 4),
    "Half of the pixels of the region have no more counts of the camera (digital numbers)."],
  ["Saturated pixels", ({ saturated }) => percent(saturated),
    "The share of the region's pixels that got more light than the camera can record."],
  ["Dose for the SNR, × light",
    ({ found_dose: dose }) => (dose === null ? "" : digits(dose, 4)),
    "The light of objects and background is multiplied by this factor, so that the median " +
      "object has the ratio illumination.snr: it is the illumination.dose of this scene."],
];

/**
 * Returns a table of the numbers of an image, and the `objects` of its preview; `pinned` are those
 * of the pinned preview, or null.
 */
export function numbersTable(now, pinned) {
  const table = element("table", { class: "numbers" });
  if (pinned) {
    table.append(element("tr", {}, element("td"), element("th", { scope: "col", text: "now" }),
      element("th", { scope: "col", text: "pinned" })));
  }
  for (const [name, text, title] of rows) {
    const cells = [now, ...(pinned ? [pinned] : [])].map((image) => text(image));
    if (cells.every((cell) => cell === "")) continue;
    table.append(element("tr", { title }, element("th", { scope: "row", text: name }),
      ...cells.map((cell) => element("td", { text: cell }))));
  }
  return table;
}

/**
 * The rows of a light ledger: a name, its photons, and of what it is a share. The image and what is
 * lost are shares of the light on all planes of an unlimited field.
 */
const lightRows = [
  ["emitted photons", "emitted", "emitted"],
  ["collected", "collected", "emitted"],
  ["in the image", "image", "unbounded"],
  ["cut off by the size of the PSF", "lost_by_window", "unbounded"],
  ["outside the field", "lost_by_field", "unbounded"],
];

/** Returns a table with a bar for each part of the light; `pinned` is another ledger, or null. */
export function lightTable(ledger, pinned) {
  return element("table", { class: "light" }, ...lightRows.map((row) =>
    element("tr", { title: `${exponent(ledger[row[1]])} photons` },
      element("th", { scope: "row", text: row[0] }),
      element("td", {}, ...shareOf(ledger, row, ""),
        ...(pinned ? shareOf(pinned, row, "pinned") : [])))));
}

/** Returns text and bar of one part of a ledger, in the order in which they are shown. */
function shareOf(ledger, [, part, whole], kind) {
  const share = ledger[whole] > 0 ? ledger[part] / ledger[whole] : 0;
  const text = part === "emitted" ? exponent(ledger[part]) : percent(share);
  const fill = element("span", { class: "fill" });
  fill.style.width = `${100 * Math.min(1, Math.max(0, share))}%`;
  return [
    element("span", { class: `share ${kind}`, text: `${kind} ${text}`.trim() }),
    element("span", { class: `bar-of-light ${kind}`, "aria-hidden": "true" }, fill),
  ];
}

function exponent(photons) {
  return photons >= 1e5 ? photons.toExponential(2).replace("e+", "e") : digits(photons, 3);
}

/** Returns the widths of a PSF. */
export function widthsText({ psf_widths_um: widths, psf_includes_pixel: includesPixel }) {
  const texts = widths.map((um) => (um ? nanometres(um, 3) : "none"));
  const pixel = includesPixel === null ? "" : `, pixel ${includesPixel ? "" : "not "}included`;
  return `FWHM z, y, x: ${texts.join(", ")} nm${pixel}`;
}

/** What the widths of a PSF are. */
export const aboutWidths = "Full widths at half maximum of the PSF that blurs the image, between " +
  "voxels by sinc functions. With the pixel included, the PSF is averaged over a pixel: " +
  "optics.pixel_integration.";

/** Tells that the objective takes all light, whatever its aperture. */
export const collectsAll = 'optics.collection is "all": every NA collects the same light. ' +
  'Choose "aperture" to count what the lens takes.';

/** Returns why a preview has no light ledger. */
export function whyNoLedger({ isWhole }) {
  return isWhole
    ? "Not counted: light of the scene's margin reaches the image, too."
    : "Not counted for a part of the grid, which light from outside reaches; choose all voxels.";
}
