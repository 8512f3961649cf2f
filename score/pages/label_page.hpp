// SPDX-License-Identifier: MIT
// score/pages/label_page.hpp — the page of a segmentation: numbers, curves and pictures.
#pragma once
#include <optional>
#include <string>
#include <vector>
#include "score/pages/sweep_table.hpp"
#include "score/run/score_labels.hpp"
#include "score/run/score_surfaces.hpp"

namespace synthoscope::score {

/// What a page shows.
struct LabelPage {
  std::string title;  ///< such as the names of truth and result
  const std::vector<LabelTask>& tasks;
  const LabelReport& report;
  std::optional<SurfaceScores> surfaces = {};
  std::vector<SweptSet> sets = {};  ///< of each task, if they are the data sets of a sweep
};

/// Returns a page without external references: every number with its definition, the scores of each
/// data set of a sweep, curves over the thresholds, recall over each stratum, and a gallery of the
/// worst objects.
/// @throws as gallery
std::string html_of(const LabelPage& page, const RunContext& context);

}  // namespace synthoscope::score
