// SPDX-License-Identifier: MIT
// tools/score/text.hpp — scores as tables for a terminal.
#pragma once
#include <optional>
#include <string>
#include <vector>
#include "score/images/image_scores.hpp"
#include "score/run/score_labels.hpp"
#include "score/run/score_surfaces.hpp"
#include "score/spots/spot_scores.hpp"
#include "score/tracks/track_scores.hpp"

namespace synthoscope::tools {

// Return lines of names and numbers.

std::string score_text(const score::LabelReport& report,
                       const std::optional<score::SurfaceScores>& surfaces);
std::string score_text(const score::TrackScores& scores);
std::string score_text(const score::SpotScores& scores);
std::string score_text(const score::ImageScores& scores);

/// Returns a table, after an empty line; empty without strata.
std::string strata_text(const std::vector<score::Stratum>& strata);

}  // namespace synthoscope::tools
