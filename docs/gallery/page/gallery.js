// SPDX-License-Identifier: MIT
// Connects stored previews to the cards, the viewer and the measurements of the studio's page.
import { byId, element } from "./studio/base/dom.js";
import { makeTabs } from "./studio/base/tabs.js";
import { Inspector } from "./studio/inspector/inspector.js";
import { markExample, showExamples, titleOf } from "./studio/scene/examples.js";
import { View } from "./studio/viewer/view.js";
import { Viewer } from "./studio/viewer/viewer.js";
import { shareAt } from "./studio/viewer/voxels.js";
import { StoredPreviews } from "./stored_previews.js";

const previews = new StoredPreviews("data");
const view = new View();
const inspector = new Inspector(byId("inspector"), view);
const viewer = new Viewer({
  bar: byId("view-bar"), panes: byId("panes"), planeBar: byId("plane-bar"),
  underCursor: byId("under-cursor"),
}, view, inspector);
makeTabs(document.querySelector("[role=tablist]"));

function say(sentence, wrong = false) {
  byId("status").textContent = sentence;
  byId("status").classList.toggle("wrong", wrong);
  byId("progress").hidden = true;
}

/** Returns the example that the address names, such as ?example=textures/actin. */
function named() {
  return new URLSearchParams(location.search).get("example");
}

function open(name) {
  say(`Loading ${titleOf(name)} ...`);
  byId("progress").removeAttribute("value");
  byId("progress").hidden = false;
  markExample(byId("panel-examples"), name);
  previews.request(name);
}

function choose(name) {
  if (name !== named()) history.pushState(null, "", `?example=${name}`);
  open(name);
}

function commandOf(name) {
  const folder = name.includes("/") ? `${name.split("/")[0]}/` : "";
  return `synthoscope init ${name}\nsynthoscope studio ${folder}${name.split("/").at(-1)}.toml`;
}

function show(result) {
  const { name, about, toml, region, grid, plane, of_sweep: ofSweep } = result;
  // At first the plane of most contrast
  view.cursor = { z: shareAt(plane, view.named("image", result)[0].extent[0]), y: 0.5, x: 0.5 };
  viewer.take(result, titleOf(name));
  inspector.region.replaceChildren(element("p", {
    class: "hint",
    text: `${region.extent.join(" × ")} of ${grid.extent.join(" × ")} voxels are stored. ` +
      "Light, photons and PSF are rounded." +
      (ofSweep ? " They are of the last data set of the sweep." : ""),
  }));
  byId("scene-name").textContent = titleOf(name);
  byId("about").textContent = `${about}.`;
  byId("command").textContent = commandOf(name);
  byId("toml").textContent = toml;
  document.title = `${titleOf(name)}, synthoscope gallery`;
  say(`Stored by synthoscope studio: ${titleOf(name)}.`);
}

function connectCopy(button, text) {
  byId(button).addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(byId(text).textContent);
      say("Copied.");
    } catch {
      getSelection().selectAllChildren(byId(text));
      say("The browser did not allow copying; the text is selected.", true);
    }
  });
}

async function start() {
  previews.addEventListener("ready", ({ detail }) => show(detail));
  previews.addEventListener("failed", ({ detail }) => say(detail.error, true));
  connectCopy("copy-command", "command");
  connectCopy("copy-toml", "toml");
  try {
    const examples = await previews.examples();
    const first = () => named() ?? examples[0].name;
    showExamples(byId("panel-examples"), examples, choose);
    addEventListener("popstate", () => open(first()));
    open(first());
    document.querySelector("[aria-current=true]")?.scrollIntoView({ block: "nearest" });
  } catch (problem) {
    say(problem.message, true);
  }
}

start();
