// SPDX-License-Identifier: MIT
// imageio/array_axes.hpp — which axes of an array are those of space, channels and time.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include "core/extent.hpp"

namespace synthoscope::imageio {

/// Places among the axes of an array; -1 where there is none.
struct ArrayAxes {
  int t = -1, c = -1, z = -1, y = -1, x = -1;

  /// What `sizes`, one for each axis of the array, says along `axis`; `missing` where there is
  /// none.
  static std::int64_t along(const std::vector<std::int64_t>& sizes, int axis,
                            std::int64_t missing = 1) {
    return axis < 0 ? missing : sizes[static_cast<std::size_t>(axis)];
  }
  [[nodiscard]] Extent3 space(const std::vector<std::int64_t>& sizes) const {
    return {along(sizes, z), along(sizes, y), along(sizes, x)};
  }
};

/// Of the letters of all axes, "tczyx"; nothing where one is strange, doubled, or y and x not last.
std::optional<ArrayAxes> axes_named(const std::string& letters);

}  // namespace synthoscope::imageio
