// SPDX-License-Identifier: MIT
// score/pages/label_page.hpp — the page of a segmentation: numbers, curves and pictures.
#pragma once
#include <optional>
#include <string>
#include <vector>
#include "score/run/score_labels.hpp"
#include "score/run/score_surfaces.hpp"

namespace synthoscope::score {

/// Returns sections: every number with its definition, curves over the thresholds, recall over each
/// stratum, and a gallery of the worst objects.
/// @param tasks  those that `report` is of
/// @throws as gallery
std::string label_sections(const std::vector<LabelTask>& tasks, const LabelReport& report,
                           const std::optional<SurfaceScores>& surfaces, const RunContext& context);

}  // namespace synthoscope::score
