// SPDX-License-Identifier: MIT
// The scene as a form, generated from the key table.
import { byId, element } from "../base/dom.js";
import { makeField } from "./fields.js";

/** Shows the keys that a scene gives, table by table; "more" and the search show others. */
export class Form {
  constructor(panel, tables, changed) {
    this.tables = tables;
    this.changed = changed;
    this.fields = new Map();
    this.opened = new Set();
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
    this.sections = tables.map((table) => this.makeSection(table));
    this.list.append(...this.sections.map((section) => section.box));
  }

  makeSection(table) {
    const id = `table-${table.table || "scene"}`;
    const body = element("div", { class: "fields", id });
    const more = element("button", {
      type: "button", class: "more", "aria-controls": id,
      on: { click: () => this.toggle(table.table) },
    });
    const name = table.table || "scene";
    const box = element("section",
      { class: "table", "data-table": table.table, "aria-label": name },
      element("div", { class: "table-head" }, element("h2", { text: name }), more), body);
    return { table, box, body, more, shown: "" };
  }

  toggle(name) {
    if (!this.opened.delete(name)) this.opened.add(name);
    this.arrange();
  }

  /** Brings all fields up to date with the scene, which has changed by "load", "form", ... */
  show(scene, by) {
    this.scene = scene;
    if (by === "load") this.sortSections();
    if (scene.ok) this.refusals.clear();
    else if (scene.refusedKey) this.refusals.set(scene.refusedKey, scene.error);
    this.arrange();
    for (const [full, field] of this.fields) this.showField(full, field);
  }

  /** Puts tables of the scene first; while it is edited, they stay where they are. */
  sortSections() {
    const rank = ({ table }) => (this.scene.usedTables.has(table.table) ? 0 : 1);
    const sorted = [...this.sections].sort((one, other) => rank(one) - rank(other));
    this.opened.clear();
    this.list.append(...sorted.map((section) => section.box));
    this.list.parentElement.scrollTop = 0;
  }

  /** Marks a key whose edit the server refused altogether. */
  refuse(full, message) {
    this.refusals.set(full, message);
    const field = this.fields.get(full);
    if (field) this.showField(full, field);
  }

  showField(full, field) {
    field.show({
      value: this.scene.valueOf(full), given: this.scene.isGiven(full),
      message: this.refusals.get(full),
    });
  }

  fieldOf(key) {
    let field = this.fields.get(key.full);
    if (!field) {
      field = makeField(key, (full, value) => {
        this.refusals.delete(full);
        this.changed(full, value);
      });
      this.fields.set(key.full, field);
      this.showField(key.full, field);
    }
    return field;
  }

  /** Decides which keys are shown, and moves rows only where that changed, so that focus stays. */
  arrange() {
    if (!this.scene) return;
    const words = this.search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    let any = false;
    for (const section of this.sections) any = this.arrangeSection(section, words) || any;
    this.none.hidden = any;
  }

  arrangeSection({ table, box, body, more, ...section }, words) {
    const used = this.scene.usedTables.has(table.table) ||
      table.keys.some((key) => this.scene.isGiven(key.full));
    const open = this.opened.has(table.table);
    const keys = table.keys.filter((key) => (words.length > 0
      ? matches(key, words)
      : open || this.scene.isGiven(key.full) || this.refusals.has(key.full)));
    const list = keys.map((key) => key.full).join();
    const entry = this.sections.find((each) => each.box === box);
    if (list !== section.shown) {
      const focused = document.activeElement?.id;
      body.replaceChildren(...keys.map((key) => this.fieldOf(key).row));
      entry.shown = list;
      if (focused && body.contains(byId(focused))) byId(focused).focus();
    }
    const hidden = table.keys.length - keys.length;
    more.hidden = words.length > 0 || (!open && hidden === 0);
    more.textContent = open ? "fewer" : `${used ? "more" : "keys"} (${hidden})`;
    more.setAttribute("aria-expanded", String(open));
    more.setAttribute("aria-label", `${more.textContent}, ${table.table || "scene"}`);
    box.hidden = words.length > 0 && keys.length === 0;
    box.classList.toggle("unused", !used);
    return keys.length > 0 || words.length === 0;
  }
}

function matches(key, words) {
  const text = `${key.full} ${key.full.replaceAll("_", " ")} ${key.help ?? ""}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
