// SPDX-License-Identifier: MIT
// simulator/scene/file/sweep_file.hpp — the table [sweep] of a scene file.
#pragma once
#include <string_view>
#include "simulator/scene/file/sweep.hpp"
#include "simulator/scene/file/toml.hpp"

namespace synthoscope::simulator {

inline constexpr std::string_view kSweepTable = "sweep";

/// Reads the sweep of a table such as
///
///     [sweep]
///     repeats = 5
///     seed = "shared"
///     nuclei.clustering = [0, 0.25, 0.5, 0.75]
///     optics.na = {from = 0.8, to = 1.4, step = 0.2}
///     camera.exposure_seconds = {from = 0.1, to = 1, count = 4}
///
/// A range with a count includes both ends; one with a step ends at the last value that does not
/// pass the end. Values of ranges are rounded to 12 digits, so that 0.1 + 0.2 is 0.3.
/// @throws InvalidSpec  it is not a table, a key of it is no key of a scene or cannot be swept, or
///                      a value is wrong: says where, and what is allowed.
SweepSpec sweep_of(const toml::node& table, const TomlPlace& place);

}  // namespace synthoscope::simulator
