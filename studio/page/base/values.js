// SPDX-License-Identifier: MIT
// Converts between values of keys, the text of their fields and positions of sliders.

export const sliderSteps = 1000;

/** Returns a value as a field shows it. */
export function textOf(value) {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(textOf).join(", ");
  if (typeof value === "number") return numberText(value);
  return String(value);
}

/** Returns a number with at most 7 digits that count. */
export function numberText(value) {
  if (!Number.isFinite(value)) return String(value);
  return String(Number(value.toPrecision(7)));
}

/** Returns the number that a text means, or the text itself, which the server then refuses. */
function numberOrText(text) {
  const trimmed = text.trim();
  const number = Number(trimmed);
  return trimmed !== "" && Number.isFinite(number) ? number : trimmed;
}

/** Returns the value that the text of a field means for this key; null for an empty field. */
export function valueOf(text, key) {
  if (text.trim() === "") return null;
  if (["text", "file", "terms"].includes(key.kind)) return text.trim();
  if (isList(key)) return text.replace(/^\s*\[|\]\s*$/g, "").split(",").map(numberOrText);
  return numberOrText(text);
}

export function isList(key) {
  return key.kind.startsWith("list");
}

export function isNumber(key) {
  return key.kind === "number" || key.kind === "integer";
}

/**
 * Returns the range {low, high, log} of a key's slider, or null if a slider cannot help. Ranges
 * that span two decades are logarithmic. Those of more than five decades, or from 0 to 1e4 or more,
 * are cut to two decades on either side of the typical value, if there is one.
 */
export function sliderRange(key, typical) {
  if (!isNumber(key)) return null;
  let { low, high } = key;
  if (!Number.isFinite(low) || !Number.isFinite(high)) return null;
  const wide = low > 0 ? high / low > 1e5 : high - low >= 1e4;
  if (wide) {
    if (!(typical > 0)) return null;
    low = Math.max(typical / 100, low);
    high = Math.min(typical * 100, high);
    if (key.kind === "integer") low = Math.max(1, Math.ceil(low));
  }
  if (!(high > low)) return null;
  return { low, high, log: low > 0 && high / low >= 100 };
}

/** Returns the position of a value on a slider, from 0 to sliderSteps, which are its ends. */
export function sliderPosition(value, { low, high, log }) {
  const inside = Math.min(high, Math.max(low, value));
  const share = log ? Math.log(inside / low) / Math.log(high / low) : (inside - low) / (high - low);
  return Math.round(share * sliderSteps);
}

/** Returns the value at a position of a slider, rounded to 3 digits or to a whole number. */
export function sliderValue(position, { low, high, log }, key) {
  const share = position / sliderSteps;
  if (position <= 0 && !key.low_open) return low;
  if (position >= sliderSteps && !key.high_open) return high;
  const value = log ? low * (high / low) ** share : low + (high - low) * share;
  const rounded = key.kind === "integer" ? Math.round(value) : Number(value.toPrecision(3));
  const smallest = key.low_open ? Number.MIN_VALUE : low;
  return Math.min(high, Math.max(smallest, rounded));
}

/** Returns what a simple value in TOML means: a number, text, list or true and false. */
export function valueInToml(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns values, which are written as in TOML, as people list them. */
export function sweptText(values) {
  const isOfLists = values.some((value) => value.startsWith("["));
  return values.map((value) => value.replace(/^"(.*)"$/, "$1")).join(isOfLists ? "; " : ", ");
}

/** Returns a unit, or words with one, as people write it: "um^3" is "µm³". */
export function unitText(text) {
  return text.replace(/\bum\b/g, "µm").replace(/\bum(?=[23]\b)/g, "µm")
    .replace(/(?<=µm)\^?([23])/g, (_, power) => (power === "2" ? "²" : "³"));
}

/** Returns the name of a key as words, without its unit: "wavelength_nm" is "wavelength". */
export function labelOf(key) {
  const endings = {
    nm: "_nm", um: "_um", s: "_seconds", degrees: "_degrees", DN: "_dn", h: "_hours",
    electrons: "_electrons",
  };
  const ending = endings[key.unit];
  const name = ending && key.name.endsWith(ending) && key.name.length > ending.length
    ? key.name.slice(0, -ending.length) : key.name;
  return unitText(name.replaceAll("_", " "));
}

/** Returns the accepted range in words, or an empty text. */
export function rangeText(key) {
  const { low, high } = key;
  const hasLow = Number.isFinite(low);
  const hasHigh = Number.isFinite(high);
  if (hasLow && hasHigh) {
    if (key.low_open) return `above ${numberText(low)} up to ${numberText(high)}`;
    return `${numberText(low)} to ${key.high_open ? "below " : ""}${numberText(high)}`;
  }
  if (hasLow) return key.low_open ? `above ${numberText(low)}` : `${numberText(low)} or more`;
  if (hasHigh) return key.high_open ? `below ${numberText(high)}` : `up to ${numberText(high)}`;
  return "";
}
