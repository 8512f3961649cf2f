// SPDX-License-Identifier: MIT
// simulator/measurement/bright_spots.hpp — finds bright spots in a stack.
#pragma once
#include <array>
#include <vector>
#include "core/run/run_context.hpp"
#include "core/stream/memory_stream.hpp"

namespace synthoscope::simulator {

/// The level and the standard deviation of voxels without light.
struct Darkness {
  double level = 0, noise = 0;
};

/// Estimates both from the darker nine of ten voxels: the median, and the differences of neighbours
/// along x.
Darkness darkness_of(const Volume<float>& stack);

/// A voxel that is brighter than its neighbours.
struct BrightSpot {
  Index3 at;
  double height = 0;              ///< above the dark level, after smoothing
  std::array<double, 3> sigma{};  ///< voxels, without the smoothing, from where it falls to half
};

/// Smooths the stack with a Gaussian, takes off light that is four times as wide, and returns the
/// voxels that are larger than their 26 neighbours and more than 8 standard deviations of the
/// smoothed noise above the dark level; brightest first.
/// @param sigma  voxels along z, y and x
std::vector<BrightSpot> bright_spots(const Volume<float>& stack, const std::array<double, 3>& sigma,
                                     const RunContext& context);

/// Returns the bytes of both, apart from the stack.
std::int64_t bright_spots_bytes(const Extent3& stack);

}  // namespace synthoscope::simulator
