// SPDX-License-Identifier: MIT
// fit/pages/fit_json.hpp — a fit as JSON and as text for a terminal.
#pragma once
#include <string>
#include "core/base/json_fwd.hpp"
#include "fit/run/fit_twin.hpp"

namespace synthoscope::fit {

/// Returns "stages", each with its estimates and what images do not tell, and "evidence", a
/// comparison as `compare --json` prints it for each place of patches.
Json json_of(const Twin& twin);

/// Returns all estimates as text for a terminal: a line each, what the images do not tell, and what
/// the evidence says.
std::string twin_text(const Twin& twin);

}  // namespace synthoscope::fit
