// SPDX-License-Identifier: MIT
// Asks for previews of a scene and collects their stacks. The newest request wins.
import { Stack } from "./voxels.js";

/**
 * Dispatches "progress", "ready" and "failed", each only for the newest request. An event can come
 * before the answer that holds its number, so that events of unknown numbers wait for the answer.
 */
export class Preview extends EventTarget {
  constructor(api) {
    super();
    this.api = api;
    this.requests = 0;
    this.id = null;
    this.waiting = [];
    this.unanswered = 0;
    this.result = null;
  }

  async request(scene, region, frame) {
    const request = ++this.requests;
    const { toml, channels, grid } = scene;
    this.id = null;
    this.unanswered += 1;
    try {
      const { id } = await this.api.preview(toml, region, frame);
      if (request !== this.requests) return;
      this.id = id;
      this.about = {
        channels, voxelUm: grid ? grid.voxel_um : [1, 1, 1], gridExtent: grid?.extent ?? [],
      };
      for (const event of this.waiting) this.handle(event);
    } catch (problem) {
      if (request === this.requests) this.tell("failed", { error: problem.message });
    } finally {
      this.unanswered -= 1;
      if (this.unanswered === 0) this.waiting = [];
    }
  }

  /** Takes an event of the server. */
  receive(event) {
    if (this.id === null && this.unanswered > 0) this.waiting.push(event);
    else this.handle(event);
  }

  handle(event) {
    if (event.id !== this.id) return;
    if (event.type === "preview") this.collect(event);
    else if (event.type === "progress" || event.type === "failed") this.tell(event.type, event);
  }

  async collect(event) {
    const { about } = this;
    try {
      const stacks = await Promise.all(event.stacks.map(async (entry, at) => {
        const number = channelNumber(event.stacks, at, about.channels);
        const bytes = await this.api.voxels(event.id, entry.name, number);
        return new Stack({ ...entry, number }, bytes);
      }));
      if (event.id !== this.id) return;
      const { voxelUm, gridExtent } = about;
      const isWhole = String(event.region.extent) === String(gridExtent);
      this.result = { ...event, stacks, voxelUm, isWhole };
      this.tell("ready", this.result);
    } catch (problem) {
      if (event.id === this.id) this.tell("failed", { error: problem.message });
    }
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/** Returns the number of a stack's channel: its place in the scene, otherwise among its name. */
export function channelNumber(stacks, at, channels) {
  const place = channels.indexOf(stacks[at].channel);
  if (place >= 0) return place;
  return stacks.slice(0, at).filter((stack) => stack.name === stacks[at].name).length;
}
