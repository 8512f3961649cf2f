// SPDX-License-Identifier: MIT
// The panel that makes the whole data set of the scene: names, options, progress, result.
import { debounced, element } from "../base/dom.js";
import { dataSetOptions } from "./data_set_options.js";
import { RunResult } from "./run_result.js";
import { SweepForm } from "./sweep_form.js";
import { clashText, completeText, estimateText, folderFor, progressOf } from "./words.js";

export class RunPanel {
  /**
   * @param panel, button  the panel, and the button that opens and closes it
   * @param saveName       the field of the scene's file, which the panel shares
   * @param drawnSeed      returns the seed that the preview has drawn for a scene without one
   * @param say            shows a sentence in the status line
   */
  constructor({ panel, button, saveName, drawnSeed }, scene, api, say) {
    Object.assign(this, { panel, button, saveName, drawnSeed, scene, api, say });
    this.options = { format: "", truth_layout: "" };
    this.followsName = true;
    this.awaitsReport = false;
    this.received = 0;  // states of the server
    this.estimateSoon = debounced(() => this.estimate(), 300);
    this.sweep = new SweepForm(scene);
    this.result = new RunResult({
      stop: () => this.ask(() => api.stopRun()),
      resume: (output) => this.run({ output, resume: true }),
      report: (output, set) => this.report({ output, set: set ?? "" }),
    });
    panel.replaceChildren(this.head(), this.makeForm(), this.result.atWork, this.sweep.box,
      this.result.last);
    button.addEventListener("click", () => this.toggle(panel.hidden));
    document.addEventListener("keydown", ({ key, target }) => {
      const isHere = target === document.body || panel.contains(target);
      if (key === "Escape" && isHere && !panel.hidden) this.toggle(false);
    });
    scene.addEventListener("changed", ({ detail }) => {
      if (detail.by === "load") this.result.fold();
      this.sceneChanged();
    });
  }

  head() {
    return element("div", { class: "run-head" },
      element("h2", { text: "Make the whole data set" }),
      element("button", {
        type: "button", class: "remove", text: "×", "aria-label": "Close",
        on: { click: () => this.toggle(false) },
      }));
  }

  makeForm() {
    const text = (id, label, changed) => {
      const input = element("input", {
        id, type: "text", spellcheck: "false", autocomplete: "off", on: { input: changed },
      });
      return [input, element("span", { class: "labelled" },
        element("label", { for: id, text: label }), input)];
    };
    const [name, nameRow] = text("run-name", "Scene file", () => this.nameChanged());
    const [output, outputRow] = text("run-output", "Folder", () => {
      this.followsName = false;
      this.changed();
    });
    Object.assign(this, { name, output });
    this.size = element("p", { class: "hint", id: "run-size" });
    this.command = element("code", { id: "run-command" });
    this.question = element("div", { class: "question", hidden: true });
    this.submit = element("button", { type: "submit", id: "run-start", text: "Run" });
    return element("form", {
      autocomplete: "off",
      on: { submit: (event) => { event.preventDefault(); this.run(); } },
    },
    element("p", {
      class: "hint",
      text: "The preview shows a part. A run saves the scene, and makes all its images with " +
        "their truth in a folder.",
    }),
    nameRow, outputRow,
    ...dataSetOptions((option, value) => {
      this.options[option] = value;
      this.changed();
    }),
    this.size, this.submit, this.question,
    element("details", {}, element("summary", { text: "The same in a terminal" }), this.command));
  }

  toggle(open) {
    this.panel.hidden = !open;
    this.button.setAttribute("aria-expanded", String(open));
    if (!open) {
      this.button.focus();
      return;
    }
    this.takeName(this.saveName.value.trim());
    this.name.focus();
  }

  /** Opens the panel to sweep a key, of a channel or of the scene, from its field in the form. */
  sweepKey({ full, channel }) {
    const { scene } = this;
    this.toggle(true);
    const inChannel = channel === null || channel === undefined ? "" :
      `channel.${scene.channels[channel]}.`;
    this.sweep.begin(inChannel + full, scene.valueOf(full, channel ?? null));
  }

  /** Takes the name of a scene that was opened, and its folder. */
  opened(name) {
    this.followsName = true;
    this.takeName(name);
  }

  takeName(name) {
    this.name.value = name;
    if (this.followsName) this.output.value = folderFor(name);
    this.changed();
  }

  nameChanged() {
    this.saveName.value = this.name.value;
    this.saveName.dispatchEvent(new Event("input"));
    this.takeName(this.name.value);
  }

  sceneChanged() {
    this.submit.disabled = !this.scene.ok || this.runs;
    if (!this.panel.hidden) this.changed();
  }

  /** What was asked before may no longer be what is wanted. */
  changed() {
    this.question.hidden = true;
    this.estimateSoon();
  }

  asked() {
    return {
      toml: this.scene.toml, name: this.name.value.trim(), output: this.output.value.trim(),
      seed: this.drawnSeed(), ...this.options,
    };
  }

