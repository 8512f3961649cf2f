// SPDX-License-Identifier: MIT
// simulator/world/kinds.hpp — tables of a world that belong to no kind of objects.
// docs/reference/world.md explains the columns.
#pragma once
#include "simulator/phantom/kind/table.hpp"
#include "simulator/world/world.hpp"

namespace synthoscope::simulator {

/// Tracks, and the frames of a movie.
TableSizes table_sizes_of_movie(const WorldSize& size);
/// Lights of objects that differ; see World.
TableSizes table_sizes_of_lights(const WorldSize& size);
void describe(const PlacedObject& placed, const ObjectLight& light);

/// Writes a movie: every nucleus and cell as it was drawn, and its poses; other objects; tracks and
/// frames.
void describe(const WorldTables& tables, const Movie& movie);

}  // namespace synthoscope::simulator
