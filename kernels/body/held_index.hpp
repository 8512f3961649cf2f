// SPDX-License-Identifier: MIT
// kernels/body/held_index.hpp — where a position of an image lies in what is held of it.
#pragma once
#include "core/base/assert.hpp"
#include "core/volume/boundary.hpp"

namespace synthoscope::kernels {

/// The voxel of an axis of length `n` that stands at position `i`, as a position in what is held
/// of it, [origin, origin + size); kOutside where boundary zero has none. It must be held. Devices
/// read this body, too.
inline std::int64_t held_index(Boundary boundary, std::int64_t i, std::int64_t n,
                               std::int64_t origin, std::int64_t size) {
  if (i >= origin && i < origin + size) return i - origin;
  const std::int64_t mapped = mapped_index(boundary, i, n);
  if (mapped == kOutside) return kOutside;
  // Under wrap the window may lie some images before the image or behind it
  const std::int64_t at =
      boundary == Boundary::wrap ? wrapped_index(mapped - origin, n) : mapped - origin;
  SYNTHOSCOPE_ASSERT(at >= 0 && at < size, ==, true);
  return at;
}

}  // namespace synthoscope::kernels
