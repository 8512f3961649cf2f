// SPDX-License-Identifier: MIT
// score/pages/spot_page.hpp — scores of spots on a page.
#pragma once
#include <string>
#include <vector>
#include "score/spots/spot_scores.hpp"
#include "score/strata/strata.hpp"

namespace synthoscope::score {

/// Returns sections: every number with its definition, and recall over each stratum.
std::string spot_sections(const SpotScores& scores, const std::vector<Stratum>& strata);

}  // namespace synthoscope::score
