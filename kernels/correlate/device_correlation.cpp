// SPDX-License-Identifier: MIT
#include "kernels/correlate/device_correlation.hpp"
#include <algorithm>

namespace synthoscope::kernels::device {
namespace {

constexpr double kVoxelSeconds = 3.6e-12;  // to read and store a voxel
constexpr double kSumSeconds = 1.5e-12;    // to read and add to the sum of earlier products
/// Seconds of one sweep over all three axes: for a voxel, and for each weight. An axis has at most
/// kMaxSwept weights.
constexpr double kSweepSeconds = 2.2e-12, kSweepTapSeconds = 0.083e-12;
constexpr std::int64_t kMaxSwept = 17;

/// Returns the seconds for one weight. Longer windows use more registers, so fewer run at once.
double tap_seconds(std::int64_t weights) {
  if (weights <= 31) return 0.115e-12;
  if (weights <= 65) return 0.14e-12;
  return weights <= 97 ? 0.194e-12 : 0.4e-12;
}

double product_seconds(DirectStrategy strategy) {
  if (strategy == DirectStrategy::registers) return 0.06e-12;
  return strategy == DirectStrategy::shared ? 0.065e-12 : 0.55e-12;
}

double taps(std::int64_t weights) {
  return weights > 1 ? tap_seconds(weights) * static_cast<double>(weights) : 0;
}

}  // namespace

double device_direct_seconds(const Extent3& weights) {
  return kVoxelSeconds +
         product_seconds(fastest_for(weights)) * static_cast<double>(volume(weights));
}

double device_separable_seconds(const Extent3& weights, std::int64_t products) {
  const auto n = static_cast<double>(products);
  if (weights.z > 1 && products == 1 && std::max({weights.z, weights.y, weights.x}) <= kMaxSwept)
    return kSweepSeconds +
           kSweepTapSeconds * static_cast<double>(weights.z + weights.y + weights.x);
  const double planes = kVoxelSeconds + taps(weights.y) + taps(weights.x);
  const double columns = weights.z > 1 ? kVoxelSeconds + taps(weights.z) : 0;
  return n * (planes + columns) + (n - 1) * kSumSeconds;
}

}  // namespace synthoscope::kernels::device
