// SPDX-License-Identifier: MIT
// fit/edges/halo_levels.hpp — how much light lies far outside of objects.
#pragma once
#include <array>
#include <cstddef>
#include <vector>
#include "fit/images/labelled_image.hpp"

namespace synthoscope::fit {

/// Distances from the nearest object between which the mean level is taken, in reaches of an edge.
inline constexpr std::array<double, 7> kHaloReaches{2, 3, 4.5, 6.5, 9, 12, 16};
inline constexpr std::size_t kHaloRings = kHaloReaches.size() - 1;

/// Sums over a part of an image.
struct HaloSums {
  std::array<double, kHaloRings> light{}, pixels{};  ///< outside, by distance
  double inside_light = 0, inside_pixels = 0;        ///< of all objects

  HaloSums& operator+=(const HaloSums& other);
};

/// Returns the sums of parts of an image, 4 x 4 of its planes, each with the distances in its own
/// plane; of a stack of eight planes at most.
/// @param reach  in pixels along x
std::vector<HaloSums> halo_sums(const LabelledImage& image, double reach);

/// Returns the levels of all of the first `rings` rings but the last, less that of the last, over
/// the level of the objects less that of the last; 0 where there are no such pixels.
std::vector<double> halo_of(const HaloSums& sums, std::size_t rings);

}  // namespace synthoscope::fit
