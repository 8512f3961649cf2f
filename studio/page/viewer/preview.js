// SPDX-License-Identifier: MIT
// Asks for previews of a scene and collects their stacks. The newest request wins.
import { Stack } from "./voxels.js";

/**
 * Makes previews by asking the server. A source of previews dispatches "progress", "ready" with
 * what `shownOf` returns, and "failed", each only for the newest request; the viewer knows no more
 * of it, and the gallery of the documentation has one that reads files. An event can come
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
      this.about = { channels, grid, values: scene.valuesByName() };
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
    try {
      const result = await shownOf(event, this.about,
        ({ name }, number) => this.api.voxels(event.id, name, number), this.result?.stacks);
      if (event.id !== this.id) return;
      this.result = { ...result, values: this.about.values };
      this.tell("ready", this.result);
    } catch (problem) {
      if (event.id === this.id) this.tell("failed", { error: problem.message });
    }
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/**
 * Returns what the viewer shows of a preview: its event, with stacks of voxels, the size of a
 * voxel, and whether it shows the whole grid. Channels and grid are those of the scene. `voxels`
 * returns the bytes of a stack, from its entry in the event and the number of its channel. Stacks
 * `before`, which an earlier preview had, are taken where nothing has changed since.
 */
export async function shownOf(event, { channels, grid }, voxels, before = []) {
  const stacks = await Promise.all(event.stacks.map(async (entry, at) => {
    const number = channelNumber(event.stacks, at, channels);
    const same = before.find((stack) => stack.since === entry.since &&
      stack.name === entry.name && stack.number === number && stack.channel === entry.channel);
    return same ?? new Stack({ ...entry, number }, await voxels(entry, number));
  }));
  return {
    ...event, stacks, voxelUm: grid?.voxel_um ?? [1, 1, 1],
    isWhole: String(event.region.extent) === String(grid?.extent),
  };
}

/** Returns the number of a stack's channel: its place in the scene, otherwise among its name. */
export function channelNumber(stacks, at, channels) {
  const place = channels.indexOf(stacks[at].channel);
  if (place >= 0) return place;
  return stacks.slice(0, at).filter((stack) => stack.name === stacks[at].name).length;
}
