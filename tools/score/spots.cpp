// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <cmath>
#include "core/base/error.hpp"
#include "score/pages/spot_page.hpp"
#include "score/pages/strata_section.hpp"
#include "score/sets/image_frames.hpp"
#include "score/spots/data_set_spots.hpp"
#include "score/spots/spot_table.hpp"
#include "tools/score/request.hpp"
#include "tools/score/text.hpp"

namespace synthoscope::tools {
namespace {

/// Returns whether a spot was found, by light, depth and neighbours.
std::vector<score::Stratum> strata_of_spots(const std::vector<score::SpotRecord>& records) {
  score::GradedProperty photons{"photons", "", {}}, depth{"depth", "um", {}},
      nearest{"nearest", "um", {}};
  const auto add = [](score::GradedProperty& to, double value, const score::SpotRecord& record) {
    if (std::isfinite(value)) to.truth.push_back({value, record.result.has_value(), 0});
  };
  for (const score::SpotRecord& record : records) {
    add(photons, record.photons, record);
    add(depth, record.depth_um, record);
    add(nearest, record.neighbour_um, record);
  }
  std::vector<score::Stratum> strata;
  for (score::GradedProperty* property : {&photons, &depth, &nearest}) {
    property->has_iou = false;
    add_strata(*property, score::kStrata, strata);
  }
  return strata;
}

}  // namespace

ScoreAnswer answer_spots(const ScoreRequest& request, const RunContext& context) {
  if (!score::is_data_set(request.truth))
    throw InvalidSpec(fmt::format(
        "score {}: true spots are those of a data set that simulate made, and this is none; give "
        "the folder of a data set",
        request.truth.string()));
  const simulator::DataSetReader set{request.truth};
  const auto channel = static_cast<std::size_t>(request.open.channel.value_or(0));
  if (channel >= set.channels().size())
    throw InvalidSpec(fmt::format("score {}: there is no channel {}; choose --channel 0 to {}",
                                  request.truth.string(), channel, set.channels().size() - 1));
  const score::SpotSpace space = score::space_of(set, channel, context);
  const score::SpotList truth = score::true_spots(set, channel, space, context);
  const score::SpotList results =
      score::read_spots(request.result, space, request.columns, context);
  const score::BoundedSpots bounded =
      score::bounded_spots(set, channel, truth, static_cast<std::size_t>(request.bounds), context);
  const score::ScoredSpots scored =
      score_spots(truth, results, request.radius_um, space, bounded, context);
  const std::vector<score::Stratum> strata = strata_of_spots(scored.records);

  ScoreAnswer answer;
  answer.json = {{"kind", "spots"},
                 {"truth", scored.scores.truth},
                 {"results", scored.scores.results},
                 {"spots", json_of(scored.scores)},
                 {"strata", json_of(strata)}};
  answer.text = score_text(scored.scores) + strata_text(strata);
  if (request.has_page) answer.page = score::spot_sections(scored.scores, strata);
  return answer;
}

}  // namespace synthoscope::tools
