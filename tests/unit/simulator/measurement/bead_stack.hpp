// SPDX-License-Identifier: MIT
// tests/unit/simulator/measurement/bead_stack.hpp — stacks of Gaussian beads with noise.
#pragma once
#include <cmath>
#include <random>
#include <vector>
#include "core/base/units.hpp"
#include "core/stream/memory_stream.hpp"
#include "simulator/base/voxel_position.hpp"
#include "simulator/measurement/widths.hpp"

namespace synthoscope::simulator {

inline constexpr VoxelSize kPitch{0.2, 0.1, 0.1};

struct PlacedBead {
  VoxelPosition at;
  double peak = 1000;
};

/// Adds Gaussians of `sigma` voxels to a level of 100 with normal noise.
inline Volume<float> bead_stack(const Extent3& extent, const AlongAxes& sigma,
                                const std::vector<PlacedBead>& beads, double noise = 5) {
  Volume<float> stack{extent};
  std::mt19937 random{7};
  std::normal_distribution<double> normal{100, noise};
  auto voxel = stack.voxels.begin();
  for (std::int64_t z = 0; z < extent.z; ++z)
    for (std::int64_t y = 0; y < extent.y; ++y)
      for (std::int64_t x = 0; x < extent.x; ++x) {
        double value = noise > 0 ? normal(random) : 100;
        for (const PlacedBead& bead : beads) {
          const double u = (static_cast<double>(z) - bead.at.z) / sigma[0],
                       v = (static_cast<double>(y) - bead.at.y) / sigma[1],
                       w = (static_cast<double>(x) - bead.at.x) / sigma[2];
          value += bead.peak * std::exp(-(u * u + v * v + w * w) / 2);
        }
        *voxel++ = static_cast<float>(value);
      }
  return stack;
}

}  // namespace synthoscope::simulator
