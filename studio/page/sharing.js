// SPDX-License-Identifier: MIT
// Saves the scene and gives the commands that make the same images elsewhere.
import { byId } from "./dom.js";

/** Returns the command line that simulates a saved scene; the folder has the scene's name. */
export function commandLine(name) {
  const folder = name.replace(/\.toml$/, "");
  return `synthoscope simulate ${quoted(name)} -o ${quoted(folder)}`;
}

/** Returns the Python lines that simulate a saved scene. */
export function pythonLines(name) {
  return "import synthoscope\n\n" +
    `scene = synthoscope.Scene.from_toml(${JSON.stringify(name)})\n` +
    "data = synthoscope.simulate(scene)\n";
}

function quoted(word) {
  return /^[\w.,/+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** Makes the save form and the copy buttons work; `say` shows a sentence. */
export function makeSharing(scene, api, say) {
  const name = byId("save-name");
  let overwrite = null;
  byId("save").addEventListener("submit", async (event) => {
    event.preventDefault();
    const chosen = name.value.trim();
    try {
      await api.save(scene.toml, chosen, overwrite === chosen);
      overwrite = null;
      say(`Saved ${chosen}.`);
    } catch (problem) {
      const exists = problem.status === 409;
      overwrite = exists ? chosen : null;
      say(exists ? `${problem.message} Press Save again to replace it.` : problem.message, true);
    }
  });
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "s") return;
    event.preventDefault();
    byId("save").requestSubmit();
  });
  name.addEventListener("input", () => { overwrite = null; });
  const copy = (id, text, what) => byId(id).addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text(name.value.trim()));
      say(`Copied ${what}. Save the scene as ${name.value.trim()} first, so that it is found.`);
    } catch {
      say(`The browser did not allow copying; ${what}: ${text(name.value.trim())}`, true);
    }
  });
  copy("copy-command", commandLine, "the command line");
  copy("copy-python", pythonLines, "the Python lines");
}
