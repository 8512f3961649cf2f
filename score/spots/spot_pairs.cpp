// SPDX-License-Identifier: MIT
#include "score/spots/spot_pairs.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include "core/base/error.hpp"
#include "score/assignment/max_weight_matching.hpp"

namespace synthoscope::score {
namespace {

/// A cube as wide as the radius, in a frame.
struct SpotCell {
  std::int64_t frame = 0, z = 0, y = 0, x = 0;
  friend auto operator<=>(const SpotCell&, const SpotCell&) = default;
};

struct PlacedSpot {
  SpotCell cell;
  std::size_t spot = 0;
};

/// Spots by their cells, so that those near a position are found among few.
class SpotCells {
 public:
  SpotCells(const std::vector<Spot>& spots, double radius_um, bool is_plane)
      : spots_{spots}, radius_um_{radius_um}, is_plane_{is_plane} {
    placed_.reserve(spots.size());
    for (std::size_t i = 0; i < spots.size(); ++i) placed_.push_back({cell_of(spots[i]), i});
    std::sort(placed_.begin(), placed_.end(), [](const PlacedSpot& a, const PlacedSpot& b) {
      return std::tie(a.cell, a.spot) < std::tie(b.cell, b.spot);
    });
  }

  /// Calls `visit(spot, distance)` for each spot within the radius.
  template <class Visit>
  void for_each_near(const Spot& from, Visit&& visit) const {
    const SpotCell middle = cell_of(from);
    const std::int64_t planes = is_plane_ ? 0 : 1;
    for (std::int64_t z = middle.z - planes; z <= middle.z + planes; ++z)
      for (std::int64_t y = middle.y - 1; y <= middle.y + 1; ++y) {
        const SpotCell first{middle.frame, z, y, middle.x - 1};
        const SpotCell last{middle.frame, z, y, middle.x + 1};
        auto at = std::lower_bound(
            placed_.begin(), placed_.end(), first,
            [](const PlacedSpot& placed, const SpotCell& cell) { return placed.cell < cell; });
        for (; at != placed_.end() && at->cell <= last; ++at)
          if (const double d = distance(from, spots_[at->spot]); d <= radius_um_)
            visit(at->spot, d);
      }
  }

 private:
  [[nodiscard]] SpotCell cell_of(const Spot& spot) const {
    // Farther out all positions share a cell, which is slow and still right
    constexpr double kFarthest = 1e15;
    const auto along = [&](std::size_t axis) {
      const double cell = std::floor(spot.at_um[axis] / radius_um_);
      return static_cast<std::int64_t>(std::clamp(cell, -kFarthest, kFarthest));
    };
    return {spot.frame, is_plane_ ? 0 : along(0), along(1), along(2)};
  }

  [[nodiscard]] double distance(const Spot& a, const Spot& b) const {
    const double z = is_plane_ ? 0 : a.at_um[0] - b.at_um[0];
    return std::hypot(z, a.at_um[1] - b.at_um[1], a.at_um[2] - b.at_um[2]);
  }

  const std::vector<Spot>& spots_;
  double radius_um_;
  bool is_plane_;
  std::vector<PlacedSpot> placed_;
};

/// Groups of spots that candidates connect: true spots have the numbers from 0 on, and results
/// those after them.
class ConnectedSpots {
 public:
  explicit ConnectedSpots(std::size_t count) : above_(count) {
    std::iota(above_.begin(), above_.end(), std::size_t{0});
  }
  std::size_t group_of(std::size_t spot) {
    while (above_[spot] != spot) spot = above_[spot] = above_[above_[spot]];
    return spot;
  }
  /// The lower number stays the group's, so that groups depend on no order.
  void connect(std::size_t a, std::size_t b) {
    a = group_of(a);
    b = group_of(b);
    above_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::size_t> above_;
};

/// Returns all pairs within the radius, by rising truth, then result.
std::vector<SpotPair> candidates_of(const std::vector<Spot>& truth,
                                    const std::vector<Spot>& results, double radius_um,
                                    bool is_plane, const RunContext& context,
                                    Reservation& counted) {
  const SpotCells cells{results, radius_um, is_plane};
  std::vector<SpotPair> candidates;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    context.stop.check();
    const auto first = static_cast<std::ptrdiff_t>(candidates.size());
    cells.for_each_near(truth[i], [&](std::size_t result, double distance) {
      if (candidates.size() == candidates.capacity()) {
        const std::size_t count = std::max<std::size_t>(1024, 2 * candidates.capacity());
        // A candidate, its edge, and what the matching holds of it
        counted = {};
        counted = context.memory.reserve(
            static_cast<std::int64_t>(count * (2 * sizeof(SpotPair) + 4 * sizeof(WeightedEdge))),
            "candidates for pairs of spots");
        candidates.reserve(count);
      }
      candidates.push_back({i, result, distance});
    });
    std::sort(candidates.begin() + first, candidates.end(),
              [](const SpotPair& a, const SpotPair& b) { return a.result < b.result; });
  }
  return candidates;
}

/// Returns edges whose best choice has the most pairs and then the least sum of distances: in a
/// group with at most n pairs a pair counts 1, and its distance less than 1 / (n + 1) of that.
std::vector<WeightedEdge> edges_between(const std::vector<SpotPair>& candidates, std::size_t truths,
                                        std::size_t results, double radius_um) {
  ConnectedSpots groups{truths + results};
  for (const SpotPair& pair : candidates) groups.connect(pair.truth, truths + pair.result);
  std::vector<std::size_t> in_truth(truths + results), in_results(truths + results);
  for (std::size_t i = 0; i < truths + results; ++i)
    ++(i < truths ? in_truth : in_results)[groups.group_of(i)];
  std::vector<WeightedEdge> edges;
  edges.reserve(candidates.size());
  for (const SpotPair& pair : candidates) {
    const std::size_t group = groups.group_of(pair.truth);
    const auto most = static_cast<double>(std::min(in_truth[group], in_results[group]));
    edges.push_back({pair.truth, pair.result, 1 + (1 - pair.distance_um / radius_um) / (most + 1)});
  }
  return edges;
}

}  // namespace

std::vector<SpotPair> pair_spots(const std::vector<Spot>& truth, const std::vector<Spot>& results,
                                 double radius_um, bool is_plane, const RunContext& context) {
  if (!(radius_um > 0 && std::isfinite(radius_um)))
    throw InvalidSpec(
        fmt::format("pair spots: the radius is {} um; give a length above 0", radius_um));
  const std::size_t spots = truth.size() + results.size();
  const Reservation of_spots =
      context.memory.reserve(static_cast<std::int64_t>(spots * 4 * sizeof(std::size_t) +
                                                       results.size() * sizeof(PlacedSpot)),
                             "cells of spots");
  Reservation of_candidates;
  const auto candidates =
      candidates_of(truth, results, radius_um, is_plane, context, of_candidates);
  const auto edges = edges_between(candidates, truth.size(), results.size(), radius_um);
  std::vector<SpotPair> pairs;
  for (const std::size_t edge : max_weight_matching(edges)) pairs.push_back(candidates[edge]);
  return pairs;
}

}  // namespace synthoscope::score
