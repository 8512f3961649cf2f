// SPDX-License-Identifier: MIT
// Speaks with the server. All paths are relative to the page.

/** Thrown if the server refuses a request; its message is the server's sentence. */
export class Refused extends Error {
  /** @param answer  all that the server says; its `error` is the sentence */
  constructor(status, message, answer = {}) {
    super(message);
    Object.assign(this, { status, answer });
  }
}

async function answered(response) {
  if (response.ok) return response;
  let answer = {};
  try {
    answer = await response.json();
  } catch {
    // A body that is no JSON has no sentence of its own.
  }
  const message = answer?.error ?? `The server answered ${response.status}.`;
  throw new Refused(response.status, message, answer);
}

async function request(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Refused(0, "The server does not answer; is synthoscope studio still running?");
  }
  return answered(response);
}

async function get(path) {
  return (await request(path)).json();
}

async function post(path, body) {
  const headers = { "Content-Type": "application/json" };
  return (await request(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
}

export const keys = () => get("api/keys");
export const opened = () => get("api/scene");
export const examples = () => get("api/examples");
export const example = (name) => get(`api/examples/${encodeURIComponent(name)}`);
export const writeFilesOfExample = (name) => post(`api/examples/${encodeURIComponent(name)}`, {});
export const check = (toml) => post("api/check", { toml });
export const set = (toml, key, value, channel) =>
  post("api/set", { toml, key, value, channel });
export const addChannel = (toml) => post("api/channels/add", { toml });
export const removeChannel = (toml, channel) => post("api/channels/remove", { toml, channel });
export const preview = (toml, region, frame) => post("api/preview", { toml, region, frame });
export const copy = (toml, name, more) => post("api/copy", { toml, name, ...more });
export const save = (toml, name, overwrite) => post("api/save", { toml, name, overwrite });
export const runState = () => get("api/run");
export const startRun = (asked) => post("api/run", asked);
export const stopRun = () => post("api/stop", {});
export const estimate = (toml) => post("api/estimate", { toml });
export const makeReport = (asked) => post("api/report", asked);

export const files = () => get("api/files");
export const openImage = (name) => post("api/images", { name });
export const imageAgain = (id, axes, image) => post("api/images/again", { id, axes, image });
export const saveImage = (id, name, overwrite) => post("api/images/save", { id, name, overwrite });
export const text = (name, content) => post("api/text", { name, text: content });
export const use = (toml, what) => post("api/use", { toml, ...what });

/** Sends a file of the browser to the server, which says what image it holds. */
export async function upload(file) {
  const headers = { "Content-Type": "application/octet-stream" };
  const path = `api/images/upload/${encodeURIComponent(file.name)}`;
  return (await request(path, { method: "POST", headers, body: file })).json();
}

/** Returns the voxels of a stack of image `id` that are shown, as bytes. */
export async function imageVoxels(id, channel, frame) {
  return (await request(`api/images/${id}/${channel}/${frame}`)).arrayBuffer();
}

/** Returns a stack of preview `id` as an OME-TIFF. */
export async function stackFile(id, name, channelNumber) {
  return (await request(`api/stacks/${id}/${name}/${channelNumber}`)).blob();
}

/** Returns the voxels of a stack of preview `id` as bytes. */
export async function voxels(id, name, channelNumber) {
  return (await request(`api/preview/${id}/${name}/${channelNumber}`)).arrayBuffer();
}

/** Calls `received` with every event of the server, and `connected` with true or false. */
export function listenToEvents(received, connected) {
  const source = new EventSource("api/events");
  source.onmessage = (message) => received(JSON.parse(message.data));
  source.onopen = () => connected(true);
  source.onerror = () => connected(false);
  return source;
}
