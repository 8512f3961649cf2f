// SPDX-License-Identifier: MIT
// simulator/measurement/sinc_lines.hpp — values between voxels, by windowed sinc functions.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include "core/stream/memory_stream.hpp"
#include "simulator/base/voxel_position.hpp"

namespace synthoscope::simulator {

/// The weights of the voxels around a position along one axis: a sinc function under another one,
/// of kLobes lobes (Lanczos). Their sum is 1.
struct SincTaps {
  static constexpr std::int64_t kLobes = 5, kCount = 2 * kLobes;

  explicit SincTaps(double position)
      : first{static_cast<std::int64_t>(std::floor(position)) - kLobes + 1} {
    const auto sinc = [](double x) {
      const double angle = std::numbers::pi * x;
      return std::abs(x) < 1e-9 ? 1 : std::sin(angle) / angle;
    };
    double sum = 0;
    for (std::int64_t i = 0; i < kCount; ++i) {
      const double x = static_cast<double>(first + i) - position;
      const bool is_inside = std::abs(x) < static_cast<double>(kLobes);
      double& weight = weights[static_cast<std::size_t>(i)];
      weight = is_inside ? sinc(x) * sinc(x / static_cast<double>(kLobes)) : 0;
      sum += weight;
    }
    for (double& weight : weights) weight /= sum;
  }

  std::int64_t first;  ///< voxel of the first weight
  std::array<double, kCount> weights{};
};

/// Returns the value of a volume at a position, which may lie between voxels. Beyond its faces the
/// volume has the values of the faces.
inline double value_at(HostView3<const float> voxels, const VoxelPosition& at) {
  const Extent3& e = voxels.extent();
  const SincTaps along_z{at.z}, along_y{at.y}, along_x{at.x};
  const auto inside = [](std::int64_t i, std::int64_t count) {
    return std::clamp(i, std::int64_t{0}, count - 1);
  };
  double sum = 0;
  for (std::size_t i = 0; i < SincTaps::kCount; ++i)
    for (std::size_t j = 0; j < SincTaps::kCount; ++j) {
      const float* const row = voxels.row(inside(along_z.first + std::int64_t(i), e.z),
                                          inside(along_y.first + std::int64_t(j), e.y));
      double of_row = 0;
      for (std::size_t k = 0; k < SincTaps::kCount; ++k)
        of_row += along_x.weights[k] *
                  static_cast<double>(row[inside(along_x.first + std::int64_t(k), e.x)]);
      sum += along_z.weights[i] * along_y.weights[j] * of_row;
    }
  return sum;
}

}  // namespace synthoscope::simulator
