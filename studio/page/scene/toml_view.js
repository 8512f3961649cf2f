// SPDX-License-Identifier: MIT
// The scene as text, checked while it is typed; the line with an error is marked.
import { debounced, element } from "../base/dom.js";

export class TomlView {
  constructor(panel, edited) {
    this.numbers = element("div", { class: "line-numbers", "aria-hidden": "true" });
    this.mark = element("div", { class: "line-mark", hidden: true });
    this.text = element("textarea", {
      id: "toml", spellcheck: "false", wrap: "off", autocomplete: "off", autocapitalize: "off",
      "aria-describedby": "scene-error",
    });
    const sheet = element("div", { class: "sheet" }, this.mark, this.numbers, this.text);
    panel.replaceChildren(
      element("label", { for: "toml", class: "hidden-label", text: "Scene as TOML" }), sheet);
    this.edited = edited;
    this.isSent = true;
    const sendLater = debounced(() => this.send(), 250);
    this.text.addEventListener("input", () => {
      this.isSent = false;
      this.number();
      sendLater();
    });
    this.text.addEventListener("scroll", () => this.place());
    this.line = null;
  }

  /** Sends what was typed, if it was not sent before. */
  send() {
    if (this.isSent) return;
    this.isSent = true;
    this.edited(this.text.value);
  }

  /** Marks the line of the scene's error, and shows its text unless that was typed here. */
  show(scene, by) {
    if (by !== "text") this.replace(scene.toml);
    this.line = scene.line;
    this.text.setAttribute("aria-invalid", String(!scene.ok));
    this.number();
  }

  replace(toml) {
    const old = this.text.value;
    if (old === toml) return;
    this.text.value = toml;
    this.text.selectionStart = this.text.selectionEnd = endOfChange(old, toml);
  }

  number() {
    const count = this.text.value.split("\n").length;
    this.numbers.replaceChildren(...Array.from({ length: count }, (_, at) => element("span", {
      text: String(at + 1), class: at + 1 === this.line ? "wrong" : null,
    })));
    this.place();
  }

  /** Moves numbers and mark along with the text. Both have the line height of the style sheet. */
  place() {
    const height = parseFloat(getComputedStyle(this.text).lineHeight);
    const top = parseFloat(getComputedStyle(this.text).paddingTop);
    this.numbers.style.transform = `translateY(${-this.text.scrollTop}px)`;
    this.mark.hidden = this.line === null;
    if (this.line === null) return;
    const lineTop = top + (this.line - 1) * height - this.text.scrollTop;
    this.mark.style.transform = `translateY(${lineTop}px)`;
    this.mark.style.height = `${height}px`;
  }
}

/** Returns where the part of a text ends that differs from the text before. */
function endOfChange(before, after) {
  const most = Math.min(before.length, after.length);
  let begin = 0;
  while (begin < most && before[begin] === after[begin]) begin += 1;
  let same = 0;
  while (same < most - begin && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  return after.length - same;
}
