// SPDX-License-Identifier: MIT
// The scene as a form, generated from the key table.
import { element } from "../base/dom.js";
import { ChannelSections, placedKey } from "./channels.js";
import { showFieldHelp } from "./field_help.js";
import { makeField } from "./fields.js";
import { Section } from "./section.js";

/** Shows the keys that a scene gives, table by table; "more" and the search show others. */
export class Form {
  /** `actions` are {set(key, value), add(), remove(channel)}; a key has its channel or null. */
  constructor(panel, tables, actions) {
    this.set = actions.set;
    this.fields = new Map();
    this.refusals = new Map();
    this.search = element("input", {
      id: "search", type: "search", placeholder: "exposure, radius, na ...", spellcheck: "false",
      on: { input: () => this.arrange() },
    });
    this.list = element("div", { class: "tables" });
    this.none = element("p", {
      class: "hint", text: "No key has this word in its name or help.", hidden: true,
    });
    panel.replaceChildren(
      element("div", { class: "search" },
        element("label", { for: "search", text: "Find a key" }), this.search),
      this.none, this.list);
    showFieldHelp(panel);
    const parts = { fieldOf: (key) => this.fieldOf(key), toggled: () => this.arrange() };
    this.sections = tables.map(({ table, keys }) => ({
      table, section: new Section({
        id: table || "scene", groups: [{ title: null, keys: keys.map((key) => placedKey(key)) }],
        ...parts,
      }),
    }));
    this.channels = new ChannelSections(tables, { ...parts, actions });
    this.list.append(...this.sections.map(({ section }) => section.box), this.channels.box);
  }

  /** Brings all fields up to date with the scene, which has changed by "load", "form", ... */
  show(scene, by) {
    this.scene = scene;
    if (by === "load") {
      this.search.value = "";
      this.sortSections();
    }
    if (scene.ok) this.refusals.clear();
    else if (scene.refusedKey) this.refusals.set(scene.refusedKey, scene.error);
    const before = this.channels.sections.length;
    for (const place of this.channels.show(scene)) this.fields.delete(place);
    this.arrange();
    for (const field of this.fields.values()) this.showField(field);
    if (by === "channels") this.channels.focusAfter(before);
  }

  /** Puts tables of the scene and channels first; while it is edited, they stay where they are. */
  sortSections() {
    const isUsed = ({ table }) => this.scene.usedTables.has(table);
    const boxes = (entries) => entries.map(({ section }) => section.box);
    for (const { section } of this.sections) section.open = false;
    for (const section of this.channels.sections) section.open = false;
    this.list.append(...boxes(this.sections.filter(isUsed)), this.channels.box,
      ...boxes(this.sections.filter((entry) => !isUsed(entry))));
    this.list.parentElement.scrollTop = 0;
  }

  /** Marks the key at this place, whose edit the server refused altogether. */
  refuse(place, message) {
    this.refusals.set(place, message);
    const field = this.fields.get(place);
    if (field) this.showField(field);
  }

  showField({ key, show }) {
    show({
      value: this.scene.valueOf(key.full, key.channel),
      given: this.scene.isGiven(key.full, key.channel),
      swept: this.scene.sweptValues(key.full, key.channel),
      message: this.refusals.get(key.place),
    });
  }

  fieldOf(key) {
    let field = this.fields.get(key.place);
    if (!field) {
      field = makeField(key, (value) => {
        this.refusals.delete(key.place);
        this.set(key, value);
      });
      this.fields.set(key.place, field);
      this.showField(field);
    }
    return field;
  }

  /** Decides which keys are shown. */
  arrange() {
    if (!this.scene) return;
    const words = this.search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const isGiven = (key) => this.scene.isGiven(key.full, key.channel);
    const isShown = (key) => isGiven(key) || this.refusals.has(key.place) ||
      this.scene.sweptValues(key.full, key.channel) !== null;
    let any = this.channels.arrange(words, isShown);
    for (const { table, section } of this.sections) {
      const used = this.scene.usedTables.has(table) || section.keys.some(isGiven);
      any = section.arrange({ words, isShown, used }) || any;
    }
    this.none.hidden = any;
  }
}
