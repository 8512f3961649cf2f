// SPDX-License-Identifier: MIT
// Tabs that the arrow keys move between.

/** Makes the buttons of a tab list work; returns a function that opens a tab by its id. */
export function makeTabs(list, opened = () => {}) {
  const tabs = [...list.querySelectorAll("[role=tab]")];
  const open = (id, focus = false) => {
    for (const tab of tabs) {
      const chosen = tab.id === id;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")).hidden = !chosen;
      if (chosen && focus) tab.focus();
    }
    opened(id);
  };
  tabs.forEach((tab, at) => {
    tab.addEventListener("click", () => open(tab.id));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step) open(tabs[(at + step + tabs.length) % tabs.length].id, true);
    });
  });
  open(tabs[0].id);
  return open;
}
