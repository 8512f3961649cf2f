// SPDX-License-Identifier: MIT
// simulator/light/voxel_weights.hpp — weights of light, voxel by voxel.
#pragma once
#include <cstdint>
#include <vector>

namespace synthoscope::simulator {

/// Factors z[z] * (y[y] * x[x]) of voxels (z, y, x); an axis without weights counts as 1.
struct VoxelWeights {
  std::vector<double> z, y, x;
  [[nodiscard]] bool is_one() const { return z.empty() && y.empty() && x.empty(); }
};

/// Returns linear interpolation weights of values between ascending nodes: one vector per node, one
/// weight per value; the weights of all nodes add up to 1. A single node has weight 1. A value
/// beyond the ends belongs to the end alone.
std::vector<std::vector<double>> weights_between(const std::vector<double>& nodes,
                                                 const std::vector<double>& values);

}  // namespace synthoscope::simulator
