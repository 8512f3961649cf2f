// SPDX-License-Identifier: MIT
// Saves what is shown: stacks as OME-TIFF, and the picture as PNG.
import { element } from "../base/dom.js";

function save(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = element("a", { href: address, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
}

/** Returns the name of a file such as "first-image-gfp.ome.tif". */
export function stackFileName(scene, { name, channel }) {
  const base = scene.split("/").at(-1).replace(/\.toml$/, "");
  return `${[base, name, channel].filter(Boolean).join("-")}.ome.tif`;
}

/** Saves every shown channel of the shown stack. @throws Refused */
export async function downloadStacks(api, view, scene) {
  const stacks = view.named(view.stack)
    .filter((stack) => stack.name === "labels" || (view.channels[stack.number]?.shown ?? true));
  const names = [];
  for (const stack of stacks) {
    const name = stackFileName(scene, stack);
    save(await api.stackFile(view.result.id, stack.name, stack.number), name);
    names.push(name);
  }
  return names;
}

/** Saves the picture of a canvas as PNG, and returns its name. */
export async function downloadPicture(canvas, view, scene) {
  const name = stackFileName(scene, { name: view.stack }).replace(/\.ome\.tif$/, ".png");
  save(await new Promise((made) => canvas.toBlob(made)), name);
  return name;
}
