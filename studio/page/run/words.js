// SPDX-License-Identifier: MIT
// Runs in words: how far one is, how long it will take, how much it writes, what it replaces,
// what it warns of, and the values of a sweep.
import { isList, sweptText, valueOf } from "../base/values.js";

/** Returns bytes as "1.4 MB". */
export function bytesText(bytes) {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let at = 0;
  let value = bytes;
  while (value >= 1000 && at + 1 < units.length) {
    value /= 1000;
    at += 1;
  }
  return `${at === 0 ? value : Number(value.toPrecision(value < 10 ? 2 : 3))} ${units[at]}`;
}

/** Returns seconds as "0.4 s", "12 s", "3 min 05 s" or "2 h 07 min". */
export function secondsText(seconds) {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const two = (number) => String(number).padStart(2, "0");
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  return `${Math.floor(whole / 3600)} h ${two(Math.floor(whole / 60) % 60)} min`;
}

/**
 * Returns how far a run is: {share, isWhole, text, left}, where share is from 0 to 1, or null if it
 * is not known, and left is in seconds, or null. Sets of a sweep count first, then frames. Without
 * either, share is that of a stage, which says nothing about the stages that follow.
 */
export function progressOf({ stage, done, total, seconds, sets }) {
  const part = total > 0 ? done / total : 0;
  const frame = /^frame (\d+)\/(\d+)(?:: )?(.*)$/.exec(stage);
  const name = frame ? frame[3] : stage;
  if (sets) {
    const share = sets.done / sets.total;
    return {
      share, isWhole: true, left: share > 0 ? (seconds / share) * (1 - share) : null,
      text: `data set ${Math.min(sets.done + 1, sets.total)} of ${sets.total}` +
        `${name && `: ${name}`}`,
    };
  }
  if (frame) {
    const share = (Number(frame[1]) - 1) / Number(frame[2]);
    const text = `frame ${frame[1]} of ${frame[2]}${name && `: ${name}`}`;
    return { share, isWhole: true, left: null, text };
  }
  if (!stage) return { share: null, isWhole: false, left: null, text: "starting" };
  return { share: total > 0 ? part : null, isWhole: false, left: null, text: stage };
}

/** Returns the name of a folder for a scene: "cells.toml" gives "cells". */
export function folderFor(name) {
  return name.trim().replace(/\.toml$/, "");
}

/**
 * Returns what a run would replace, in words, and the names under which it replaces nothing.
 * @param asked, free  {name, output}: those that were asked for, and those that are free
 */
export function clashText(asked, free) {
  const file = free.name !== asked.name;
  const folder = free.output !== asked.output;
  const both = (scene, output) => [file && scene, folder && output].filter(Boolean);
  return {
    replace: `Replace ${both(asked.name, `the folder ${asked.output}`).join(" and ")}`,
    rename: `Run ${both(`as ${free.name}`, `in the folder ${free.output}`).join(" ")}`,
  };
}

/** Returns that a data set is complete, or those of a sweep, as the start of a sentence. */
export function completeText({ sets }) {
  if (!sets) return "The data set is complete";
  return sets.total === 1 ? "1 data set is complete" : `${sets.total} data sets are complete`;
}

/**
 * Returns warnings in the order of their first, each once: of a sweep, every data set gives its
 * own. Those that differ in numbers alone count as one.
 */
export function warningTexts(list) {
  const groups = new Map();
  for (const text of list) {
    const words = text.replace(/\d+(\.\d+)?(e[-+]?\d+)?/g, "0");
    groups.set(words, [...(groups.get(words) ?? []), text]);
  }
  return [...groups.values()].map((alike) => {
    if (alike.length === 1) return alike[0];
    const others = alike.every((text) => text === alike[0]) ? "" : ", with other numbers";
    return `${alike[0]} (${alike.length} times${others})`;
  });
}

/** Returns what a sweep varies: "optics.na 1, 1.2; nuclei.count 2, 3; 4 repeats". */
export function sweepText({ keys, repeats }) {
  const shown = (values) => (values.length <= 8 ? sweptText(values) :
    `${sweptText(values.slice(0, 4))} ... ${sweptText(values.slice(-1))}`);
  const parts = keys.map(({ key, values }) => `${key} ${shown(values)}`);
  if (repeats > 1) parts.push(`${repeats} repeats`);
  return parts.join("; ");
}

/**
 * Returns what an estimate says: "4 data sets (optics.na 1, 1.1, 1.2, 1.3), each 10 frames in 2
 * channels, ..."
 * @param sweep  that of the scene, or null
 */
export function estimateText({ sets, frames, channels, image, bytes, free_bytes: free }, sweep) {
  const many = (count, one) => `${count} ${count === 1 ? one : `${one}s`}`;
  const parts = [many(frames, "frame")];
  if (channels > 1) parts.push(many(channels, "channel"));
  const size = `${parts.join(" in ")} of ${image.join(" × ")} pixels (z, y, x)`;
  const room = bytes > free ? `, but the disk has only ${bytesText(free)} left` : "";
  const swept = sweep ? `${many(sets, "data set")} (${sweepText(sweep)}), each ` : "";
  return `${swept}${size}; about ${bytesText(bytes)} uncompressed${room}`;
}

/** Returns the key of a full name, also of a channel: "channel.gfp.optics.na"; else undefined. */
export function sweepKey(name, keys) {
  return keys.get(name.replace(/^channel\.[^.]+\./, ""));
}

/**
 * Returns the values that a text means for a key: a list, or a range {from, to, step} or
 * {from, to, count}. Values that are lists themselves are separated by semicolons.
 */
export function sweepValues(text, key) {
  const range = /^\s*(\S+)\s+to\s+(\S+)\s+(in|by|step)\s+(\S+?)(\s+(values|steps))?\s*$/.exec(text);
  if (range) {
    const [from, to, last] = [range[1], range[2], range[4]].map(Number);
    return range[3] === "in" ? { from, to, count: last } : { from, to, step: last };
  }
  return text.split(isList(key) ? ";" : ",").filter((part) => part.trim() !== "")
    .map((part) => (key.kind === "switch" ? part.trim() === "true" : valueOf(part, key)));
}
