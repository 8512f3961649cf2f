// SPDX-License-Identifier: MIT
// tools/jobs/score_text.hpp — scores as tables for a terminal.
#pragma once
#include <optional>
#include <string>
#include <vector>
#include "score/run/score_labels.hpp"
#include "score/run/score_surfaces.hpp"

namespace synthoscope::tools {

/// Returns lines of names and numbers, and a table of strata.
std::string score_text(const score::LabelReport& report,
                       const std::optional<score::SurfaceScores>& surfaces);

/// Returns the most important columns of score::sweep_rows.
std::string swept_scores_text(const std::vector<std::vector<std::string>>& rows);

}  // namespace synthoscope::tools
