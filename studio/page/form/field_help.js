// SPDX-License-Identifier: MIT
// Shows the help of the field that has the focus.
import { listen } from "../base/dom.js";

/**
 * Marks the field with the focus in a panel. While a button of the pointer is down nothing moves:
 * otherwise what is pressed would slide away before it is released, and not be clicked.
 */
export function showFieldHelp(panel) {
  let isDown = false;
  let marked = null;
  const mark = () => {
    const field = panel.contains(document.activeElement)
      ? document.activeElement.closest(".field") : null;
    if (isDown || field === marked) return;
    marked?.classList.remove("focused");
    field?.classList.add("focused");
    marked = field;
  };
  // The click follows the release at once, so that the mark comes after it.
  const release = () => { isDown = false; setTimeout(mark); };
  listen(panel, { focusin: mark, focusout: () => setTimeout(mark) });
  document.addEventListener("pointerdown", () => { isDown = true; }, { capture: true });
  listen(document, { pointerup: release, pointercancel: release });
}
