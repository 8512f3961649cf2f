// SPDX-License-Identifier: MIT
// Stacks of voxels in z, y, x order: planes, lines, percentiles and histograms.

const arrays = {
  int8: Int8Array, int16: Int16Array, int32: Int32Array,
  uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array,
  float32: Float32Array, float64: Float64Array,
};

/** A stack as the server sends it: little endian, as all machines are on which browsers run. */
export class Stack {
  constructor({ name, channel, type, extent, number, since }, bytes) {
    if (!arrays[type]) {
      throw new Error(`The stack ${name} is of type ${type}, which the page cannot read.`);
    }
    Object.assign(this, { name, channel, type, extent, number, since });
    this.data = new arrays[type](bytes);
    const count = extent[0] * extent[1] * extent[2];
    if (this.data.length !== count) {
      throw new Error(`The stack ${name} has ${this.data.length} voxels instead of ${count}.`);
    }
  }
}

/** Returns the index of the voxel that holds a share, from 0 to 1, of an axis with n voxels. */
export function indexAt(share, n) {
  return Math.min(n - 1, Math.max(0, Math.floor(share * n)));
}

/** Returns the share of an axis at the middle of a voxel. */
export function shareAt(index, n) {
  return (Math.min(n - 1, Math.max(0, index)) + 0.5) / n;
}

/**
 * Returns one plane {width, height, data} of a stack: "xy" at an index of z, "xz" at one of y, with
 * z downwards, or one of x: "yz" with z to the right, "zy" with z downwards.
 */
export function planeOf({ data, extent }, kind, index) {
  const [depth, rows, columns] = extent;
  const area = rows * columns;
  if (kind === "xy") {
    return { width: columns, height: rows, data: data.subarray(index * area, (index + 1) * area) };
  }
  if (kind === "xz") {
    const out = new data.constructor(depth * columns);
    for (let z = 0; z < depth; z += 1) {
      const row = z * area + index * columns;
      out.set(data.subarray(row, row + columns), z * columns);
    }
    return { width: columns, height: depth, data: out };
  }
  const [alongY, alongZ] = kind === "yz" ? [depth, 1] : [1, rows];
  const out = new data.constructor(depth * rows);
  for (let z = 0; z < depth; z += 1) {
    for (let y = 0; y < rows; y += 1) {
      out[y * alongY + z * alongZ] = data[z * area + y * columns + index];
    }
  }
  const [width, height] = kind === "yz" ? [depth, rows] : [rows, depth];
  return { width, height, data: out };
}

/** Returns the middle of a plane, at most `halfWidth` and `halfHeight` pixels from its middle. */
export function middleOf({ width, height, data }, halfWidth, halfHeight) {
  const [left, top] = [Math.floor(width / 2) - halfWidth, Math.floor(height / 2) - halfHeight];
  const [x0, y0] = [Math.max(0, left), Math.max(0, top)];
  const x1 = Math.min(width, left + 2 * halfWidth + 1);
  const y1 = Math.min(height, top + 2 * halfHeight + 1);
  const out = new data.constructor((x1 - x0) * (y1 - y0));
  for (let y = y0; y < y1; y += 1) {
    out.set(data.subarray(y * width + x0, y * width + x1), (y - y0) * (x1 - x0));
  }
  return { width: x1 - x0, height: y1 - y0, data: out };
}

/** Returns the part {type, extent, data} of a stack from a voxel [z, y, x] on. */
export function partOf({ type, data, extent }, origin, size) {
  const out = new data.constructor(size[0] * size[1] * size[2]);
  let to = 0;
  for (let z = origin[0]; z < origin[0] + size[0]; z += 1) {
    for (let y = origin[1]; y < origin[1] + size[1]; y += 1) {
      const from = (z * extent[1] + y) * extent[2] + origin[2];
      out.set(data.subarray(from, from + size[2]), to);
      to += size[2];
    }
  }
  return { type, extent: size, data: out };
}

/** Returns the voxels along "x", "y" or "z" through a voxel [z, y, x]. */
export function lineOf({ data, extent }, axis, [z, y, x]) {
  const [depth, rows, columns] = extent;
  const strides = { z: rows * columns, y: columns, x: 1 };
  const lengths = { z: depth, y: rows, x: columns };
  const place = [z * strides.z, y * columns, x];
  place[["z", "y", "x"].indexOf(axis)] = 0;
  const start = place[0] + place[1] + place[2];
  return Float64Array.from({ length: lengths[axis] }, (_, i) => data[start + i * strides[axis]]);
}

/** Returns at most `most` values, evenly spread over the data, in ascending order. */
export function sortedSample(data, most = 60000) {
  const stride = Math.max(1, Math.ceil(data.length / most));
  const sample = new Float64Array(Math.ceil(data.length / stride));
  for (let i = 0; i < sample.length; i += 1) sample[i] = data[i * stride];
  return sample.sort();
}

/** Returns the value below which `percent` of a sorted sample lies. */
export function percentile(sorted, percent) {
  if (sorted.length === 0) return 0;
  return sorted[Math.round((percent / 100) * (sorted.length - 1))];
}

/** Returns how many values lie in each of `bins` equal parts of low to high. */
export function histogram(values, low, high, bins) {
  const counts = new Array(bins).fill(0);
  if (!(high > low)) return counts;
  for (const value of values) {
    if (value < low || value > high) continue;
    counts[Math.min(bins - 1, Math.floor(((value - low) / (high - low)) * bins))] += 1;
  }
  return counts;
}
