// SPDX-License-Identifier: MIT
// Makes the row of one key: its label, its input, its slider, its help and its button to remove it.
import { element, listen } from "../base/dom.js";
import {
  isList, labelOf, numberText, rangeText, sliderPosition, sliderRange, sliderSteps, sliderValue,
  sweptText, textOf, unitText, valueInToml, valueOf,
} from "../base/values.js";

/**
 * Returns {key, row, show}: `show({value, given, swept, message})` brings the row up to date, where
 * `swept` are the values of a sweep, written as in TOML, or null. `send` gets the new value, which
 * is null if the key is to be removed.
 */
export function makeField(key, send) {
  const channel = key.channel === null ? "" : `channel-${key.channel}-`;
  const id = `key-${channel}${key.full.replaceAll(".", "-")}`;
  const widget = makeWidget(key, id, send);
  const message = element("p", { class: "message", id: `${id}-message`, hidden: true });
  const sweep = element("p", { class: "of-sweep", id: `${id}-sweep`, hidden: true });
  const remove = element("button", {
    type: "button", class: "remove", text: "×",
    title: "Remove this key, so that its default holds",
    "aria-label": `Remove ${key.full}`, hidden: true, on: { click: () => send(null) },
  });
  const row = element("div", { class: "field", "data-key": key.place, "data-kind": key.kind },
    element("label", { for: id, text: labelOf(key), title: key.full }),
    element("div", { class: "inputs" }, ...widget.parts,
      key.unit ? element("span", { class: unitClass(key.unit), text: unitText(key.unit) }) : null),
    remove, sweep, helpOf(key, id), sweepButton(key), message);
  widget.input.setAttribute("aria-describedby", `${id}-sweep ${id}-help ${id}-message`);

  const show = ({ value, given, swept, message: text }) => {
    widget.show(swept ? valueInToml(swept[0]) : value);
    row.classList.toggle("given", given || Boolean(swept));
    row.classList.toggle("wrong", Boolean(text));
    remove.hidden = !given && !swept;
    sweep.hidden = !swept;
    sweep.textContent = swept ? `Sweep: ${sweptText(swept)}. The images show the first value. ` +
      "A value that you enter here replaces the sweep." : "";
    message.hidden = !text;
    message.textContent = text ?? "";
    widget.input.setAttribute("aria-invalid", String(Boolean(text)));
  };
  return { key, row, show };
}

function unitClass(unit) {
  return unit.length > 8 ? "unit long" : "unit";
}

function helpOf(key, id) {
  const range = rangeText(key);
  const facts = [range, absentText(key)].filter(Boolean).join("; ");
  return element("p", { class: "help", id: `${id}-help` },
    key.help ?? "", facts ? element("span", { class: "facts", text: ` (${facts})` }) : null);
}

/** Returns a button that asks, by the event "sweep" with the key, for several values of a key. */
function sweepButton(key) {
  if (["seed", "name"].includes(key.full)) return null;
  const button = element("button", {
    type: "button", class: "vary", text: "Sweep", "aria-label": `Sweep ${key.full}`,
    title: "Make a data set for each of several values",
    on: {
      click: () => button.dispatchEvent(new CustomEvent("sweep", { bubbles: true, detail: key })),
    },
  });
  return button;
}

function absentText(key) {
  if (key.absent) return `if absent: ${key.absent.replace(/^none: /, "")}`;
  return key.default === null || key.default === "" ? "" : `default ${textOf(key.default)}`;
}

function makeWidget(key, id, send) {
  if (key.kind === "switch") return makeSwitch(key, id, send);
  if (key.kind === "choice") return makeMenu(key, id, send);
  return makeText(key, id, send);
}

function makeSwitch(key, id, send) {
  const input = element("input", {
    id, type: "checkbox", role: "switch", on: { change: () => send(input.checked) },
  });
  const show = (value) => { input.checked = (value ?? key.default) === true; };
  return { input, parts: [input], show };
}

function makeMenu(key, id, send) {
  const input = element("select", { id, on: { change: () => send(input.value) } });
  for (const choice of key.choices ?? []) {
    input.append(element("option", { value: choice, text: choice }));
  }
  const show = (value) => {
    const shown = value ?? key.default ?? "";
    if (![...input.options].some((option) => option.value === String(shown))) {
      input.append(element("option", { value: shown, text: shown === "" ? "not given" : shown }));
    }
    input.value = shown;
  };
  return { input, parts: [input], show };
}

function makeText(key, id, send) {
  let shown = "";
  const input = element("input", {
    id, type: "text", spellcheck: "false", autocomplete: "off",
    inputmode: key.kind === "number" || key.kind === "integer" ? "decimal" : null,
    placeholder: (key.absent ? "" : textOf(key.default)) || (isList(key) ? "z, y, x" : "not given"),
  });
  const commit = () => {
    if (input.value === shown) return;
    keep(input.value);
    send(valueOf(input.value, key));
  };
  // What was sent is the input's default, so that others see whether its text was sent.
  const keep = (text) => { input.defaultValue = shown = text; };
  listen(input, {
    change: commit,
    keydown: ({ key: pressed }) => { if (pressed === "Escape") input.value = shown; },
  });
  const slider = makeSlider(key, id, (value) => {
    input.value = numberText(value);
    keep(input.value);
    send(value);
  });
  const show = (value) => {
    // What is being typed into this field stays while the answer to another edit comes.
    const typing = document.activeElement === input && input.value !== shown;
    const typed = input.value;
    keep(textOf(value));
    input.value = typing ? typed : shown;
    slider?.show(value);
  };
  return { input, parts: slider ? [slider.input, input] : [input], show };
}

/** Returns a slider that sends while it is dragged, at most every 120 ms, or null. */
function makeSlider(key, id, send) {
  let range = sliderRange(key, key.default);
  const input = element("input", {
    id: `${id}-slider`, type: "range", min: 0, max: sliderSteps, step: 1,
    "aria-label": `${key.full}, slider`,
  });
  let timer = null;
  const sendSoon = () => {
    if (!range) return;
    timer ??= setTimeout(() => {
      timer = null;
      send(sliderValue(Number(input.value), range, key));
    }, 120);
  };
  let dragged = false;
  listen(input, {
    input: sendSoon,
    pointerdown: () => { dragged = true; },
    change: () => { dragged = false; },
    pointerup: () => { dragged = false; },
  });
  const show = (value) => {
    const number = value ?? (key.absent ? null : key.default);
    range ??= sliderRange(key, number);
    input.hidden = !range || typeof number !== "number";
    // The thumb stays where it is while it is dragged: the answer to an older value may come late.
    if (input.hidden || dragged || timer !== null) return;
    input.value = sliderPosition(number, range);
    input.setAttribute("aria-valuetext", `${numberText(number)} ${unitText(key.unit)}`.trim());
  };
  return sliderRange(key, 1) ? { input, show } : null;
}
