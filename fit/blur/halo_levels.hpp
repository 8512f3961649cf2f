// SPDX-License-Identifier: MIT
// fit/blur/halo_levels.hpp — how much light lies far outside of objects.
#pragma once
#include <array>
#include <cstddef>
#include <vector>
#include "fit/images/labelled_image.hpp"

namespace synthoscope::fit {

/// Distances from the nearest object between which the mean level is taken, in reaches of an edge;
/// the last level is what the others are compared with.
inline constexpr std::array<double, 4> kHaloReaches{2, 4, 8, 16};
inline constexpr std::size_t kHaloLevels = kHaloReaches.size() - 1;

/// Sums over a part of an image.
struct HaloSums {
  std::array<double, kHaloLevels> light{}, pixels{};  ///< outside, by distance
  double inside_light = 0, inside_pixels = 0;         ///< of all objects

  HaloSums& operator+=(const HaloSums& other);
};

/// Returns the sums of parts of an image, 4 x 4 of its planes, each with the distances in its own
/// plane; of a stack of eight planes at most.
/// @param reach  in pixels along x
std::vector<HaloSums> halo_sums(const LabelledImage& image, double reach);

/// Returns the level of each distance but the last, less that of the last, over the level of the
/// objects less that of the last; 0 where there are no such pixels.
std::array<double, kHaloLevels - 1> halo_of(const HaloSums& sums);

}  // namespace synthoscope::fit
