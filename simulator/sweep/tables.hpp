// SPDX-License-Identifier: MIT
// simulator/sweep/tables.hpp — what the folder of a sweep holds: sweep.json and sweep.csv.
#pragma once
#include <cstdint>
#include <string>
#include <vector>
#include "simulator/scene/file/sweep.hpp"

namespace synthoscope::simulator {

/// Returns sweep.json: seed, keys, and the folder, seed and values of every set.
std::string sweep_record(std::int64_t seed, const SweepSpec& sweep,
                         const std::vector<SweepSet>& sets);

/// Returns sweep.csv: the folder, seed, repeat and values of every set, a line each.
std::string sweep_table(const SweepSpec& sweep, const std::vector<SweepSet>& sets);

}  // namespace synthoscope::simulator
