// SPDX-License-Identifier: MIT
// kernels/variance/direct_variance.hpp — the strategies that local_variance keeps for comparison.
#pragma once
#include <memory>
#include <vector>
#include "kernels/body/direct_variance.hpp"
#include "kernels/variance/local_variance.hpp"

namespace synthoscope::kernels {

/// Weights along each axis, from the first voxel to the last.
struct WindowWeights {
  std::vector<float> z, y, x;
};
WindowWeights weights_of(const LocalWindow& window);

/// Returns how a strategy goes through windows voxel by voxel.
/// @param strategy  one that does
DirectWay direct_way(VarianceStrategy strategy);

/// Makes local_variance for every strategy but threewise.
/// @throws as local_variance.
std::unique_ptr<Operation> direct_variance(const LocalVarianceSpec& spec, const Extent3& image,
                                           PixelType image_type);

}  // namespace synthoscope::kernels
