// SPDX-License-Identifier: MIT
// Makes elements of the page.

/**
 * Returns an element with these attributes and children. `text` sets its text, `on` is an object of
 * listeners, and a value of false, null or undefined leaves an attribute out.
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") made.textContent = value;
    else if (name === "on") listen(made, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child != null));
  return made;
}

/** Adds every listener of an object {event: function}. */
export function listen(target, listeners) {
  for (const [event, listener] of Object.entries(listeners)) {
    target.addEventListener(event, listener);
  }
}

export function byId(id) {
  return document.getElementById(id);
}

/** Returns a function that calls `action` once no call has come for `milliseconds`. */
export function debounced(action, milliseconds) {
  let timer = null;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...values), milliseconds);
  };
}

/** Returns a label with a menu of [value, text] pairs; `changed` gets the chosen value. */
export function menu(text, id, options, chosen, changed) {
  const select = element("select", { id, on: { change: () => changed(select.value) } });
  for (const [value, name] of options) {
    select.append(element("option", { value, text: name, selected: value === chosen }));
  }
  return element("span", { class: "labelled" }, element("label", { for: id, text }), select);
}

/** Returns a label with a checkbox; `changed` gets true or false. */
export function checkbox(text, id, checked, changed) {
  const box = element("input", {
    id, type: "checkbox", checked, on: { change: () => changed(box.checked) },
  });
  return element("label", { class: "check", for: id }, box, text);
}

/** Returns buttons of which one is pressed, as [value, text] pairs. */
export function segments(label, options, chosen, changed) {
  const group = element("div", { class: "segments", role: "group", "aria-label": label });
  const press = (value) => {
    for (const button of group.children) {
      button.setAttribute("aria-pressed", String(button.dataset.value === value));
    }
  };
  for (const [value, text] of options) {
    group.append(element("button", {
      type: "button", text, "data-value": value,
      on: { click: () => { press(value); changed(value); } },
    }));
  }
  press(chosen);
  return group;
}
