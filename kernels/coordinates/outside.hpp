// SPDX-License-Identifier: MIT
// kernels/coordinates/outside.hpp — what an image is at coordinates outside it, with the meanings
// of scipy.ndimage.
#pragma once
#include <optional>
#include <string_view>
#include "kernels/body/outside.hpp"

namespace synthoscope::kernels {

/// Returns a name such as "grid-constant".
std::string_view name_of(Outside outside);
std::optional<Outside> outside_named(std::string_view name);

/// Returns whether the image has the fill value outside.
constexpr bool has_fill(Outside outside) {
  return outside == Outside::zero || outside == Outside::grid_constant;
}

/// Two coordinates between which all of [low, high] are placed.
struct PlacedRange {
  double low, high;
};
PlacedRange placed_range(Outside outside, double low, double high, std::int64_t n);

/// Returns whether `c` lies in an image of `n` voxels.
constexpr bool is_within(double c, std::int64_t n) {
  return c >= 0 && c <= static_cast<double>(n - 1);
}

}  // namespace synthoscope::kernels
