// SPDX-License-Identifier: MIT
// Files in and out of the page: images beside the simulated one, PSFs, cameras, scenes, downloads.
import { element } from "../base/dom.js";
import { numberText } from "../base/values.js";
import { FileDialog } from "./dialog.js";
import { downloadPicture, downloadStacks } from "./download.js";
import { acceptDrops } from "./drop.js";
import { RealImage } from "./real_image.js";
import { makePanel, sizesIn } from "./real_image_panel.js";

const mostBytes = 512 * 2 ** 20;
const mostTextBytes = 2 ** 19;

/** Returns the text of a file, or null if it holds bytes that no text has. */
async function textOf(file) {
  if (file.size > mostTextBytes) return null;
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

export class Files {
  /** @param parts  {api, scene, viewer, view, inspector, say, open, preview} of the page */
  constructor(bar, parts) {
    Object.assign(this, parts);
    this.real = null;
    this.turn = 0;
    this.dialog = new FileDialog((file) => this.take(file));
    this.dialog.box.addEventListener("close", () => { this.turn += 1; });
    acceptDrops(document.body, (file, count) => this.take(file, count));
    bar.append(...this.makeButtons());
    this.preview.addEventListener("ready", () => {
      for (const button of this.downloads) button.disabled = false;
      this.showBeside();
    });
    this.viewer.addEventListener("beside", () => {
      if (this.real && !this.viewer.pinned.result?.file) this.forget();
    });
  }

  makeButtons() {
    const button = (id, text, title, act) => element("button", {
      id, type: "button", text, title, on: { click: () => this.attempt(act) },
    });
    this.downloads = [
      button("download", "Download", "Download this stack as OME-TIFF", async () => {
        const names = await downloadStacks(this.api, this.view, this.sceneName());
        this.say(`Downloaded ${names.join(", ")}.`);
      }),
      button("picture", "Picture", "Save what is shown as a PNG picture", async () => {
        const { canvas } = this.viewer.newest;
        this.say(`Saved ${await downloadPicture(canvas, this.view, this.sceneName())}.`);
      }),
    ];
    for (const each of this.downloads) each.disabled = true;
    return [
      button("add-file", "Add a file", "Compare with an image, or use a PSF, a camera or a scene",
        async () => this.dialog.list((await this.api.files()).files)),
      ...this.downloads,
    ];
  }

  sceneName() {
    return this.scene.name ?? "scene";
  }

  /** Shows what goes wrong: in the dialog while it is open. */
  async attempt(act) {
    try {
      await act();
    } catch (problem) {
      if (this.dialog.box.open) this.dialog.refuse(problem.message);
      else this.say(problem.message, true);
    }
  }

  /** Takes a File of the browser, or a file {name, kind} of the folder; asks what it is used as. */
  take(file, count = 1) {
    const turn = ++this.turn;
    return this.attempt(async () => {
      this.dialog.busy(`Reading ${file.name} ...`);
      const ask = await this.questionOf(file, count);
      if (turn === this.turn) ask();
    });
  }

  /** Reads a file, and returns the function that asks what it is used as. */
  async questionOf(file, count) {
    const { name, kind } = file;
    if (kind === "toml") return this.questionOfText(name, await this.api.text(name));
    if (kind === "image") return this.questionOfImage(await this.api.openImage(name));
    const text = await textOf(file);
    if (text !== null && (name.endsWith(".toml") || await this.isToml(name, text))) {
      return this.questionOfText(name, await this.api.text(name, text));
    }
    if (file.size > mostBytes) {
      throw new Error(`${name} has ${Math.round(file.size / 2 ** 20)} MiB; at most ` +
        `${mostBytes / 2 ** 20} are received. Copy it to the folder of the program, and choose ` +
        "it there.");
    }
    return this.questionOfImage(await this.api.upload(file), count);
  }

  /** Returns whether a text is TOML; some formats of images are texts, too. */
  async isToml(name, text) {
    return this.api.text(name, text).then(() => true, () => false);
  }

  questionOfText(name, { text, kind }) {
    const camera = {
      id: "use-camera", text: "Use as the camera",
      help: "Replaces the keys of the scene's camera by those of this file.",
      act: () => this.use(`The scene has the camera of ${name}.`, { camera: text, name }),
    };
    const scene = {
      id: "use-scene", text: "Open as the scene", help: "Replaces the scene of the page.",
      act: () => this.attempt(async () => {
        await this.open(name, text);
        this.dialog.close();
      }),
    };
    const isCamera = kind === "camera";
    return () => this.dialog.ask(name, isCamera ? "A file with the keys of a camera." : "A scene.",
      isCamera ? [camera, scene] : [scene, camera]);
  }

  questionOfImage(description, count = 1) {
    const { name, format, axes, type, likely } = description;
    const compare = {
      id: "use-image", text: "Compare", help: "Shows it beside the simulated image.",
      act: () => this.compare(description),
    };
    const pitch = this.pitchField(description);
    const psf = {
      id: "use-psf", text: "Use as the PSF",
      help: description.is_upload
        ? "Saves it in the folder of the program; the scene then names it."
        : "The scene then names this file of the folder.",
      act: () => this.useAsPsf(description, pitch),
      field: pitch?.box,
    };
    const facts = `${format}, ${type}: ${axes}.`;
    const others = ` The other ${count - 1} files are ignored: drop one at a time.`;
    return () => this.dialog.ask(name, count > 1 ? facts + others : facts,
      likely === "psf" ? [psf, compare] : [compare, psf]);
  }

  /** Returns a field for the voxel size of a PSF whose file does not know it; otherwise null. */
  pitchField({ voxel_um: known }) {
    if (known.every((um) => um !== null)) return null;
    const scene = this.scene.grid?.voxel_um ?? [1, 1, 1];
    const input = element("input", {
      id: "psf-pitch", type: "text", spellcheck: "false",
      value: known.map((um, axis) => numberText(1000 * (um ?? scene[axis]))).join(", "),
    });
    const box = element("span", { class: "labelled file-pitch" },
      element("label", {
        for: "psf-pitch", text: "The file does not know its voxel size. As a PSF, z, y, x in nm:",
      }), input);
    return { box, value: () => sizesIn(input.value) };
  }

  useAsPsf({ id, name, is_upload: isUpload }, pitch) {
    return this.attempt(async () => {
      const um = pitch ? pitch.value() : null;
      if (pitch && !um) {
        throw new Error("Set the voxel size of the PSF: it is not three positive numbers; give " +
          "those of z, y and x in nm.");
      }
      if (isUpload) {
        try {
          await this.api.saveImage(id, name, this.mayReplace === name);
        } catch (problem) {
          this.mayReplace = problem.status === 409 ? name : null;
          if (!this.mayReplace) throw problem;
          throw new Error(`${problem.message} Press the button again to replace it.`);
        }
        this.mayReplace = null;
      }
      await this.use(`The scene has ${name} as its PSF.`, {
        psf: name, pitch_nm: um?.map((each) => Number((1000 * each).toPrecision(9))) ?? null,
      });
    });
  }

  /** Lets the scene use a file. */
  async use(sentence, what) {
    this.say(sentence);
    this.dialog.close();
    await this.scene.change((toml) => this.api.use(toml, what));
  }

  compare(description) {
    return this.attempt(async () => {
      const image = new RealImage(this.api, description);
      await image.load();
      this.dialog.close();
      this.real = image;
      this.panel = makePanel(this.inspector.compared, image, this.view, {
        load: (channel, frame) => this.attempt(() => image.load(channel, frame)),
        closed: () => this.viewer.showBeside(null),
        again: (axes, number) => this.attempt(async () => {
          const other = await this.api.imageAgain(description.id, axes, number);
          // Axes that were assumed at first can be named again
          this.compare({ ...other, axes_assumed: other.axes_assumed || axes !== "" });
        }),
      });
      image.addEventListener("changed", () => this.showBeside());
      this.showBeside();
    });
  }

  /** Shows the image beside the newest preview, whose size and voxels may have changed. */
  showBeside() {
    if (!this.real || !this.view.result) return;
    const result = this.real.besides(this.view.result);
    this.viewer.showBeside(result, `File: ${result.file}`);
    this.panel.show(result);
  }

  forget() {
    this.real = null;
    this.inspector.compared.parentElement.hidden = true;
  }
}
