// SPDX-License-Identifier: MIT
// score/pages/strata_section.hpp — strata as JSON, and as plots and a table of a page.
#pragma once
#include <string>
#include <vector>
#include "core/base/json_fwd.hpp"
#include "score/strata/strata.hpp"

namespace synthoscope::score {

/// Returns an array of objects: by, unit, low, high, truth, recall and its interval, and so on.
Json json_of(const std::vector<Stratum>& strata);

/// Returns a section of a page; empty without strata. @param note  says what the properties are
std::string strata_section(const std::vector<Stratum>& strata, const std::string& note);

}  // namespace synthoscope::score
