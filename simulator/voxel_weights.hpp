// SPDX-License-Identifier: MIT
// simulator/voxel_weights.hpp — what light is multiplied with, voxel by voxel.
#pragma once
#include <cstdint>
#include <vector>

namespace synthoscope::simulator {

/// Of voxel (z, y, x) the product z[z] * (y[y] * x[x]); an axis without weights counts 1.
struct VoxelWeights {
  std::vector<double> z, y, x;
  [[nodiscard]] bool is_one() const { return z.empty() && y.empty() && x.empty(); }
};

/// Weights of values between nodes, which ascend: linear, so that those of all nodes add up to 1.
/// One vector a node, one weight a value; of a single node 1. Beyond the ends the end counts.
std::vector<std::vector<double>> weights_between(const std::vector<double>& nodes,
                                                 const std::vector<double>& values);

}  // namespace synthoscope::simulator
