// SPDX-License-Identifier: MIT
// Keeps the texts of a scene for undo and redo.

// Edits of one key that follow each other this closely are undone together, such as of a slider.
const joinedWithinMs = 800;

export class History {
  constructor(text, limit = 200) {
    this.texts = [text];
    this.at = 0;
    this.limit = limit;
    this.last = { subject: null, time: -Infinity };
  }

  get text() {
    return this.texts[this.at];
  }

  get canUndo() {
    return this.at > 0;
  }

  get canRedo() {
    return this.at + 1 < this.texts.length;
  }

  /** Adds a text; `subject` names what was edited and `time` is in milliseconds. */
  push(text, subject, time) {
    if (text === this.text) return;
    const joined = subject !== null && subject === this.last.subject &&
      time - this.last.time < joinedWithinMs && this.at > 0 && !this.canRedo;
    this.texts.length = this.at + 1;
    if (joined) this.texts[this.at] = text;
    else this.texts.push(text);
    if (this.texts.length > this.limit) this.texts.shift();
    this.at = this.texts.length - 1;
    this.last = { subject, time };
  }

  undo() {
    if (this.canUndo) this.at -= 1;
    this.last = { subject: null, time: -Infinity };
    return this.text;
  }

  redo() {
    if (this.canRedo) this.at += 1;
    this.last = { subject: null, time: -Infinity };
    return this.text;
  }
}
