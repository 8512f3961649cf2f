// SPDX-License-Identifier: MIT
// A button that shows what keys and pointer do on the images.
import { element } from "../base/dom.js";
import { keyHelp } from "./pointing.js";

/** Returns {button, dialog}; the key "?" opens it, too, except in a text field. */
export function makeHelp() {
  const rows = keyHelp.flatMap(([keys, action]) => [
    element("dt", { text: keys }), element("dd", { text: action }),
  ]);
  const close = element("button", {
    type: "button", text: "Close", on: { click: () => dialog.close() },
  });
  const dialog = element("dialog", { class: "key-help", "aria-labelledby": "key-help-title" },
    element("h2", { id: "key-help-title", text: "Keys and pointer on the images" }),
    element("dl", {}, ...rows), close);
  const open = () => { if (!dialog.open) dialog.showModal(); };
  const button = element("button", {
    id: "key-help", type: "button", text: "?", title: "Keys and pointer (?)",
    "aria-label": "Keys and pointer on the images", on: { click: open },
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "?" || event.target.closest("input, textarea, select")) return;
    event.preventDefault();
    open();
  });
  return { button, dialog };
}
