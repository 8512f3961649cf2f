// SPDX-License-Identifier: MIT
// A group of fields that opens and closes: a table of the scene, or all keys of one channel.
import { byId, element } from "../base/dom.js";

/**
 * `groups` are {title, keys}, whose titles may be null; `fieldOf(key)` returns the field of a key
 * and `toggled` is called after the section was opened or closed.
 */
export class Section {
  constructor({ id, groups, fieldOf, toggled, buttons = [] }) {
    Object.assign(this, { groups, fieldOf, open: false, shown: "" });
    this.body = element("div", { class: "fields", id: `table-${id}` });
    this.more = element("button", {
      type: "button", class: "more", "aria-controls": `table-${id}`,
      on: { click: () => { this.open = !this.open; toggled(); } },
    });
    this.heading = element("h2");
    this.box = element("section", { class: "table", "data-table": id },
      element("div", { class: "table-head" }, this.heading, ...buttons, this.more), this.body);
    this.setTitle(id);
  }

  setTitle(title) {
    this.title = title;
    this.heading.textContent = title;
    this.box.setAttribute("aria-label", title);
  }

  get keys() {
    return this.groups.flatMap((group) => group.keys);
  }

  /**
   * Shows the keys that have all `words`; without words those for which `isShown` holds, or all if
   * the section is open. Moves rows only where that changed, so that focus stays. Returns whether
   * it shows anything that was searched for.
   */
  arrange({ words, isShown, used }) {
    const searched = words.length > 0;
    const accepts = searched ? (key) => matches(key, words) : (key) => this.open || isShown(key);
    const groups = this.groups.map(({ title, keys }) => ({ title, keys: keys.filter(accepts) }))
      .filter(({ keys }) => keys.length > 0);
    const keys = groups.flatMap((group) => group.keys);
    this.fill(groups, keys.map((key) => key.place).join());
    const hidden = this.keys.length - keys.length;
    this.more.hidden = searched || (!this.open && hidden === 0);
    this.more.textContent = this.open ? "fewer" : `${used ? "more" : "keys"} (${hidden})`;
    this.more.setAttribute("aria-expanded", String(this.open));
    this.more.setAttribute("aria-label", `${this.more.textContent}, ${this.title}`);
    this.box.hidden = searched && keys.length === 0;
    this.box.classList.toggle("unused", !used);
    return keys.length > 0 || !searched;
  }

  fill(groups, list) {
    if (list === this.shown) return;
    this.shown = list;
    const focused = document.activeElement?.id;
    this.body.replaceChildren(...groups.flatMap(({ title, keys }) => [
      ...(title ? [element("h3", { text: title })] : []),
      ...keys.map((key) => this.fieldOf(key).row),
    ]));
    if (focused && this.body.contains(byId(focused))) byId(focused).focus();
  }
}

function matches(key, words) {
  const text = `${key.full} ${key.full.replaceAll("_", " ")} ${key.help ?? ""}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
