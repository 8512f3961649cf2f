// SPDX-License-Identifier: MIT
// fit/edges/inner_levels.hpp — whether objects are brightest in their middle, as domes, or level,
// as plates.
#pragma once
#include <array>
#include <cstddef>
#include <vector>
#include "fit/images/labelled_image.hpp"

namespace synthoscope::fit {

/// Depths below the border between which levels are taken, over the largest depth; the last level,
/// of the middle, is what the others are compared with.
inline constexpr std::array<double, 5> kInnerDepths{0.25, 0.4, 0.55, 0.75, 1.01};
inline constexpr std::size_t kInnerLevels = kInnerDepths.size() - 2;

/// Levels above that of the surroundings, over the level of the middle above it.
using InnerLevels = std::array<double, kInnerLevels>;

/// Returns the levels of each object of a plane that is at least kLeastInnerDepth pixels deep and
/// does not touch the border of the image; of a stack those of its largest section.
/// @param reach  of an edge, in pixels along x: surroundings are two to three of it away
std::vector<InnerLevels> inner_levels(const LabelledImage& image, double reach);

inline constexpr double kLeastInnerDepth = 4;

}  // namespace synthoscope::fit
