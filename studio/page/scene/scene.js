// SPDX-License-Identifier: MIT
// The scene that is edited: its text, what the server says about it, and its history.
import { History } from "./history.js";
import { valueInToml } from "../base/values.js";

/** Returns the name of a key's edits: those of a channel, which is a place from 0, are its own. */
export function placeOf(key, channel = null) {
  return channel === null ? key : `${channel}/${key}`;
}

/**
 * Sends every edit to the server, one after another, and dispatches "changed" once an answer is
 * there. A scene that the server refuses keeps its text, so that a second edit can mend it;
 * `entered` then holds what was entered since the last accepted text. While a text that was typed
 * is wrong, `knowsChannels` is false: the channels of the text may be others than `channels`.
 */
export class Scene extends EventTarget {
  constructor(api) {
    super();
    this.api = api;
    this.name = null;
    this.history = new History("");
    this.clear();
    this.queue = Promise.resolve();
    this.textEdits = 0;
    this.keyEdits = new Map();
  }

  /** Forgets what the server said about another scene. */
  clear() {
    this.accept({ ok: true, values: {}, given: [], used_tables: [], channels: [], grid: null });
  }

  get toml() {
    return this.history.text;
  }

  /** Replaces the scene by this text, under a name that is shown and used for saving. */
  load(name, toml) {
    return this.inTurn(async () => {
      const answer = await this.api.check(toml);
      this.name = name;
      this.history = new History(toml);
      this.clear();
      this.acceptText(answer);
      this.changed("load");
    });
  }

  /** Sets a key, of a channel if one is given, to a value, or removes it if the value is null. */
  set(key, value, channel = null) {
    const place = placeOf(key, channel);
    const edit = (this.keyEdits.get(place) ?? 0) + 1;
    this.keyEdits.set(place, edit);
    return this.inTurn(async () => {
      // A slider sends faster than a slow server answers: only its newest value counts.
      if (this.keyEdits.get(place) !== edit) return;
      this.entered.set(place, value);
      const answer = await this.api.set(this.toml, key, value, channel);
      this.history.push(answer.toml, place, performance.now());
      this.accept(answer, place);
      this.changed("form");
    }, place);
  }

  /** Adds a copy of the last channel with another name. */
  addChannel() {
    return this.inTurn(async () => this.takeChannels(await this.api.addChannel(this.toml)));
  }

  removeChannel(channel) {
    return this.inTurn(async () =>
      this.takeChannels(await this.api.removeChannel(this.toml, channel)));
  }

  takeChannels(answer) {
    this.history.push(answer.toml, null, performance.now());
    this.entered.clear();
    this.acceptText(answer);
    this.changed("channels");
  }

  /** Takes a text that is being typed; only the newest one is checked. */
  async edit(toml) {
    const edit = ++this.textEdits;
    await this.inTurn(async () => {
      if (edit !== this.textEdits) return;
      const answer = await this.api.check(toml);
      this.history.push(toml, "the text", performance.now());
      this.acceptText(answer);
      this.changed("text");
    });
  }

  /** Changes the scene by a request that takes its text and answers as api.set does. */
  change(request) {
    return this.inTurn(async () => {
      const answer = await request(this.toml);
      this.history.push(answer.toml, null, performance.now());
      this.accept(answer);
      this.changed("form");
    });
  }

  undo() {
    return this.inTurn(() => this.checkAgain(this.history.undo()));
  }

  redo() {
    return this.inTurn(() => this.checkAgain(this.history.redo()));
  }

  async checkAgain(toml) {
    this.entered.clear();
    this.acceptText(await this.api.check(toml));
    this.changed("history");
  }

  /** Takes the answer to a text that may have other channels than the one before. */
  acceptText(answer) {
    this.knowsChannels = answer.ok;
    this.accept(answer);
  }

  /** Takes the answer to a text; `editedKey` is the place of the key that was changed. */
  accept(answer, editedKey = null) {
    this.ok = answer.ok;
    this.error = answer.ok ? null : answer.fault;
    this.line = answer.ok ? null : answer.line ?? null;
    this.refusedKey = answer.ok ? null : editedKey;
    if (!answer.ok) return;
    this.entered = new Map();
    this.values = answer.values;
    this.given = new Set(answer.given);
    this.usedTables = new Set(answer.used_tables);
    this.channels = answer.channels ?? [];
    this.inChannels = answer.in_channels ?? [];
    this.knowsChannels = true;
    this.grid = answer.grid;
    this.sweep = answer.sweep ?? null;
  }

  /** Returns what the field of a key shows. */
  valueOf(key, channel = null) {
    const place = placeOf(key, channel);
    if (this.entered.has(place)) return this.entered.get(place);
    if (channel === null) return this.values[key];
    return key === "name" ? this.channels[channel] : this.inChannels[channel]?.values[key];
  }

  isGiven(key, channel = null) {
    const place = placeOf(key, channel);
    if (this.entered.has(place)) return this.entered.get(place) !== null;
    if (channel === null) return this.given.has(key);
    return this.inChannels[channel]?.given.includes(key) ?? false;
  }

  /**
   * Returns all values of the first data set by their names, those of channels as
   * "channel.gfp.optics.na".
   */
  valuesByName() {
    const ofChannels = this.inChannels.flatMap(({ values }, at) =>
      Object.entries(values).map(([key, value]) => [this.nameInSweep(key, at), value]));
    const swept = (this.sweep?.keys ?? []).map(({ key, values }) => [key, valueInToml(values[0])]);
    return { ...this.values, ...Object.fromEntries([...ofChannels, ...swept]) };
  }

  /** Returns the values that the sweep gives a key, written as in TOML; null if it gives none. */
  sweptValues(key, channel = null) {
    const name = this.nameInSweep(key, channel);
    return this.sweep?.keys.find((each) => each.key === name)?.values ?? null;
  }

  nameInSweep(key, channel) {
    return channel === null ? key : `channel.${this.channels[channel]}.${key}`;
  }

  /** Sets a key as `set` does. One value, or none, takes the place of a sweep of the key. */
  async setInsteadOfSweep(key, value, channel = null) {
    const isSwept = () => this.sweptValues(key, channel) !== null;
    const wasSwept = isSwept();
    if (wasSwept) await this.set(`sweep.${this.nameInSweep(key, channel)}`, null);
    if (isSwept() || (wasSwept && value === null)) return;
    await this.set(key, value, channel);
  }

  /** Tells that the scene has changed by "load", "form", "channels", "text" or "history". */
  changed(by) {
    this.dispatchEvent(new CustomEvent("changed", { detail: { by } }));
  }

  /** Runs a step after all earlier ones, because each needs the text that the one before left. */
  inTurn(step, key = null) {
    this.queue = this.queue.then(step).catch((problem) => {
      this.dispatchEvent(new CustomEvent("refused", { detail: { key, message: problem.message } }));
    });
    return this.queue;
  }
}
