// SPDX-License-Identifier: MIT
// kernels/outside.hpp — what stands at coordinates outside an image, with the meanings of
// scipy.ndimage.
#pragma once
#include <optional>
#include <string_view>
#include "kernels/body/outside.hpp"

namespace synthoscope::kernels {

/// "grid-constant".
std::string_view name_of(Outside outside);
std::optional<Outside> outside_named(std::string_view name);

/// True where the fill value stands outside.
constexpr bool has_fill(Outside outside) {
  return outside == Outside::zero || outside == Outside::grid_constant;
}

/// Two coordinates between which all of [low, high] are placed.
struct PlacedRange {
  double low, high;
};
PlacedRange placed_range(Outside outside, double low, double high, std::int64_t n);

/// Whether `c` is one of an image of `n` voxels.
constexpr bool is_within(double c, std::int64_t n) {
  return c >= 0 && c <= static_cast<double>(n - 1);
}

}  // namespace synthoscope::kernels
