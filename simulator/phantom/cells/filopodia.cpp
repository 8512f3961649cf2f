// SPDX-License-Identifier: MIT
#include "simulator/phantom/cells/filopodia.hpp"
#include <algorithm>

namespace synthoscope::simulator {
namespace {

/// What filopodia end at.
struct Neighbour {
  Bounds bounds;
  const Nucleus* body;
};
static_assert(sizeof(Neighbour) <= kFilopodiaBytes);

bool has_filopodia(const Cell& cell) {
  return std::any_of(cell.strands().begin(), cell.strands().end(), [](const StainedStrand& strand) {
    return strand.structure == Structure::filopodium;
  });
}

/// Returns whether a piece comes within twice its radius of a body; twice, because depths are exact
/// to first order only.
bool comes_near(const Segment& segment, const Nucleus& body) {
  constexpr int kPoints = 8;
  const double near = 2 * std::max(segment.from_radius_um, segment.to_radius_um);
  for (int i = 0; i <= kPoints; ++i) {
    const Vector3 p =
        segment.from + (static_cast<double>(i) / kPoints) * (segment.to - segment.from);
    for (const Lobe& lobe : body.lobes())
      if (lobe.depth(p - body.centre()).um > -near) return true;
  }
  return false;
}

}  // namespace

void end_filopodia_at_neighbours(std::vector<Cell>& cells, const std::vector<Nucleus>& nuclei) {
  if (std::none_of(cells.begin(), cells.end(), has_filopodia)) return;
  std::vector<Neighbour> neighbours;
  neighbours.reserve(cells.size() + nuclei.size());
  for (const Cell& cell : cells) neighbours.push_back({cell.core_bounds(), &cell.surface()});
  for (const Nucleus& nucleus : nuclei) neighbours.push_back({nucleus.bounds(), &nucleus});
  double widest = 0;
  for (const auto& [bounds, body] : neighbours)
    widest = std::max(widest, bounds.high[2] - bounds.low[2]);
  std::sort(neighbours.begin(), neighbours.end(), [](const Neighbour& a, const Neighbour& b) {
    return a.bounds.low[2] < b.bounds.low[2];
  });

  for (Cell& cell : cells) {
    const Bounds reach = cell.bounds();
    const auto first =
        std::lower_bound(neighbours.begin(), neighbours.end(), reach.low[2] - widest,
                         [](const Neighbour& n, double low) { return n.bounds.low[2] < low; });
    std::vector<const Nucleus*> near;
    for (auto n = first; n != neighbours.end() && n->bounds.low[2] <= reach.high[2]; ++n)
      if (n->body != &cell.surface() && touch(reach, n->bounds)) near.push_back(n->body);
    if (near.empty()) continue;
    cell.cut_filopodia([&](const Segment& segment) {
      return std::any_of(near.begin(), near.end(),
                         [&](const Nucleus* body) { return comes_near(segment, *body); });
    });
  }
}

}  // namespace synthoscope::simulator
