// SPDX-License-Identifier: MIT
// score/tracks/graph_errors.hpp — operations that turn the graph of a result's tracks into that of
// the truth.
#pragma once
#include <cstdint>
#include <vector>
#include "score/tracks/vertex_matches.hpp"

namespace synthoscope::score {

/// Counts of operations. Vertices are objects in a frame. Edges are links from one frame of a track
/// to the next, and from the last frame of a parent to the first frame of its child.
struct GraphErrors {
  std::int64_t ns = 0;  ///< splits: a result that matches n objects needs n - 1
  std::int64_t fn = 0;  ///< objects without a match
  std::int64_t fp = 0;  ///< results that match nothing
  std::int64_t ed = 0;  ///< edges to delete: between results that match one object each, where the
                        ///< truth has none
  std::int64_t ea = 0;  ///< edges to add: of the truth, that no such edge of the result equals
  std::int64_t ec = 0;  ///< edges to change: within a track in one graph, from parent to child in
                        ///< the other

  GraphErrors& operator+=(const GraphErrors& other);
  friend bool operator==(const GraphErrors&, const GraphErrors&) = default;

  /// Return the weighted sums of the Cell Tracking Challenge: of vertices (AOGM-D), of edges
  /// (AOGM-A) and of both (AOGM). They are exact multiples of a half.
  [[nodiscard]] double of_vertices() const;
  [[nodiscard]] double of_edges() const;
  [[nodiscard]] double all() const { return of_vertices() + of_edges(); }
};

/// Returns the weighted sum of a result without objects, which lacks all vertices or edges.
double cost_of_vertices(std::int64_t vertices);
double cost_of_edges(std::int64_t edges);

/// Returns the number of edges of a table.
std::int64_t edges_of(const TrackTable& table);

/// Counts the errors of each frame. An edge belongs to the frame that it leads to.
/// @source  Matula et al. 2015, see VertexMatches; weights: section "AOGM measure".
std::vector<GraphErrors> graph_errors(const VertexMatches& matches);

}  // namespace synthoscope::score
