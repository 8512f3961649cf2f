// SPDX-License-Identifier: MIT
// Examples as cards.
import { element } from "../base/dom.js";

/** Fills the panel with a card for every example; `chosen` gets its name. */
export function showExamples(panel, examples, chosen) {
  const cards = examples.map(({ name, about }) => element("li", {},
    element("button", {
      type: "button", class: "card", "data-example": name, on: { click: () => chosen(name) },
    },
    element("strong", { text: name.replaceAll("_", " ") }),
    element("span", { text: about }))));
  panel.replaceChildren(
    element("p", {
      class: "hint", text: "Each example is a whole scene. Choose one, then change it.",
    }),
    element("ul", { class: "cards" }, ...cards));
}

/** Marks the card of the example that is open. */
export function markExample(panel, name) {
  for (const card of panel.querySelectorAll(".card")) {
    card.setAttribute("aria-current", String(card.dataset.example === name));
  }
}
