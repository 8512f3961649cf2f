// SPDX-License-Identifier: MIT
// The channels of a scene in the form: a section for each, and buttons to add and remove them.
import { element } from "../base/dom.js";
import { placeOf } from "../scene/scene.js";
import { Section } from "./section.js";

const nameKey = {
  name: "name", full: "name", kind: "text", unit: "", choices: [], default: null, absent: "",
  help: "name of the channel, which is a part of the names of its files: letters, digits, - and _",
};

/** Returns a key with the channel, if there is one, whose value a field edits. */
export function placedKey(key, channel = null) {
  return { ...key, channel, place: placeOf(key.full, channel) };
}

export class ChannelSections {
  /** `actions` are {add, remove}; other arguments as of Section. */
  constructor(tables, { fieldOf, toggled, actions }) {
    Object.assign(this, { tables, fieldOf, toggled, actions });
    this.sections = [];
    this.add = element("button", {
      type: "button", id: "add-channel", on: { click: () => actions.add() },
    });
    this.wrong = element("p", {
      class: "hint", text: "Channels can be changed here once the text has no error.",
    });
    this.list = element("div");
    this.box = element("div", { class: "channel-tables" }, this.wrong, this.list, this.add);
  }

  /** Makes as many sections as the scene has channels; returns the places of keys that are gone. */
  show(scene) {
    const count = scene.channels.length;
    const gone = this.sections.splice(count).flatMap((section) => section.keys);
    while (this.sections.length < count) this.sections.push(this.makeSection(this.sections.length));
    if (this.list.children.length !== count) {
      this.list.replaceChildren(...this.sections.map((section) => section.box));
    }
    this.sections.forEach((section, at) => section.setTitle(`channel ${scene.channels[at]}`));
    this.add.textContent = count === 0 ? "Add a channel" : "Add a copy of the last channel";
    this.add.disabled = !scene.ok;
    this.wrong.hidden = scene.knowsChannels;
    for (const { box, body } of this.sections) {
      body.inert = !scene.knowsChannels;
      box.querySelector(".remove-channel").disabled = !scene.ok;
    }
    return gone.map((key) => key.place);
  }

  /** Moves the focus to the name of a channel that was added, or from one that was removed. */
  focusAfter(countBefore) {
    const added = this.sections.length > countBefore;
    const name = this.sections.at(-1)?.body.querySelector("input");
    if (added) name.select();
    (added ? name : this.add).focus();
  }

  makeSection(channel) {
    const groups = this.tables.map(({ table, keys }) => ({
      title: table,
      keys: keys.filter((key) => key.in_channels).map((key) => placedKey(key, channel)),
    }));
    const remove = element("button", {
      type: "button", class: "more remove-channel", text: "remove",
      "aria-label": `Remove channel ${channel + 1}`,
      on: { click: () => this.actions.remove(channel) },
    });
    return new Section({
      id: `channel-${channel}`, fieldOf: this.fieldOf, toggled: this.toggled, buttons: [remove],
      groups: [{ title: null, keys: [placedKey(nameKey, channel)] }, ...groups],
    });
  }

  /** Arranges all sections; returns whether any shows something that was searched for. */
  arrange(words, isShown) {
    this.add.hidden = words.length > 0;
    const found = this.sections.map((section) => section.arrange({
      words, used: true, isShown: (key) => key.full === "name" || isShown(key),
    }));
    return found.includes(true);
  }
}
