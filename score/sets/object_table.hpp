// SPDX-License-Identifier: MIT
// score/sets/object_table.hpp — what a simulated data set knows of its objects.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <utility>

namespace synthoscope::score {

/// Signal-to-noise ratios by frame and label.
using ObjectSnr = std::map<std::pair<std::int64_t, std::int64_t>, double>;

/// Reads the first column of objects.csv that is named "snr" or "snr_CHANNEL". Objects without a
/// ratio are left out; the result is empty if there is no such column, or no file.
/// @throws InvalidInput  it is no table of objects: names the line.  @throws IoError
ObjectSnr read_object_snr(const std::filesystem::path& objects_csv);

}  // namespace synthoscope::score
