// SPDX-License-Identifier: MIT
// score/pages/label_json.hpp — scores of a segmentation for programs.
#pragma once
#include "core/base/json_fwd.hpp"
#include "score/run/score_labels.hpp"
#include "score/run/score_surfaces.hpp"

namespace synthoscope::score {

Json json_of(const LabelScores& scores);

/// Returns {"kind": "labels", "truth", "results", "labels": {...}, "strata": [...]}, and "surfaces"
/// if they were measured. Values that are not defined are null.
Json json_of(const LabelReport& report, const std::optional<SurfaceScores>& surfaces = {});

}  // namespace synthoscope::score
