// SPDX-License-Identifier: MIT
// The dialog in which a file is chosen, and what it is used as.
import { element } from "../base/dom.js";

/** Shows the files of the folder, then the uses of one; `chosen` gets a File or a name and kind. */
export class FileDialog {
  constructor(chosen) {
    this.chosen = chosen;
    this.title = element("h2", { id: "file-dialog-title" });
    this.body = element("div", { class: "file-body" });
    this.problem = element("p", { class: "wrong", role: "alert", hidden: true });
    this.input = element("input", {
      id: "file-input", type: "file", hidden: true, "aria-label": "File of this computer",
      on: {
        change: () => {
          if (this.input.files.length) this.chosen(this.input.files[0]);
          this.input.value = "";
        },
      },
    });
    this.box = element("dialog", { id: "file-dialog", "aria-labelledby": "file-dialog-title" },
      this.title, this.body, this.problem, this.input,
      element("div", { class: "file-end" }, element("button", {
        id: "file-cancel", type: "button", text: "Cancel", on: { click: () => this.close() },
      })));
    document.body.append(this.box);
  }

  /** Lists files {name, kind} of the folder. */
  list(files) {
    const rows = files.map(({ name, kind }) => element("li", {}, element("button", {
      type: "button", class: "file-row", "data-file": name, text: name,
      on: { click: () => this.chosen({ name, kind }) },
    })));
    this.show("Add a file",
      element("p", {
        class: "hint",
        text: "An image to compare with, a PSF, a camera or a scene. Drop a file anywhere on the " +
          "page, or choose one.",
      }),
      element("button", {
        id: "file-choose", type: "button", text: "Choose a file of this computer",
        on: { click: () => this.input.click() },
      }),
      element("p", {
        class: "hint",
        text: rows.length ? "In the folder of the program:"
          : "The folder of the program has no images, cameras or scenes.",
      }),
      element("ul", { class: "file-list" }, ...rows));
  }

  /** Says what is being done until something else is shown. */
  busy(text) {
    this.show(text);
  }

  /**
   * Asks what a file is used as: uses are {id, text, help, act, field}, the likely one first. A
   * `field` is an element that is shown below its button.
   */
  ask(name, facts, uses) {
    this.show(name, element("p", { class: "hint", text: facts }),
      element("div", { class: "file-uses" },
        ...uses.flatMap((use, at) => useParts(use, at === 0))));
    this.body.querySelector(".likely").focus();
  }

  show(title, ...parts) {
    this.title.textContent = title;
    this.body.replaceChildren(...parts);
    this.refuse(null);
    if (!this.box.open) this.box.showModal();
  }

  /** Shows a sentence about what went wrong; null shows none. */
  refuse(sentence) {
    if (sentence && !this.body.hasChildNodes()) this.title.textContent = "This file is not used";
    this.problem.hidden = !sentence;
    this.problem.textContent = sentence ?? "";
  }

  close() {
    this.box.close();
  }
}

function useParts({ id, text, help, act, field }, isLikely) {
  const button = element("button", {
    id, type: "button", text, class: isLikely ? "likely" : null, "aria-describedby": `${id}-help`,
    on: { click: () => act() },
  });
  const parts = [button, element("p", { class: "hint", id: `${id}-help`, text: help })];
  return field ? [...parts, field] : parts;
}
