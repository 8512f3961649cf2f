// SPDX-License-Identifier: MIT
// The line at the bottom: progress, seconds, messages and warnings.
import { element } from "./dom.js";

/** What an action of the user led to, such as to save. Previews do not replace it. */
export class Notice {
  constructor(text) {
    this.text = text;
  }

  /** Shows a sentence, or none; `wrong` marks it as an error. */
  say(sentence, wrong = false) {
    this.text.textContent = this.text.title = sentence;
    this.text.classList.toggle("wrong", wrong);
  }
}

export class Status {
  constructor(text, bar, warnings) {
    Object.assign(this, { text, bar, warnings });
  }

  /** Shows a sentence; `wrong` marks it as an error. */
  say(sentence, wrong = false) {
    this.text.textContent = this.text.title = sentence;
    this.text.classList.toggle("wrong", wrong);
  }

  begin() {
    this.started = performance.now();
    this.bar.removeAttribute("value");
    this.bar.hidden = false;
    this.say("Computing the preview ...");
  }

  progress({ stage, done, total }) {
    this.bar.hidden = false;
    this.bar.max = total || 1;
    this.bar.value = done;
    const seconds = (performance.now() - this.started) / 1000;
    this.say(`Computing: ${stage}, ${seconds.toFixed(1)} s`);
  }

  ready({ seconds, warnings }) {
    this.bar.hidden = true;
    const stages = Object.entries(seconds ?? {});
    const total = stages.reduce((sum, [, time]) => sum + time, 0);
    this.say(`Ready in ${total.toFixed(2)} s`);
    this.text.title = stages.filter(([, time]) => time >= 0.005)
      .map(([stage, time]) => `${stage} ${time.toFixed(2)} s`).join(", ");
    this.warn(warnings ?? []);
  }

  /** Shows the first warning on the line, and all of them above it once the line is opened. */
  warn(list) {
    const count = list.length > 1 ? `${list.length} warnings: ` : "";
    this.warnings.hidden = list.length === 0;
    this.warnings.querySelector("summary").textContent = count + (list[0] ?? "");
    this.warnings.querySelector("ul").replaceChildren(
      ...list.map((text) => element("li", { text })));
  }

  failed(message) {
    this.bar.hidden = true;
    this.say(message, true);
  }

  connected(connected) {
    if (!connected) this.failed("The server does not answer; the page tries to reach it again.");
    else if (this.lost) this.say("The server answers again.");
    this.lost = !connected;
  }
}
