// SPDX-License-Identifier: MIT
// What can be chosen of the image from a file: levels, channel, frame, voxel size, part.
import { element, menu } from "../base/dom.js";
import { numberText } from "../base/values.js";
import { partText } from "./real_image.js";

/**
 * Fills the box for an image that was opened. `closed` hides the image, `load` loads the stack of a
 * channel and a frame, and `again` opens the file with letters for its axes and the number of an
 * image in it.
 */
export function makePanel(box, image, view, { load, closed, again }) {
  const { description } = image;
  const facts = element("p", { class: "hint" });
  const sizes = voxelInput(image);
  const parts = [
    element("p", { class: "file-name", text: description.name }), facts,
    menu("levels", "file-levels", [["own", "its own"], ["same", "same counts"]],
      view.fileLevels, (fileLevels) => view.set({ fileLevels })),
    description.images.length > 1 ? imageMenu(description, again) : null,
    description.axes_assumed ? axesInput(description, again) : null,
    description.channels > 1 ? channelMenu(image, load) : null,
    description.frames > 1 ? frameInput(image, load) : null,
    sizes.box,
    menu("part", "file-part", [["same", "same scale"], ["all", "all of it"]], image.part,
      (part) => image.setPart(part)),
    element("p", { class: "hint", text: "Orange outline and dashed line: this image." }),
    element("button", { id: "file-close", type: "button", text: "Close", on: { click: closed } }),
  ];
  box.replaceChildren(...parts.filter(Boolean));
  box.parentElement.hidden = false;
  return {
    show(result) {
      const { format, axes, notes } = description;
      facts.textContent = `${format}; ${axes}; shown: ${partText(description, result)}.`;
      facts.title = notes.join("\n");
      sizes.show(result.voxelUm);
    },
  };
}

/** Returns the field of axes that the file does not name: one that is taken for z may be time. */
function axesInput({ letters, images, image }, again) {
  const input = element("input", {
    id: "file-axes", type: "text", spellcheck: "false", value: letters,
    title: "A letter for each axis: T, C, Z, Y, X",
    on: {
      change: () => again(input.value.trim().toUpperCase(), images.length > 1 ? image : null),
    },
  });
  return element("span", { class: "labelled" },
    element("label", { for: "file-axes", text: "axes" }), input);
}

function imageMenu({ images, image }, again) {
  return menu("image", "file-image", images.map((text, at) => [String(at), text]), String(image),
    (number) => again("", Number(number)));
}

function channelMenu(image, load) {
  const { channels, channel_names: names } = image.description;
  const rows = Array.from({ length: channels }, (_, at) =>
    [String(at), names[at] || `channel ${at + 1}`]);
  return menu("channel", "file-channel", rows, "0",
    (channel) => load(Number(channel), image.frame));
}

function frameInput(image, load) {
  const last = image.description.frames - 1;
  const input = element("input", {
    id: "file-frame", type: "number", min: 0, max: last, step: 1, value: 0,
    on: {
      change: () => {
        const frame = Math.min(last, Math.max(0, Math.round(Number(input.value)) || 0));
        input.value = frame;
        load(image.channel, frame);
      },
    },
  });
  return element("span", { class: "labelled" },
    element("label", { for: "file-frame", text: "frame" }), input);
}

/** Returns the field of the voxel size; an empty one takes what the file says, or the scene. */
function voxelInput(image) {
  const input = element("input", {
    id: "file-voxel", type: "text", spellcheck: "false", "aria-describedby": "file-voxel-source",
    on: { change: () => image.setVoxel(sizesIn(input.value) ?? [...image.description.voxel_um]) },
  });
  const source = element("p", { class: "hint", id: "file-voxel-source" });
  const box = element("div", { class: "file-voxel" },
    element("span", { class: "labelled" },
      element("label", { for: "file-voxel", text: "voxel nm", title: "z, y, x" }), input),
    source);
  return {
    box,
    show(voxelUm) {
      if (document.activeElement === input) return;
      input.value = voxelUm.map((um) => numberText(Number((1000 * um).toPrecision(4)))).join(", ");
      const own = image.description.voxel_um;
      const typed = image.voxelUm.some((um, axis) => um !== own[axis]);
      source.textContent = typed ? "As typed; empty the field for the size in the file."
        : own.every((um) => um !== null) ? "As the file says."
          : own.every((um) => um === null) ? "Unknown to the file: that of the scene."
            : "As the file says where it does; otherwise that of the scene.";
    },
  };
}

/** Returns three sizes in um of a text in nm; null if it holds no three positive numbers. */
export function sizesIn(text) {
  const numbers = text.split(/[\s,;×]+/).filter(Boolean).map(Number);
  const valid = numbers.length === 3 && numbers.every((nm) => Number.isFinite(nm) && nm > 0);
  return valid ? numbers.map((nm) => nm / 1000) : null;
}
