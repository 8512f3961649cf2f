// SPDX-License-Identifier: MIT
#include "score/spots/spot_scores.hpp"
#include <algorithm>
#include <cmath>
#include "core/base/json.hpp"
#include "score/spots/nearest_spot.hpp"
#include "score/spots/spot_pairs.hpp"
#include "score/spots/spot_table.hpp"

namespace synthoscope::score {
namespace {

/// Mean, mean square and number of some values.
struct Moments {
  double sum = 0, squares = 0, count = 0;

  void add(double value) {
    sum += value;
    squares += value * value;
    ++count;
  }
  [[nodiscard]] double mean() const { return count > 0 ? sum / count : kUnknown; }
  [[nodiscard]] double root_mean_square() const {
    return count > 0 ? std::sqrt(squares / count) : kUnknown;
  }
  [[nodiscard]] double standard_error() const {
    if (count < 2) return kUnknown;
    const double variance = std::max(0.0, (squares - sum * sum / count) / (count - 1));
    return std::sqrt(variance / count);
  }
};

using MomentsAlongZyx = std::array<Moments, 3>;

double matched_part(double of, double all, bool is_nothing_there) {
  return all > 0 ? of / all : is_nothing_there ? 1 : 0;
}

void count_matches(SpotScores& scores) {
  const auto truth = static_cast<double>(scores.truth),
             results = static_cast<double>(scores.results),
             matched = static_cast<double>(scores.matched);
  const bool is_nothing_there = truth + results == 0;
  scores.precision = matched_part(matched, results, is_nothing_there);
  scores.recall = matched_part(matched, truth, is_nothing_there);
  scores.f1 = matched_part(2 * matched, truth + results, is_nothing_there);
  scores.jaccard = matched_part(matched, truth + results - matched, is_nothing_there);
}

/// Measures the errors of all matched spots.
void measure_errors(const std::vector<SpotRecord>& records, std::size_t first, SpotScores& scores) {
  MomentsAlongZyx errors;
  for (const SpotRecord& record : records)
    for (std::size_t axis = first; record.result && axis < 3; ++axis)
      errors[axis].add(record.error_um[axis]);
  for (std::size_t axis = first; axis < 3; ++axis) {
    scores.rmse_um[axis] = errors[axis].root_mean_square();
    scores.bias_um[axis] = errors[axis].mean();
    scores.bias_error_um[axis] = errors[axis].standard_error();
  }
  scores.rmse_lateral_um = std::hypot(scores.rmse_um[1], scores.rmse_um[2]);
  scores.rmse_axial_um = scores.rmse_um[0];
}

/// Compares errors from the middle of the rendered light with bounds.
void measure_efficiency(const SpotList& truth, const SpotList& results, const BoundedSpots& bounded,
                        std::size_t first, std::vector<SpotRecord>& records, SpotScores& scores) {
  MomentsAlongZyx bounds, errors, rendering;
  for (std::size_t i = 0; i < bounded.which.size(); ++i) {
    const SpotBound& bound = bounded.bounds[i];
    if (!bound.is_known()) continue;
    const std::size_t spot = bounded.which[i];
    records[spot].bound_um = bound.sd_um;
    if (!records[spot].result) continue;
    ++scores.bounded;
    for (std::size_t axis = first; axis < 3; ++axis) {
      const double light = bound.light_um[axis];
      bounds[axis].add(bound.sd_um[axis]);
      errors[axis].add(results.spots[*records[spot].result].at_um[axis] - light);
      rendering[axis].add(light - truth.spots[spot].at_um[axis]);
    }
  }
  for (std::size_t axis = first; axis < 3; ++axis) {
    scores.bound_um[axis] = bounds[axis].root_mean_square();
    scores.bounded_rmse_um[axis] = errors[axis].root_mean_square();
    scores.efficiency[axis] = scores.bound_um[axis] / scores.bounded_rmse_um[axis];
    scores.rendering_um[axis] = rendering[axis].root_mean_square();
  }
}

Json json_number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json json_numbers(const AlongZyx& values) {
  Json numbers = Json::array();
  for (const double value : values) numbers.push_back(json_number(value));
  return numbers;
}

}  // namespace

ScoredSpots score_spots(const SpotList& truth, const SpotList& results, double radius_um,
                        const SpotSpace& space, const BoundedSpots& bounded,
                        const RunContext& context) {
  require_z(truth, space);
  require_z(results, space);
  ScoredSpots scored;
  scored.counted = context.memory.reserve(
      static_cast<std::int64_t>(truth.spots.size() * sizeof(SpotRecord)), "records of spots");
  const auto neighbours = nearest_distances(truth.spots, space.is_plane(), context);
  scored.records.resize(truth.spots.size());
  for (std::size_t i = 0; i < truth.spots.size(); ++i) {
    SpotRecord& record = scored.records[i];
    record.truth = i;
    record.photons = truth.spots[i].photons;
    record.depth_um = truth.spots[i].at_um[0];
    record.neighbour_um = neighbours[i];
  }

  const std::size_t first = space.is_plane() ? 1 : 0;
  const auto pairs = pair_spots(truth.spots, results.spots, radius_um, space.is_plane(), context);
  for (const SpotPair& pair : pairs) {
    SpotRecord& record = scored.records[pair.truth];
    record.result = pair.result;
    record.distance_um = pair.distance_um;
    for (std::size_t axis = first; axis < 3; ++axis)
      record.error_um[axis] =
          results.spots[pair.result].at_um[axis] - truth.spots[pair.truth].at_um[axis];
  }

  SpotScores& scores = scored.scores;
  scores.radius_um = radius_um;
  scores.truth = std::ssize(truth.spots);
  scores.results = std::ssize(results.spots);
  scores.matched = std::ssize(pairs);
  count_matches(scores);
  measure_errors(scored.records, first, scores);
  measure_efficiency(truth, results, bounded, first, scored.records, scores);
  return scored;
}

std::vector<std::size_t> evenly_chosen(std::size_t count, std::size_t most) {
  const std::size_t chosen = std::min(count, most);
  std::vector<std::size_t> which(chosen);
  for (std::size_t i = 0; i < chosen; ++i) which[i] = i * count / chosen;
  return which;
}

Json json_of(const SpotScores& s) {
  return {{"truth", s.truth},
          {"results", s.results},
          {"matched", s.matched},
          {"radius_um", json_number(s.radius_um)},
          {"precision", json_number(s.precision)},
          {"recall", json_number(s.recall)},
          {"f1", json_number(s.f1)},
          {"jaccard", json_number(s.jaccard)},
          {"rmse_um", json_numbers(s.rmse_um)},
          {"rmse_lateral_um", json_number(s.rmse_lateral_um)},
          {"rmse_axial_um", json_number(s.rmse_axial_um)},
          {"bias_um", json_numbers(s.bias_um)},
          {"bias_error_um", json_numbers(s.bias_error_um)},
          {"bounded", s.bounded},
          {"bound_um", json_numbers(s.bound_um)},
          {"bounded_rmse_um", json_numbers(s.bounded_rmse_um)},
          {"efficiency", json_numbers(s.efficiency)},
          {"rendering_um", json_numbers(s.rendering_um)}};
}

}  // namespace synthoscope::score