  async estimate() {
    if (!this.scene.ok || this.panel.hidden) return;
    const { toml } = this.scene;
    try {
      const estimate = await this.api.estimate(toml);
      if (toml !== this.scene.toml) return;
      this.size.textContent = estimateText(estimate, this.scene.sweep);
      this.size.classList.toggle("wrong", estimate.bytes > estimate.free_bytes);
      const { toml: text, name, ...more } = this.asked();
      this.command.textContent = (await this.api.copy(text, name, more)).command;
    } catch (problem) {
      this.size.textContent = problem.message;
      this.size.classList.add("wrong");
    }
  }

  /** Does what the server is asked for, and shows its refusal. */
  async ask(request, refused = (problem) => this.showQuestion(problem.message)) {
    this.question.hidden = true;
    try {
      this.receive(await request());
    } catch (problem) {
      refused(problem);
    }
  }

  /** Makes the data set of all that was entered, also of values that were not added yet. */
  async run(more = {}) {
    await this.scene.queue;
    if (!await this.sweep.addTyped()) return;
    await this.scene.queue;
    if (!this.scene.ok) {
      this.showQuestion(this.scene.error);
      return;
    }
    const asked = { ...this.asked(), ...more };
    this.say("");  // of the run before
    await this.ask(() => this.api.startRun(asked), (problem) => {
      if (problem.answer?.free) this.askToReplace(problem, asked, more);
      else this.showQuestion(problem.message);
    });
  }

  askToReplace({ message, answer: { free } }, asked, more) {
    const { replace, rename } = clashText(asked, free);
    this.showQuestion(message,
      ["run-replace", replace, () => this.run({ ...more, overwrite: true })],
      ["run-next", rename, () => {
        this.name.value = this.saveName.value = free.name;
        this.output.value = free.output;
        this.followsName = free.output === folderFor(free.name);
        this.run(more);
      }]);
  }

  report(asked) {
    this.awaitsReport = true;
    return this.ask(() => this.api.makeReport(asked), (problem) => {
      this.awaitsReport = false;
      if (problem.status !== 409 || this.runs) this.showQuestion(problem.message);
      else {
        this.showQuestion(problem.message,
          ["run-replace", "Replace", () => this.report({ ...asked, overwrite: true })]);
      }
    });
  }

  showQuestion(message, ...choices) {
    this.question.replaceChildren(
      element("p", { class: "wrong", role: "alert", id: "run-question", text: message }),
      ...choices.map(([id, text, click]) =>
        element("button", { type: "button", id, text, on: { click } })));
    this.question.hidden = false;
    this.result.fold();
    this.question.scrollIntoView({ block: "nearest" });
  }

  connected(connected) {
    if (connected) this.begin();
    else if (this.runs) this.result.showLoss();
  }

  /** Shows the state of the last run, also that of a page that was closed. */
  async begin() {
    const { received } = this;
    try {
      const state = await this.api.runState();
      this.folder = state.folder;
      if (this.received !== received) return;  // events that came meanwhile are newer
      this.id = 0;
      this.lastEnd ??= state.state === "running" ? state.id - 1 : state.id;
      this.receive(state);
    } catch {
      // The status line says that the server does not answer
    }
  }

  /** Takes a state of the server. */
  receive(state) {
    const isLate = state.id === this.lastEnd && state.state === "running";
    if (isLate || state.id < (this.id ?? 0)) return;
    this.received += 1;
    this.id = state.id;
    const wasRunning = Boolean(this.runs);
    this.runs = state.state === "running";
    this.submit.disabled = !this.scene.ok || this.runs;
    this.button.textContent =
      this.runs ? `Running${overallText(progressOf(state))}` : "Run ...";
    this.result.show(state, this.folder);
    if (!this.runs) this.ended(state);
    if (wasRunning !== this.runs) this.keepFocus();
  }

  /** Moves the focus to the next step, if what had it is gone: Run or Stop. */
  async keepFocus() {
    // A browser takes the focus from what is hidden with its next image
    for (let image = 0; image < 2; image += 1) await new Promise(requestAnimationFrame);
    if (this.panel.hidden || document.activeElement !== document.body) return;
    if (this.runs) this.result.stopButton.focus();
    else (this.result.next() ?? this.submit).focus();
  }

  ended(state) {
    if (this.lastEnd === state.id) return;
    this.lastEnd = state.id;
    this.result.last.scrollIntoView({ block: "nearest" });
    if (state.kind === "report") {
      if (this.awaitsReport && state.state === "done") {
        // Null if the browser allows no new tab this late; the panel has a link then
        window.open(`data/${encodeURIComponent(state.page)}`, "_blank", "noopener");
      }
      this.awaitsReport = false;
    } else if (state.state === "done") {
      this.say(`${completeText(state)} in the folder ${state.output}.`);
    } else if (state.state === "failed") {
      this.say(state.error, true);
    }
  }
}

/** Returns " 40 %" of the whole run, if that much is known. */
function overallText({ share, isWhole }) {
  return isWhole ? ` ${Math.floor(100 * share)} %` : "";
}
