// SPDX-License-Identifier: MIT
// Connects the parts of the page: the scene, its form and text, the preview and the images.
import * as api from "./base/api.js";
import { byId, debounced } from "./base/dom.js";
import { markExample, showExamples, showOwnScenes } from "./scene/examples.js";
import { Files } from "./files/files.js";
import { Form } from "./form/form.js";
import { Inspector } from "./inspector/inspector.js";
import { Preview } from "./viewer/preview.js";
import { RegionPicker } from "./viewer/region.js";
import { RunPanel } from "./run/run_panel.js";
import { Scene } from "./scene/scene.js";
import { makeSharing } from "./scene/sharing.js";
import { Notice, Status } from "./base/status.js";
import { makeTabs } from "./base/tabs.js";
import { TomlView } from "./scene/toml_view.js";
import { connectHistory } from "./scene/undo.js";
import { View } from "./viewer/view.js";
import { Viewer } from "./viewer/viewer.js";

const scene = new Scene(api);
const preview = new Preview(api);
const view = new View();
const status = new Status(byId("status"), byId("progress"), byId("warnings"));
const notice = new Notice(byId("notice"));
const inspector = new Inspector(byId("inspector"), view, (seed) => scene.set("seed", seed));
const viewer = new Viewer({
  bar: byId("view-bar"), panes: byId("panes"), planeBar: byId("plane-bar"),
  underCursor: byId("under-cursor"),
}, view, inspector);
const openTab = makeTabs(document.querySelector("[role=tablist]"));
const tomlView = new TomlView(byId("panel-toml"), (toml) => scene.edit(toml));
const runPanel = new RunPanel({
  panel: byId("run-panel"), button: byId("run-open"), saveName: byId("save-name"), drawnSeed,
}, scene, api, (text, wrong) => notice.say(text, wrong));

/**
 * Opens a scene, whose name may have folders and an ending. `missing` are files that it needs and
 * that the user can have written; `focus` moves the focus to the tab that is opened.
 */
async function open(name, toml, missing = [], focus = false) {
  offerFiles(name, toml, missing);
  await scene.load(name, toml);
  const file = name.split("/").at(-1);
  byId("save-name").value = byId("save-name").defaultValue =
    file.endsWith(".toml") ? file : `${file}.toml`;
  runPanel.opened(byId("save-name").value);
  openTab(scene.ok ? "tab-form" : "tab-toml", focus);
}

/** Shows a button that writes the files which an example needs into the program's folder. */
function offerFiles(name, toml, missing) {
  const files = missing.join(", ");
  byId("needed").hidden = missing.length === 0;
  byId("needed-text").textContent = `This example needs the file ${files}.`;
  byId("write-needed").textContent = `Write ${files} into the folder of the program`;
  byId("write-needed").onclick = async () => {
    try {
      await api.writeFilesOfExample(name);
      await open(name, toml);
    } catch (problem) {
      status.say(problem.message, true);
    }
  };
}

async function openExample(name) {
  try {
    const { toml, missing_files: missing } = await api.example(name);
    await open(name, toml, missing, true);
  } catch (problem) {
    status.say(problem.message, true);
  }
}

new Files(inspector.files, {
  api, scene, preview, viewer, view, inspector, open,
  say: (text, wrong) => notice.say(text, wrong),
});

/** Opens a scene file of the folder. */
async function openOwnScene(name) {
  try {
    const { text, kind } = await api.text(name);
    if (kind === "scene") await open(name, text, [], true);
    else notice.say(`${name} is no scene but a ${kind}; add it with "Add a file".`, true);
  } catch (problem) {
    notice.say(problem.message, true);
  }
}

async function listOwnScenes() {
  try {
    const names = (await api.files()).files.filter(({ kind }) => kind === "toml");
    showOwnScenes(byId("panel-examples"), names.map(({ name }) => name), openOwnScene);
  } catch (problem) {
    notice.say(problem.message, true);
  }
}

let lastRun = null;

/** Asks before the page is closed while the scene has changes that no file has. */
function connectClosing() {
  addEventListener("beforeunload", (event) => {
    // Browsers ask only people who have done something on the page, and complain otherwise
    const isUsed = navigator.userActivation?.hasBeenActive ?? true;
    const isUnsaved = scene.history.canUndo && scene.toml !== scene.saved;
    if (isUsed && isUnsaved) event.preventDefault();
  });
}

const requestPreview = debounced(() => {
  if (!scene.ok) {
    if (preview.result) status.failed("The images show the scene before the error.");
    else status.failed("There is no preview: the scene has an error.");
    return;
  }
  if (!scene.grid) return;
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
    notice.say("");
    form.show(scene, detail.by);
    tomlView.show(scene, detail.by);
    showError(scene.ok ? null : scene.line ? `Line ${scene.line}: ${scene.error}` : scene.error);
    const name = scene.name ?? "scene";
    byId("scene-name").textContent = byId("scene-name").title =
      name + (scene.history.canUndo ? ", changed" : "") +
      (scene.sweep ? `, the first of ${scene.sweep.sets} data sets` : "");
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
  preview.addEventListener("failed", ({ detail }) => {
    status.failed(detail.error);
    showError(`There is no preview of this scene: ${detail.error}`);
  });
  preview.addEventListener("ready", ({ detail }) => {
    viewer.take(detail, scene.name ?? "scene");
    byId("panes").dataset.preview = detail.id;
    if (scene.ok) showError(null);
    status.ready(detail);
  });
  api.listenToEvents((event) => {
    if (event.type === "run") {
      // A run has saved the scene when it begins
      if (event.kind === "data_set" && event.id !== lastRun) scene.saved = scene.toml;
      lastRun = event.id;
      runPanel.receive(event);
    }
    else preview.receive(event);
  }, (connected) => {
    status.connected(connected);
    runPanel.connected(connected);
  });
}

/** Returns the seed that the preview has drawn, while the scene gives none; otherwise null. */
function drawnSeed() {
  const { result } = preview;
  return scene.values.seed == null && result?.is_seed_drawn ? result.seed : null;
}

async function start() {
  connectHistory(scene, () => tomlView.send());
  connectClosing();
  connectPreview();
  makeSharing(scene, api, (text, wrong) => notice.say(text, wrong), drawnSeed);
  try {
    const [tables, examples, opened] =
      await Promise.all([api.keys(), api.examples(), api.opened()]);
    connectScene(new Form(byId("panel-form"), tables, {
      set: (key, value) => scene.setInsteadOfSweep(key.full, value, key.channel),
      add: () => scene.addChannel(),
      remove: (channel) => scene.removeChannel(channel),
    }));
    runPanel.sweep.setKeys(tables);
    byId("panel-form").addEventListener("sweep", ({ detail }) => runPanel.sweepKey(detail));
    showExamples(byId("panel-examples"), examples, openExample);
    byId("tab-examples").addEventListener("click", listOwnScenes);
    listOwnScenes();
    // The scene that the command line names. Without one it is an example, beside all others.
    if (opened.name) await open(opened.name, opened.toml);
    else if (opened.toml) await scene.load("scene", opened.toml);
  } catch (problem) {
    status.say(problem.message, true);
  }
}

start();
