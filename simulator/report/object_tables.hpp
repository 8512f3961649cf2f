// SPDX-License-Identifier: MIT
// simulator/report/object_tables.hpp — what a report says of objects and tracks.
#pragma once
#include <cstdint>
#include <string>
#include "simulator/report/finished_set.hpp"

namespace synthoscope::simulator {

/// The objects of a frame, and their number.
/// @throws InvalidInput  objects.csv is no table of objects.
std::string objects_part(const FinishedSet& set, std::int64_t frame, std::int64_t& objects);

/// The tracks of a movie, and how many there are in each frame; nothing for independent frames.
/// @throws InvalidInput  tracks.csv is no table of tracks.
std::string tracks_part(const FinishedSet& set);

}  // namespace synthoscope::simulator
