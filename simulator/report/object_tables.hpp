// SPDX-License-Identifier: MIT
// simulator/report/object_tables.hpp — the parts of a report about objects and tracks.
#pragma once
#include <cstdint>
#include <string>
#include "simulator/report/finished_set.hpp"

namespace synthoscope::simulator {

/// Returns the objects of a frame, and sets `objects` to their number.
/// @throws InvalidInput  objects.csv is no table of objects.
std::string objects_part(const FinishedSet& set, std::int64_t frame, std::int64_t& objects);

/// Returns the tracks of a movie and their number in each frame; empty for independent frames.
/// @throws InvalidInput  tracks.csv is no table of tracks.
std::string tracks_part(const FinishedSet& set);

}  // namespace synthoscope::simulator
