// SPDX-License-Identifier: MIT
#include "score/run/score_spots.hpp"
#include <fmt/format.h>
#include <cmath>
#include "core/base/error.hpp"
#include "score/sets/image_frames.hpp"
#include "score/spots/data_set_spots.hpp"

namespace synthoscope::score {
namespace {

/// @param dose      factor of the photons of the table
/// @param is_plane  depth means nothing
std::vector<Stratum> strata_of_spots(const std::vector<SpotRecord>& records, double dose,
                                     bool is_plane) {
  GradedProperty photons{"photons", "", {}}, depth{"depth", "um", {}}, nearest{"nearest", "um", {}};
  const auto grade = [](GradedProperty& property, double value, const SpotRecord& record) {
    if (std::isfinite(value)) property.truth.push_back({value, record.result.has_value(), 0});
  };
  for (const SpotRecord& record : records) {
    grade(photons, record.photons * dose, record);
    if (!is_plane) grade(depth, record.depth_um, record);
    grade(nearest, record.neighbour_um, record);
  }
  std::vector<Stratum> strata;
  for (GradedProperty* property : {&photons, &depth, &nearest}) {
    property->has_iou = false;
    add_strata(*property, kStrata, strata);
  }
  return strata;
}

}  // namespace

SpotReport score_data_set_spots(const std::filesystem::path& truth, const ReadSpots& results,
                                const SpotSettings& settings, const RunContext& context) {
  if (!is_data_set(truth))
    throw InvalidSpec(fmt::format(
        "score {}: true spots are those of a data set that simulate made, and this is none; give "
        "the folder of a data set",
        truth.string()));
  const simulator::DataSetReader set{truth};
  const std::size_t channel = require_channel(set, settings.channel);
  const SpotSpace space = space_of(set, channel, context);
  const SpotList there = true_spots(set, channel, space, context);
  const SpotList found = results(space);
  const BoundedSpots bounded =
      bounded_spots(set, channel, there, static_cast<std::size_t>(settings.bounds), context);
  const ScoredSpots scored = score_spots(there, found, settings.radius_um, space, bounded, context);
  const double dose = set.number("illumination", "dose", channel).value_or(1);
  return {scored.scores, strata_of_spots(scored.records, dose, space.is_plane())};
}

}  // namespace synthoscope::score
