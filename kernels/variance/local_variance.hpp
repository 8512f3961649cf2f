// SPDX-License-Identifier: MIT
// kernels/variance/local_variance.hpp — mean, variance and standard deviation of the neighbourhood
// of every voxel.
#pragma once
#include <memory>
#include <optional>
#include <string_view>
#include <vector>
#include "core/vector/vector_level.hpp"
#include "core/volume/boundary.hpp"
#include "kernels/operation/operation.hpp"
#include "kernels/variance/window.hpp"

namespace synthoscope::kernels {

/// Statistics of the weighted voxels of a window. The variance is that of a population:
/// sum w (x - mean)^2.
enum class LocalStatistic { mean, variance, standard_deviation };

/// How the variance is computed.
///   threewise  parts of the window are joined three at a time, all windows in one sweep; the cost
///              grows with the logarithm of a window's size (linearly for a Gaussian)
///   two_pass, online, pairwise, koenig  every window voxel by voxel, in float32, for comparison:
///              the cost grows with a window's volume. For boxes up to 31 x 31 and a mean of 1e4
///              standard deviations, errors are 7e-4, 3e-3, 1e-3 and 600 times the variance
///              (kernels/body/direct_variance.hpp)
///   integral   exact sums of 64 bits over boxes of integers
enum class VarianceStrategy { threewise, two_pass, online, pairwise, koenig, integral };

std::string_view name_of(LocalStatistic statistic);  ///< "mean", "variance", "std"
std::optional<LocalStatistic> local_statistic_named(std::string_view name);
std::string_view name_of(VarianceStrategy strategy);
std::optional<VarianceStrategy> variance_strategy_named(std::string_view name);

struct LocalVarianceSpec {
  std::vector<LocalWindow> windows;  ///< as for merge_steps
  std::vector<LocalStatistic> statistics{LocalStatistic::variance};
  Boundary boundary = Boundary::reflect;  ///< continues the image once, for all windows
  VarianceStrategy strategy = VarianceStrategy::threewise;
  PixelType type = PixelType::float32;  ///< of the results
  VectorLevel level = vector_level();
};

/// Returns the setting of the operation that makes the results.
NeighbourhoodSetting setting_of(const LocalVarianceSpec& spec, const Extent3& image);

/// Makes the first window's statistics in their order, then those of the next. Voxels are converted
/// to float32, which is exact to 24 bits. NaN and infinity spread to every window of several voxels
/// that reaches them.
///
/// @accuracy  threewise: never negative; within 1e-5 of the variance in exact arithmetic for a mean
///            of 1e4 standard deviations, and within 2e-6 of the mean (local_variance_test).
/// @throws InvalidSpec  windows that merge_steps refuses; a statistic twice; `integral` for windows
///                      that are not boxes, or for voxels that are not integers of at most 16 bits.
std::unique_ptr<Operation> local_variance(const LocalVarianceSpec& spec, const Extent3& image,
                                          PixelType image_type);

}  // namespace synthoscope::kernels
