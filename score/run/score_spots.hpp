// SPDX-License-Identifier: MIT
// score/run/score_spots.hpp — scores localised spots beside those of a data set.
#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>
#include "core/run/run_context.hpp"
#include "score/spots/spot_scores.hpp"
#include "score/strata/strata.hpp"

namespace synthoscope::score {

struct SpotSettings {
  std::int64_t channel = 0;   ///< whose light and PSF the bounds are of
  double radius_um = 0.5;     ///< up to which a result may stand for a true spot; above 0
  std::int64_t bounds = 100;  ///< spots whose bound is computed, evenly chosen
};

struct SpotReport {
  SpotScores scores;
  std::vector<Stratum> strata;  ///< by photons, depth and neighbours
};

/// Gives the results, once it is known what positions refer to.
using ReadSpots = std::function<SpotList(const SpotSpace& space)>;

/// @param truth  folder of a data set with spots or beads
/// @throws InvalidSpec  it is no data set, or has no such channel.
/// @throws as true_spots, bounded_spots, score_spots and `results`
SpotReport score_data_set_spots(const std::filesystem::path& truth, const ReadSpots& results,
                                const SpotSettings& settings, const RunContext& context);

}  // namespace synthoscope::score
