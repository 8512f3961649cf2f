// SPDX-License-Identifier: MIT
// What a run is doing and what it left: progress, its folder, its report, or why it failed.
import { element, menu } from "../base/dom.js";
import { completeText, progressOf, secondsText, warningTexts } from "./words.js";

/**
 * Shows the states of runs, as the server publishes them: in `atWork` the one that runs, in `last`
 * what the one before left.
 */
export class RunResult {
  constructor({ stop, resume, report }) {
    this.actions = { stop, resume, report };
    this.bar = element("progress", { max: 1, value: 0, "aria-label": "Progress of the run" });
    this.text = element("p", { id: "run-progress" });
    this.stopButton = element("button", {
      type: "button", id: "run-stop", text: "Stop", on: { click: () => stop() },
    });
    this.atWork = element("div", { class: "at-work", hidden: true },
      this.bar, this.stopButton, this.text,
      element("p", {
        class: "hint",
        text: "The scene can be changed meanwhile; the run keeps the one it began with.",
      }));
    this.outcome = element("div", { class: "outcome", id: "run-outcome", role: "status" });
    this.report = element("div", { class: "outcome", id: "run-report-outcome", role: "status" });
    this.title = element("summary", { text: "The last run" });
    this.last = element("details", { class: "last-run", id: "run-last", hidden: true },
      this.title, this.outcome, this.report);
    this.reportButton = null;
  }

  /** Folds what the last run left, once something else is wanted. */
  fold() {
    this.last.open = false;
  }

  /** @param state  the server's; `folder` is the folder in which it was started */
  show(state, folder) {
    const runs = state.state === "running";
    this.atWork.hidden = !runs;
    if (runs) this.showProgress(state);
    else this.showOutcome(state, folder);
  }

  showProgress(state) {
    const { share, left, text } = progressOf(state);
    if (share === null) this.bar.removeAttribute("value");
    else this.bar.value = share;
    const what = state.kind === "report" ? "Making the report" : `Making ${state.output}`;
    this.text.textContent = `${what}: ${text}; ${secondsText(state.seconds)} so far` +
      (left === null ? "" : `, about ${secondsText(left)} left`);
    this.report.replaceChildren();
    if (state.kind === "data_set") this.outcome.replaceChildren();
    this.last.hidden = this.outcome.childElementCount === 0;
    this.shown = null;
  }

  /** Returns what people do next, after a run: open its report, if that can be made. */
  next() {
    return this.outcome.querySelector("#run-report") ?? this.report.querySelector("a");
  }

  /** Says what is known while the server does not answer. */
  showLoss() {
    this.bar.removeAttribute("value");
    this.text.textContent =
      "The program does not answer. If it has ended, so has the run: complete data sets are kept.";
  }

  showOutcome(state, folder) {
    const shown = `${state.id} ${state.state}`;
    if (this.shown === shown) return;
    this.shown = shown;
    const box = state.kind === "report" ? this.report : this.outcome;
    const parts = state.kind === "report" ? reportParts(state) : this.dataSetParts(state, folder);
    box.replaceChildren(...parts.filter(Boolean));
    if (state.kind === "report" && state.state === "done") this.showReportOf(state.page);
    this.title.textContent = `The last run: ${state.output}`;
    this.last.hidden = state.state === "none";
    this.last.open = true;
  }

  /** Leaves one way to open a report: its link, or the button while there is no such report. */
  showReportOf(page) {
    this.page = page;
    if (this.reportButton) this.reportButton.hidden = page === this.pageOfButton();
  }

  dataSetParts(state, folder) {
    const place = `${folder ?? ""}/${state.output}`;
    if (state.state === "failed") return [failure(state)];
    if (state.state === "stopped") return this.stoppedParts(state);
    if (state.state !== "done") return [];
    return [
      element("p", {}, `${completeText(state)} after ${secondsText(state.seconds)}:`),
      element("p", {}, element("code", { id: "run-folder", text: place })),
      ...warnings(state), this.picture(state), ...this.reportInputs(state),
    ];
  }

  stoppedParts(state) {
    if (!state.sets) return [element("p", { text: "Stopped. Nothing of it was kept." })];
    return [
      element("p", {
        text: `Stopped. ${state.sets.done} of ${state.sets.total} data sets are complete.`,
      }),
      element("button", {
        type: "button", text: "Continue", id: "run-continue",
        on: { click: () => this.actions.resume(state.output) },
      }),
    ];
  }

  picture(state) {
    const parts = [state.output, ...(state.sets ? [state.sets.folders[0]] : []), "preview.png"];
    const path = parts.map(encodeURIComponent).join("/");
    const image = element("img", {
      src: `data/${path}?run=${state.id}`, alt: "Overview of the images that were made",
      on: {
        error: () => image.remove(),
        load: () => this.last.scrollIntoView({ block: "nearest" }),
      },
    });
    return image;
  }

  /** A button for the report; for a sweep, with a menu of its sets. */
  reportInputs(state) {
    const folders = state.sets?.folders ?? null;
    let chosen = folders ? folders[0] : null;
    this.page = null;
    this.pageOfButton = () => `${[state.output, chosen].filter(Boolean).join("-")}-report.html`;
    this.reportButton = element("button", {
      type: "button", id: "run-report", text: "Open the report",
      on: { click: () => this.actions.report(state.output, chosen) },
    });
    if (!folders) return [this.reportButton];
    return [
      menu("Set", "run-set", folders.map((name) => [name, name]), chosen, (name) => {
        chosen = name;
        this.showReportOf(this.page);
      }),
      this.reportButton,
    ];
  }
}

function failure(state) {
  return element("p", { class: "wrong", role: "alert", id: "run-error", text: state.error });
}

function reportParts(state) {
  if (state.state === "failed") return [failure(state)];
  if (state.state === "stopped") return [element("p", { text: "Stopped. There is no report." })];
  return [
    element("p", {}, "The report is ", element("code", { text: state.page }), "."),
    element("a", {
      href: `data/${encodeURIComponent(state.page)}`, target: "_blank", rel: "noopener",
      id: "run-report-link", text: "Open the report",
    }),
  ];
}

/** Returns the first warning, and the others folded. */
function warnings({ warnings: list }) {
  const [first, ...others] = warningTexts(list);
  if (!first) return [];
  const shown = element("p", { class: "warned", id: "run-warning", text: `Warning: ${first}` });
  if (others.length === 0) return [shown];
  const title = others.length === 1 ? "1 more warning" : `${others.length} more warnings`;
  return [shown, element("details", {}, element("summary", { text: title }),
    element("ul", {}, ...others.map((text) => element("li", { text }))))];
}
