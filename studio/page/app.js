// SPDX-License-Identifier: MIT
// Connects the parts of the page: the scene, its form and text, the preview and the images.
import * as api from "./base/api.js";
import { byId, debounced } from "./base/dom.js";
import { markExample, showExamples } from "./scene/examples.js";
import { Files } from "./files/files.js";
import { Form } from "./form/form.js";
import { Inspector } from "./inspector/inspector.js";
import { Preview } from "./viewer/preview.js";
import { RegionPicker } from "./viewer/region.js";
import { Scene } from "./scene/scene.js";
import { makeSharing } from "./scene/sharing.js";
import { Status } from "./base/status.js";
import { makeTabs } from "./base/tabs.js";
import { TomlView } from "./scene/toml_view.js";
import { View } from "./viewer/view.js";
import { Viewer } from "./viewer/viewer.js";

const scene = new Scene(api);
const preview = new Preview(api);
const view = new View();
const status = new Status(byId("status"), byId("progress"), byId("warnings"));
const inspector = new Inspector(byId("inspector"), view);
const viewer = new Viewer({
  bar: byId("view-bar"), panes: byId("panes"), planeBar: byId("plane-bar"),
  underCursor: byId("under-cursor"),
}, view, inspector);
const openTab = makeTabs(document.querySelector("[role=tablist]"));
const tomlView = new TomlView(byId("panel-toml"), (toml) => scene.edit(toml));

/** Opens a scene, whose name may have folders and an ending. */
async function open(name, toml) {
  await scene.load(name, toml);
  const file = name.split("/").at(-1);
  byId("save-name").value = file.endsWith(".toml") ? file : `${file}.toml`;
  openTab("tab-form");
}

async function openExample(name) {
  try {
    await open(name, (await api.example(name)).toml);
  } catch (problem) {
    status.say(problem.message, true);
  }
}

new Files(inspector.files, {
  api, scene, preview, viewer, view, inspector, open,
  say: (text, wrong) => status.say(text, wrong),
});

const requestPreview = debounced(() => {
  if (!scene.grid) return;
  if (!scene.ok) {
    status.failed("The images show the scene before the error.");
    return;
  }
  status.begin();
  preview.request(scene, regionPicker.region(), regionPicker.frameNumber());
}, 150);
const regionPicker = new RegionPicker(inspector.region, requestPreview);

function showError(message) {
  byId("scene-error").hidden = !message;
  byId("scene-error").textContent = message ?? "";
}

function connectScene(form) {
  scene.addEventListener("changed", ({ detail }) => {
    form.show(scene, detail.by);
    tomlView.show(scene, detail.by);
    showError(scene.ok ? null : scene.line ? `Line ${scene.line}: ${scene.error}` : scene.error);
    const name = scene.name ?? "scene";
    byId("scene-name").textContent = scene.history.canUndo ? `${name}, changed` : name;
    byId("undo").disabled = !scene.history.canUndo;
    byId("redo").disabled = !scene.history.canRedo;
    if (detail.by === "load") markExample(byId("panel-examples"), scene.name);
    if (scene.ok && scene.grid) regionPicker.take(scene.grid, scene.values.frames ?? 1);
    requestPreview();
  });
  scene.addEventListener("refused", ({ detail }) => {
    if (detail.key) form.refuse(detail.key, detail.message);
    showError(detail.message);
  });
}

function connectPreview() {
  preview.addEventListener("progress", ({ detail }) => status.progress(detail));
  preview.addEventListener("failed", ({ detail }) => status.failed(detail.error));
  preview.addEventListener("ready", ({ detail }) => {
    viewer.take(detail, scene.name ?? "scene");
    status.ready(detail);
  });
  api.listenToEvents((event) => preview.receive(event), (connected) => status.connected(connected));
}

function connectHistory() {
  byId("undo").addEventListener("click", () => scene.undo());
  byId("redo").addEventListener("click", () => scene.redo());
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    // What was typed into the field that has the focus belongs to the scene that is undone.
    if (key === "y" || event.shiftKey) scene.redo();
    else scene.undo();
  });
}

async function start() {
  connectHistory();
  connectPreview();
  makeSharing(scene, api, (text, wrong) => status.say(text, wrong));
  try {
    const [tables, examples, opened] =
      await Promise.all([api.keys(), api.examples(), api.opened()]);
    connectScene(new Form(byId("panel-form"), tables, (key, value) => scene.set(key, value)));
    showExamples(byId("panel-examples"), examples, openExample);
    // The scene that the command line names. Without one it is an example, beside all others.
    if (opened.name) await open(opened.name, opened.toml);
    else if (opened.toml) await scene.load("scene", opened.toml);
  } catch (problem) {
    status.say(problem.message, true);
  }
}

start();
