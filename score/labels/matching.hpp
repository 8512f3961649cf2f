// SPDX-License-Identifier: MIT
// score/labels/matching.hpp — which result is which true object.
#pragma once
#include <cstddef>
#include <vector>
#include "score/labels/overlap.hpp"

namespace synthoscope::score {

/// A true object and the result that stands for it.
struct Match {
  std::size_t truth = 0, result = 0;  ///< places in the lists of objects
  double iou = 0;                     ///< intersection over union, 0 to 1
};

/// Returns the matches at a threshold, by rising truth: one to one, and each with an intersection
/// over union of at least `threshold`. Above 0.5 they are unique. Otherwise there are as many as
/// possible, and among these the sum of intersection over union of all assigned pairs is largest,
/// also of those that stay below the threshold: the rule of StarDist's `matching`.
/// @param threshold  above 0, at most 1
/// @source  U. Schmidt, M. Weigert, C. Broaddus, G. Myers, "Cell detection with star-convex
///          polygons", MICCAI 2018, section 3.
std::vector<Match> matches_of(const OverlapTable& table, double threshold);

}  // namespace synthoscope::score
