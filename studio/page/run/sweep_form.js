// SPDX-License-Identifier: MIT
// Keys that take several values: one run then makes a data set of every combination.
import { element, menu } from "../base/dom.js";
import { sweptText, textOf } from "../base/values.js";
import { sweepKey, sweepValues } from "./words.js";

const seeds = [["own", "others in each data set"], ["shared", "the same in all"]];

export class SweepForm {
  constructor(scene) {
    this.scene = scene;
    this.begun = "";  // what the field of the values held when it was opened for a key
    this.keys = new Map();
    this.list = element("ul", { class: "swept", id: "sweep-list" });
    this.names = element("datalist", { id: "sweep-names" });
    this.key = element("input", {
      id: "sweep-key", type: "text", list: "sweep-names", placeholder: "optics.na",
      spellcheck: "false", autocomplete: "off", on: { input: () => this.say("") },
    });
    this.values = element("input", {
      id: "sweep-values", type: "text", placeholder: "0.8, 1.0, 1.2", spellcheck: "false",
      autocomplete: "off", "aria-describedby": "sweep-hint", on: { input: () => this.say("") },
    });
    this.repeats = element("input", {
      id: "sweep-repeats", type: "number", min: 1, max: 10000, step: 1, placeholder: "1",
      on: { change: () => this.setRepeats() },
    });
    this.objects = menu("Objects", "sweep-seed", seeds, "own", () => this.setSeeds());
    this.seeds = this.objects.querySelector("select");
    this.message = element("p", {
      class: "wrong", role: "alert", id: "sweep-message", hidden: true,
    });
    this.count = element("span", { class: "quiet", id: "sweep-count" });
    this.box = element("details", { class: "sweep", id: "sweep" },
      element("summary", {}, "Sweep: several values of a key ", this.count), this.list,
      element("form", {
        autocomplete: "off", on: { submit: (event) => { event.preventDefault(); this.add(); } },
      },
      this.names, labelled("Key", this.key), labelled("Values", this.values), this.objects,
      element("p", {
        class: "hint", id: "sweep-hint",
        text: "Separate values by commas, or write 0.8 to 1.4 in 4. Each combination is " +
          "a data set.",
      }),
      this.message,
      element("button", { type: "submit", id: "sweep-add", text: "Add to the sweep" }),
      labelled("Repeats", this.repeats)));
    scene.addEventListener("changed", ({ detail }) => {
      if (detail.by === "load") this.empty();
      this.show();
    });
    scene.addEventListener("refused", ({ detail }) => {
      if (detail.key?.startsWith("sweep.")) this.say(detail.message);
    });
  }

  /** Takes the table of all keys. */
  setKeys(tables) {
    for (const table of tables) for (const key of table.keys) this.keys.set(key.full, key);
    this.keys.delete("seed");  // each set has its own
    this.names.replaceChildren(
      ...[...this.keys.keys()].map((name) => element("option", { value: name })));
  }

  /** Opens the form for a key, which has a value in the scene. */
  begin(name, value) {
    this.box.open = true;
    this.key.value = name;
    const present = this.scene.sweep?.keys.find((each) => each.key === name);
    this.values.value = present ? sweptText(present.values) : `${textOf(value)}, `;
    this.begun = this.values.value;
    this.box.scrollIntoView({ block: "nearest" });
    this.values.focus();
    this.values.setSelectionRange(this.values.value.length, this.values.value.length);
  }

  /** Empties the fields of a key and its values. */
  empty() {
    this.key.value = this.values.value = this.begun = "";
  }

  /** Adds what was typed and not added yet. Returns whether nothing is left that is refused. */
  async addTyped() {
    const isTyped = this.values.value.trim() ? this.values.value !== this.begun :
      this.key.value.trim() !== "";
    if (!isTyped || await this.add()) return true;
    this.box.open = true;
    this.message.scrollIntoView({ block: "nearest" });
    return false;
  }

  /** Adds the key with its values. Returns whether that was accepted. */
  async add() {
    const name = this.key.value.trim();
    const key = sweepKey(name, this.keys);
    if (!key) {
      this.say(`There is no key ${name || "without a name"}; choose one of the list.`);
      this.key.focus();
      return false;
    }
    const values = sweepValues(this.values.value, key);
    if (Array.isArray(values) && values.length === 0) {
      this.say(`Give the values of ${name}.`);
      this.values.focus();
      return false;
    }
    await this.put(name, values);
    if (!this.scene.ok || !this.message.hidden) return false;
    this.empty();
    this.key.focus();
    return true;
  }

  /** Changes a key of [sweep]. With the first one, the choice of seeds is written, too. */
  async put(name, value) {
    const { scene } = this;
    const chosen = this.seeds.value;
    const isFirst = !scene.sweep;
    await scene.set(`sweep.${name}`, value);
    if (isFirst && scene.ok && scene.sweep && chosen !== "own") {
      await scene.set("sweep.seed", chosen);
    }
  }

  /** Removes a key, also from the fields. */
  async remove(name) {
    if (this.key.value.trim() === name) this.empty();
    await this.put(name, null);
    (this.list.querySelector("button") ?? this.key).focus();  // its button is gone
  }

  setRepeats() {
    const count = Number(this.repeats.value);
    this.put("repeats", count > 1 ? count : null);
  }

  /** Writes whether all data sets have one seed; before there is a sweep, put does. */
  setSeeds() {
    const chosen = this.seeds.value;
    if (this.scene.sweep) this.scene.set("sweep.seed", chosen === "own" ? null : chosen);
  }

  show() {
    const { scene } = this;
    const isWrong = !scene.ok && scene.refusedKey?.startsWith("sweep.");
    this.say(isWrong ? scene.error : "");
    const sweep = scene.sweep ?? { keys: [], repeats: null, sets: 1 };
    this.count.textContent = !scene.sweep ? "" :
      `(${sweep.sets} data ${sweep.sets === 1 ? "set" : "sets"})`;
    if (scene.sweep || this.wasSweep) this.seeds.value = scene.sweep?.seed ?? "own";
    if (document.activeElement !== this.repeats) this.repeats.value = sweep.repeats ?? "";
    this.list.replaceChildren(...sweep.keys.map(({ key, values }) => element("li", {},
      element("button", {
        type: "button", class: "swept-key", title: "Change its values",
        on: { click: () => this.begin(key, null) },
      }, element("strong", { text: key }), ` ${sweptText(values)}`),
      element("button", {
        type: "button", class: "remove", text: "×", "aria-label": `Remove ${key} from the sweep`,
        on: { click: () => this.remove(key) },
      }))));
    if (scene.sweep && !this.wasSweep) this.box.open = true;
    this.wasSweep = Boolean(scene.sweep);
  }

  say(message) {
    this.message.textContent = message;
    this.message.hidden = !message;
  }
}

function labelled(text, input) {
  return element("span", { class: "labelled" }, element("label", { for: input.id, text }), input);
}
