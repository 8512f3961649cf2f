// SPDX-License-Identifier: MIT
// fit/pages/fit_page.hpp — a fit on one page: what was found, how close the twin is, and what gives
// it away.
#pragma once
#include <string>
#include <vector>
#include "fit/run/fit_twin.hpp"

namespace synthoscope::fit {

/// Returns HTML without external references.
/// @param images  names of the real images
std::string fit_page(const Twin& twin, const std::vector<std::string>& images);

}  // namespace synthoscope::fit
