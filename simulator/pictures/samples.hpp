// SPDX-License-Identifier: MIT
// simulator/pictures/samples.hpp — what a picture shows of a long axis.
#pragma once
#include <algorithm>
#include <cstdint>
#include "simulator/pictures/slices.hpp"

namespace synthoscope::simulator {

/// An axis of `size` voxels as at most kMaxSamples values, each for `step` voxels.
struct Samples {
  std::int64_t size, step, count;
  explicit Samples(std::int64_t axis)
      : size{axis}, step{(axis + kMaxSamples - 1) / kMaxSamples}, count{(axis + step - 1) / step} {}

  /// Returns the middle one of the voxels of value `i`.
  [[nodiscard]] std::int64_t at(std::int64_t i) const {
    return std::min(i * step + step / 2, size - 1);
  }
  /// Returns the distance between values.
  [[nodiscard]] double um(double pitch_um) const { return static_cast<double>(step) * pitch_um; }
};

}  // namespace synthoscope::simulator
