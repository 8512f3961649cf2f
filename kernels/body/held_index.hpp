// SPDX-License-Identifier: MIT
// kernels/body/held_index.hpp — the index of a position of an image in the part that is held.
#pragma once
#include "core/base/assert.hpp"
#include "core/volume/boundary.hpp"

namespace synthoscope::kernels {

/// Returns the voxel at position `i` of an axis of length `n`, as a position in the held part
/// [origin, origin + size), which must hold it; kOutside if boundary zero has none. Host and device
/// compile this function.
inline std::int64_t held_index(Boundary boundary, std::int64_t i, std::int64_t n,
                               std::int64_t origin, std::int64_t size) {
  if (i >= origin && i < origin + size) return i - origin;
  const std::int64_t mapped = mapped_index(boundary, i, n);
  if (mapped == kOutside) return kOutside;
  // Under wrap the window may lie several periods before or after the image
  const std::int64_t at =
      boundary == Boundary::wrap ? wrapped_index(mapped - origin, n) : mapped - origin;
  SYNTHOSCOPE_ASSERT(at >= 0 && at < size, ==, true);
  return at;
}

}  // namespace synthoscope::kernels
