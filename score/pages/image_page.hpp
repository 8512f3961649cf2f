// SPDX-License-Identifier: MIT
// score/pages/image_page.hpp — scores of a restored image on a page.
#pragma once
#include <string>
#include "score/images/image_scores.hpp"

namespace synthoscope::score {

/// Returns sections: every number with its definition, Fourier correlation over the frequency, and
/// scores by depth.
std::string image_sections(const ImageScores& scores);

}  // namespace synthoscope::score
