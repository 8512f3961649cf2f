// SPDX-License-Identifier: MIT
// score/pages/track_page.hpp — scores of tracks on a page.
#pragma once
#include <string>
#include "score/tracks/track_scores.hpp"

namespace synthoscope::score {

/// Returns sections: every number with its definition, and errors over time.
std::string track_sections(const TrackScores& scores);

}  // namespace synthoscope::score
