// SPDX-License-Identifier: MIT
// simulator/report/tables.hpp — the tables of a report: the keys of the scene, the objects and the
// tracks.
#pragma once
#include <cstdint>
#include <string>
#include "core/base/json_fwd.hpp"
#include "simulator/report/data_set_reader.hpp"

namespace synthoscope::simulator {

/// Returns HTML tables, one per table of the scene. @param record  content of scene.json.
std::string parameters(const Json& record);

/// Returns the objects of a frame, and sets `objects` to their number.
/// @throws InvalidInput  objects.csv is no table of objects.
std::string objects_part(const DataSetReader& set, std::int64_t frame, std::int64_t& objects);

/// Returns the tracks of a movie and their number in each frame; empty for independent frames.
/// @throws InvalidInput  tracks.csv is no table of tracks.
std::string tracks_part(const DataSetReader& set);

}  // namespace synthoscope::simulator
