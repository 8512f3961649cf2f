// SPDX-License-Identifier: MIT
// simulator/pattern_table.hpp — pattern.csv: the stripes of every raw image, for those who
// reconstruct.
#pragma once
#include <cstdint>
#include <string>
#include <vector>
#include "simulator/channels.hpp"

namespace synthoscope::simulator {

/// Whether a channel is lit in stripes.
bool has_patterns(const std::vector<Channel>& channels);

/// CSV with a line of names and one for each frame and channel with stripes. RawPattern says what
/// they mean: `ky_per_um` and `kx_per_um` are of the fine stripes, phases are in the middle of the
/// field; what stripes of two beams have none of is 0.
std::string pattern_csv(const std::vector<Channel>& channels, std::int64_t frames);

/// What that takes, in bytes, for so many channels.
std::int64_t pattern_csv_bytes(const SceneSpec& scene, std::size_t channels);

}  // namespace synthoscope::simulator
