// SPDX-License-Identifier: MIT
// score/likeness/likeness_page.hpp — a comparison of images as sections of a page.
#pragma once
#include <string>
#include "score/likeness/compare_images.hpp"

namespace synthoscope::score {

/// Returns the sections: verdict, table with definitions, patches of both sets side by side at the
/// same grey levels, what gives synthetic images away with both distributions, the null and the ROC
/// curves.
std::string likeness_sections(const ComparedImages& compared);

}  // namespace synthoscope::score
