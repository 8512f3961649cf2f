// SPDX-License-Identifier: MIT
// Examples as cards with pictures, which can be searched.
import { element } from "../base/dom.js";

/** Returns the words that name an example: "textures/rna_spots" is "rna spots". */
export function titleOf(name) {
  return name.split("/").at(-1).replaceAll("_", " ");
}

/** Returns the folder of an example as a heading; those without one are whole scenes. */
function groupOf(name) {
  return name.includes("/") ? name.split("/")[0] : "scenes";
}

function cardOf({ name, about }, chosen) {
  const picture = new URL(`../pictures/${name}.webp`, import.meta.url);
  return element("li", {}, element("button", {
    type: "button", class: "card", "data-example": name, title: about,
    on: { click: () => chosen(name) },
  },
  element("img", {
    src: picture, alt: `Image of ${titleOf(name)}`, width: 240, height: 180, loading: "lazy",
  }),
  element("strong", { text: titleOf(name) }),
  element("span", { text: about })));
}

/** Shows the cards whose words have all of these words, and the headings above them. */
function filter(panel, text) {
  const words = text.toLowerCase().split(/\s+/);
  for (const card of panel.querySelectorAll(".card")) {
    const own = `${card.dataset.example} ${card.textContent}`.toLowerCase();
    card.parentElement.hidden = !words.every((word) => own.includes(word));
  }
  const groups = [...panel.querySelectorAll("section:has(.cards)")];
  for (const group of groups) group.hidden = !group.querySelector("li:not([hidden])");
  panel.querySelector(".none").hidden = groups.some((group) => !group.hidden);
}

/** Fills the panel with a card for every example; `chosen` gets its name. */
export function showExamples(panel, examples, chosen) {
  const groups = [...new Set(examples.map(({ name }) => groupOf(name)))];
  const search = element("input", {
    type: "search", id: "search-examples", autocomplete: "off", spellcheck: "false",
    placeholder: "nuclei, confocal, actin ...", on: { input: () => filter(panel, search.value) },
  });
  panel.replaceChildren(
    element("div", { class: "search" },
      element("label", { for: "search-examples", text: "Search" }), search),
    element("div", { class: "own-scenes" }),
    ...groups.map((group) => element("section", { "aria-label": group },
      element("h2", { text: group }),
      element("ul", { class: "cards" }, ...examples.filter(({ name }) => groupOf(name) === group)
        .map((example) => cardOf(example, chosen))))),
    element("p", { class: "hint none", text: "No example has these words.", hidden: true }));
}

/** Shows the scene files of the folder above the examples; `chosen` gets the name of one. */
export function showOwnScenes(panel, names, chosen) {
  panel.querySelector(".own-scenes").replaceChildren(...(names.length === 0 ? [] : [
    element("section", { "aria-label": "Scenes in this folder" },
      element("h2", { text: "in this folder" }),
      element("ul", {}, ...names.map((name) => element("li", {}, element("button", {
        type: "button", class: "own-scene", text: name, on: { click: () => chosen(name) },
      }))))),
  ]));
}

/** Marks the card of the example that is open. */
export function markExample(panel, name) {
  for (const card of panel.querySelectorAll(".card")) {
    card.setAttribute("aria-current", String(card.dataset.example === name));
  }
}
