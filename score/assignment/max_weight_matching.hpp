// SPDX-License-Identifier: MIT
// score/assignment/max_weight_matching.hpp — one-to-one assignment of truth to results.
#pragma once
#include <cstddef>
#include <vector>

namespace synthoscope::score {

/// A left and a right vertex that may be matched.
struct WeightedEdge {
  std::size_t left = 0, right = 0;
  double weight = 0;  ///< finite; an edge is used only if its weight is above 0
};

/// Returns which edges to use so that no vertex has two and the sum of weights is the largest
/// possible: indices into `edges`, ascending. Of several best choices it takes the same one in
/// every run. Takes O(n m log n) time for the n vertices and m edges of the largest connected part.
/// @param edges  at most one for each pair of vertices; numbers of vertices may have gaps
/// @source  Successive shortest paths with potentials: R. Jonker, A. Volgenant, "A shortest
///          augmenting path algorithm for dense and sparse linear assignment problems", Computing
///          38 (1987) 325-340.
std::vector<std::size_t> max_weight_matching(const std::vector<WeightedEdge>& edges);

}  // namespace synthoscope::score
