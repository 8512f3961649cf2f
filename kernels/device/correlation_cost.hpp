// SPDX-License-Identifier: MIT
// kernels/device/correlation_cost.hpp — how long a device sums for a voxel. Needs no device.
#pragma once
#include "kernels/device/device_correlation.hpp"

namespace synthoscope::kernels::device {

/// Seconds of an H200 for a voxel of images of some megavoxels, fitted to docs/benchmarks/
/// crossover.md; smaller ones leave it waiting.
double device_direct_seconds(const Extent3& weights);
/// @param products  of weights along the axes, whose results are added up
double device_separable_seconds(const Extent3& weights, std::int64_t products = 1);

}  // namespace synthoscope::kernels::device
