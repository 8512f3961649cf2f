// SPDX-License-Identifier: MIT
// simulator/data_set/pattern_table.hpp — pattern.csv: the stripes of every raw image, for
// reconstruction.
#pragma once
#include <cstdint>
#include <string>
#include <vector>
#include "simulator/scene/channels.hpp"

namespace synthoscope::simulator {

/// Returns whether a channel is lit in stripes.
bool has_patterns(const std::vector<Channel>& channels);

/// Returns CSV with a header line and a line for each frame and channel with stripes. RawPattern
/// explains the values: `ky_per_um` and `kx_per_um` are of the fine stripes, phases are in the
/// middle of the field; values that two-beam stripes do not have are 0.
std::string pattern_csv(const std::vector<Channel>& channels, std::int64_t frames);

/// Returns the bytes for that table with so many channels.
std::int64_t pattern_csv_bytes(const SceneSpec& scene, std::size_t channels);

}  // namespace synthoscope::simulator
