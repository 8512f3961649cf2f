// SPDX-License-Identifier: MIT
// imageio/input/length_unit.hpp — names of lengths as microscopy files write them.
#pragma once
#include <optional>
#include <string_view>

namespace synthoscope::imageio {

/// Micrometres in one of `unit` ("um", "µm" in UTF-8, Latin-1 or as \u00B5m, "micron", "nm",
/// "Å", "mm", "cm", "m", "inch", ...); nothing for "pixel" and other words that are no length.
std::optional<double> micrometres_per(std::string_view unit);

}  // namespace synthoscope::imageio
