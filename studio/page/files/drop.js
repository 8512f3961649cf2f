// SPDX-License-Identifier: MIT
// Files that are dropped anywhere on the page.

/** Calls `dropped` with the first file of a drop, and the number of all. */
export function acceptDrops(page, dropped) {
  const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  const mark = (on) => page.classList.toggle("dropping", on);
  page.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
    mark(true);
  });
  page.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) mark(false);
  });
  page.addEventListener("drop", (event) => {
    mark(false);
    if (!hasFiles(event)) return;
    event.preventDefault();
    const { files } = event.dataTransfer;
    if (files.length) dropped(files[0], files.length);
  });
}
