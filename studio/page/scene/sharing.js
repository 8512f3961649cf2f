// SPDX-License-Identifier: MIT
// Saves the scene and copies the lines that make its data set elsewhere.
import { byId } from "../base/dom.js";

/**
 * Makes the save form and the copy buttons work; `say` shows a sentence, and `drawnSeed` returns
 * the seed that the preview has drawn for a scene without one, or null.
 */
export function makeSharing(scene, api, say, drawnSeed) {
  const name = byId("save-name");
  let overwrite = null;
  byId("save").addEventListener("submit", async (event) => {
    event.preventDefault();
    const chosen = name.value.trim();
    try {
      await api.save(scene.toml, chosen, overwrite === chosen);
      overwrite = null;
      scene.saved = scene.toml;
      say(`Saved ${chosen}.`);
    } catch (problem) {
      const exists = problem.status === 409;
      overwrite = exists ? chosen : null;
      say(exists ? `${chosen} exists. Press Save again to replace it.` : problem.message, true);
    }
  });
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
    event.preventDefault();
    byId("save").requestSubmit();
  });
  name.addEventListener("input", () => { overwrite = null; });
  const copy = (id, which, what) => byId(id).addEventListener("click", async () => {
    const file = name.value.trim();
    let text;
    try {
      text = (await api.copy(scene.toml, file, { seed: drawnSeed() }))[which];
    } catch (problem) {
      return say(problem.message, true);
    }
    try {
      await navigator.clipboard.writeText(text);
      say(`Copied ${what}. Save the scene as ${file} first, so that it is found.`);
    } catch {
      say(`The browser did not allow copying; ${what}: ${text}`, true);
    }
  });
  copy("copy-command", "command", "the command line");
  copy("copy-python", "python", "the Python lines");
}
