// SPDX-License-Identifier: MIT
// textures/patches/grey_plane.hpp — one plane of grey values in double precision: blur, quantiles.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace synthoscope::textures {

/// Rows of grey values, contiguous.
struct GreyPlane {
  std::int64_t height = 0, width = 0;
  std::vector<double> values;

  GreyPlane() = default;
  GreyPlane(std::int64_t rows, std::int64_t columns)
      : height{rows}, width{columns}, values(static_cast<std::size_t>(rows * columns)) {}
  [[nodiscard]] double at(std::int64_t y, std::int64_t x) const {
    return values[static_cast<std::size_t>(y * width + x)];
  }
  [[nodiscard]] double& at(std::int64_t y, std::int64_t x) {
    return values[static_cast<std::size_t>(y * width + x)];
  }
};

/// Returns the plane blurred by a Gaussian that ends at 4 sigma. Beyond its borders the plane is
/// mirrored, with the outermost values repeated.
/// @param sigma  pixels, > 0
GreyPlane blurred(const GreyPlane& plane, double sigma);

/// Returns a quantile, interpolated between the two nearest values.
/// @param sorted  ascending, not empty  @param share  0 to 1
double quantile_of_sorted(std::span<const double> sorted, double share);

/// The same of values in any order.
double quantile_of(std::vector<double> values, double share);

}  // namespace synthoscope::textures
