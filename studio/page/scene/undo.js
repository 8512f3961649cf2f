// SPDX-License-Identifier: MIT
// Undo and redo of the scene, by buttons and keys.
import { byId } from "../base/dom.js";

/** Returns whether the element is a field of one line whose text has not been sent yet. */
function hasUnsentText(field) {
  return field instanceof HTMLInputElement && ["text", "search", "number"].includes(field.type) &&
    field.value !== field.defaultValue;
}

/**
 * Makes the buttons and keys work. The keys change the scene, except that the browser undoes what
 * is being typed into a field of one line. `sendText` sends what was just typed as TOML.
 */
export function connectHistory(scene, sendText) {
  const undo = () => { sendText(); scene.undo(); };
  const redo = () => { sendText(); scene.redo(); };
  byId("undo").addEventListener("click", undo);
  byId("redo").addEventListener("click", redo);
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if ((key !== "z" && key !== "y") || hasUnsentText(event.target)) return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) redo();
    else undo();
  });
}
