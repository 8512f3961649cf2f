// Lists the examples, shows the text of one, and saves it.
"use strict";

const element = (id) => document.getElementById(id);

function say(sentence) {
  element("message").textContent = sentence;
}

// Returns the JSON of a response. Throws its error.
async function ask(path, options) {
  const response = await fetch(path, options);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

function show(scene, name) {
  element("toml").value = scene.toml;
  element("name").value = name;
}

async function openExample(name) {
  show(await ask(`api/examples/${encodeURIComponent(name)}`), `${name.split("/").pop()}.toml`);
  say(`This is the example ${name}.`);
}

function exampleRow({ name, about }) {
  const row = document.createElement("li");
  const button = document.createElement("button");
  button.textContent = name;
  button.addEventListener("click", () => openExample(name).catch((error) => say(error.message)));
  row.append(button, ` ${about}`);
  return row;
}

async function save(event) {
  event.preventDefault();
  const scene = {
    toml: element("toml").value,
    name: element("name").value,
    overwrite: element("overwrite").checked,
  };
  const saved = await ask("api/save", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(scene),
  });
  say(`Saved ${saved.name}. Simulate it with: synthoscope simulate ${saved.name} -o data`);
}

async function begin() {
  history.replaceState(null, "", location.pathname);  // the token leaves the address bar
  element("save").addEventListener("submit",
    (event) => save(event).catch((error) => say(error.message)));
  element("examples").append(...(await ask("api/examples")).map(exampleRow));
  const scene = await ask("api/scene");
  show(scene, scene.name ?? "scene.toml");
}

begin().catch((error) => say(error.message));
