// SPDX-License-Identifier: MIT
// An image from a file, beside the simulated one: which stack of it, its voxels, and the part that
// is shown.
import { partOf, Stack } from "../viewer/voxels.js";

/** Dispatches "changed" once another stack, voxel size or part is to be shown. */
export class RealImage extends EventTarget {
  /** @param description  what the server says of the file */
  constructor(api, description) {
    super();
    Object.assign(this, { api, description, channel: 0, frame: 0, part: "same" });
    this.voxelUm = [...description.voxel_um];
    this.whole = null;
  }

  /** Loads the stack of a channel and a frame. @throws Refused */
  async load(channel = this.channel, frame = this.frame) {
    const { id, name, type, shown } = this.description;
    const bytes = await this.api.imageVoxels(id, channel, frame);
    this.whole = new Stack({ name, channel: null, type, extent: shown.extent, number: -1 }, bytes);
    Object.assign(this, { channel, frame });
    this.changed();
  }

  /** Sets voxel sizes in um, null for those of the scene. */
  setVoxel(voxelUm) {
    this.voxelUm = voxelUm;
    this.changed();
  }

  /** Shows "all" of the stack, or a part as large as the simulated image. */
  setPart(part) {
    this.part = part;
    this.changed();
  }

  changed() {
    this.dispatchEvent(new Event("changed"));
  }

  /** Returns what a pane shows beside a preview, in the form of a preview. */
  besides(preview) {
    const voxelUm = this.voxelUm.map((um, axis) => um ?? preview.voxelUm[axis]);
    const { extent: whole } = this.whole;
    const um = preview.region.extent.map((n, axis) => n * preview.voxelUm[axis]);
    const size = this.part === "all" ? whole : whole.map((n, axis) =>
      Math.min(n, Math.max(1, Math.round(um[axis] / voxelUm[axis]))));
    const inWhole = size.map((n, axis) => Math.floor((whole[axis] - n) / 2));
    const shown = String(size) === String(whole) ? this.whole : partOf(this.whole, inWhole, size);
    const stack = { ...shown, name: "image", channel: null, number: -1, isFile: true };
    const origin = inWhole.map((at, axis) => at + this.description.shown.origin[axis]);
    return {
      file: this.description.name, stacks: [stack], voxelUm, region: { origin, extent: size },
      likeUm: this.part === "same" ? um : null,
    };
  }
}

/** Returns which part is shown, such as "the middle 16 × 64 × 64 of 32 × 64 × 64 voxels". */
export function partText({ extent }, { region }) {
  const [shown, whole] = [region.extent.join(" × "), extent.join(" × ")];
  return shown === whole ? `all ${whole} voxels` : `the middle ${shown} of ${whole} voxels`;
}
