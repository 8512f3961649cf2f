// SPDX-License-Identifier: MIT
// score/tracks/divisions.hpp — which divisions of the truth a result has, within some frames.
#pragma once
#include <cstdint>
#include <optional>
#include "score/tracks/vertex_matches.hpp"

namespace synthoscope::score {

/// Divisions: parents with two or more children.
struct DivisionCounts {
  std::int64_t truth = 0, results = 0;
  std::int64_t both = 0;  ///< pairs of a true division and the result's, one to one

  /// Returns the branching correctness: F1, 2 both / (truth + results); nothing where the truth has
  /// no division.
  [[nodiscard]] std::optional<double> f1() const;
};

/// A division of the result is that of the truth if both have the same number of children, if the
/// ends of the two parents, and the beginnings of each child and its counterpart, are at most
/// `tolerance` frames apart, and if each of these tracks matches its counterpart and no other
/// object in the frame in which both are first seen (children) or last seen (parents).
/// @param tolerance  0 or more
/// @source  BC(i) of Ulman et al. 2017, see WholeTracks.
DivisionCounts division_counts(const VertexMatches& matches, std::int64_t tolerance);

}  // namespace synthoscope::score
