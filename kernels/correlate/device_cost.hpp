// SPDX-License-Identifier: MIT
// kernels/correlate/device_cost.hpp — estimates the time of correlations on a device. Needs no
// device.
#pragma once
#include "kernels/correlate/device_correlation.hpp"

namespace synthoscope::kernels::device {

/// Returns the seconds for a voxel on an H200, for images of several megavoxels, fitted to
/// docs/benchmarks/crossover.md; smaller images leave the device partly idle.
double device_direct_seconds(const Extent3& weights);
/// @param products  number of products of weights along the axes, whose results are added up
double device_separable_seconds(const Extent3& weights, std::int64_t products = 1);

}  // namespace synthoscope::kernels::device
