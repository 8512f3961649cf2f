// SPDX-License-Identifier: MIT
// The scene that is edited: its text, what the server says about it, and its history.
import { History } from "./history.js";

/**
 * Sends every edit to the server, one after another, and dispatches "changed" once an answer is
 * there. A scene that the server refuses keeps its text, so that a second edit can mend it;
 * `entered` then holds what was entered since the last accepted text.
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
      this.accept(answer);
      this.changed("load");
    });
  }

  /** Sets a key to a value, or removes it if the value is null. */
  set(key, value) {
    const edit = (this.keyEdits.get(key) ?? 0) + 1;
    this.keyEdits.set(key, edit);
    return this.inTurn(async () => {
      // A slider sends faster than a slow server answers: only its newest value counts.
      if (this.keyEdits.get(key) !== edit) return;
      this.entered.set(key, value);
      const answer = await this.api.set(this.toml, key, value);
      this.history.push(answer.toml, key, performance.now());
      this.accept(answer, key);
      this.changed("form");
    }, key);
  }

  /** Takes a text that is being typed; only the newest one is checked. */
  async edit(toml) {
    const edit = ++this.textEdits;
    await this.inTurn(async () => {
      if (edit !== this.textEdits) return;
      const answer = await this.api.check(toml);
      this.history.push(toml, "the text", performance.now());
      this.accept(answer);
      this.changed("text");
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
    this.accept(await this.api.check(toml));
    this.changed("history");
  }

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
    this.grid = answer.grid;
    this.isSweep = answer.is_sweep ?? false;
  }

  /** Returns what the field of a key shows. */
  valueOf(key) {
    return this.entered.has(key) ? this.entered.get(key) : this.values[key];
  }

  isGiven(key) {
    return this.entered.has(key) ? this.entered.get(key) !== null : this.given.has(key);
  }

  /** Tells that the scene has changed by "load", "form", "text" or "history". */
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
