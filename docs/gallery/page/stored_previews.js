// SPDX-License-Identifier: MIT
// Previews that docs/gallery/stacks.py has stored, as a source for the viewer of the studio.
import { shownOf } from "./studio/viewer/preview.js";

const bytesOf = {
  uint8: 1, uint16: 2, uint32: 4, int32: 4, float32: 4, float64: 8,
};

async function fetched(file) {
  const response = await fetch(file);
  if (response.ok) return response;
  throw new Error(`The gallery has no ${file}: ./dev site --gallery makes its stacks.`);
}

/** Returns bytes of voxels that are stored as all first bytes, then all second bytes and so on. */
function joined(stored, width) {
  const count = stored.length / width;
  const bytes = new Uint8Array(stored.length);
  for (let part = 0; part < width; part += 1) {
    for (let i = 0; i < count; i += 1) bytes[i * width + part] = stored[part * count + i];
  }
  return bytes;
}

/** Returns the bytes of a stack, little endian, as the server would send them. */
export function decoded(stored, { type, coding, extent, levels, largest }) {
  if (coding === "exact") return joined(stored, bytesOf[type]).buffer;
  const steps = new Uint16Array(joined(stored, 2).buffer);
  const light = new Float32Array(steps.length);
  const columns = extent[2];
  for (let row = 0; row < steps.length; row += columns) {
    let step = 0;
    for (let i = row; i < row + columns; i += 1) {
      step = (step + steps[i]) & 0xffff;
      light[i] = largest * (step / levels) ** 2;
    }
  }
  return light.buffer;
}

/**
 * Reads previews of examples from a folder. Dispatches "ready" and "failed" as viewer/preview.js
 * does, only for the example that was asked for last.
 */
export class StoredPreviews extends EventTarget {
  constructor(folder) {
    super();
    this.folder = folder;
    this.newest = null;
  }

  /** Returns name and sentence of all examples. */
  async examples() {
    return (await (await fetched(`${this.folder}/index.json`)).json()).examples;
  }

  /** Reads an example; "ready" has the stored text, "toml", beside what the viewer shows. */
  async request(name) {
    this.newest = name;
    try {
      const result = await this.read(name);
      if (name === this.newest) this.tell("ready", result);
    } catch (problem) {
      if (name === this.newest) this.tell("failed", { error: problem.message });
    }
  }

  async read(name) {
    const [{ event, grid, channels, ...example }, packed] = await Promise.all([
      fetched(`${this.folder}/${name}.json`).then((response) => response.json()),
      fetched(`${this.folder}/${name}.bin`),
    ]);
    const inflated = packed.body.pipeThrough(new DecompressionStream("gzip"));
    const bytes = new Uint8Array(await new Response(inflated).arrayBuffer());
    const starts = new Map();
    let start = 0;
    for (const entry of event.stacks) {
      starts.set(entry, start);
      start += entry.bytes;
    }
    const voxels = (entry) =>
      decoded(bytes.subarray(starts.get(entry), starts.get(entry) + entry.bytes), entry);
    return { ...await shownOf(event, { channels, grid }, voxels), ...example, grid };
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}
