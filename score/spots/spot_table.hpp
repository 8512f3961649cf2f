// SPDX-License-Identifier: MIT
// score/spots/spot_table.hpp — spots from files of many programs.
#pragma once
#include <filesystem>
#include "core/run/run_context.hpp"
#include "score/spots/spot.hpp"
#include "score/spots/spot_columns.hpp"

namespace synthoscope::score {

/// Reads a table of spots: CSV of the kinds that columns_in lists, or Picasso's HDF5, row by row.
/// Positions become micrometres from the grid's corner: pixel i, whose middle has the number i,
/// lies at (i + 0.5) pitch. Tables without a column of frames belong to the only frame.
///
/// Of objects.csv, rows of beads are spots, with the radius of their volume. A table of TrackMate
/// in which all z are 0 has no z if the grid has several planes.
/// @param space  pitch and frames of the truth
/// @throws InvalidInput  a cell is empty, is no number, is NaN, or is a fraction where frames and
///                       ids belong; a frame is not one of the truth; a row has too few cells; no
///                       unit is known: names file, line and column.
/// @throws InvalidSpec   `options` names a column that is missing.
/// @throws PlanError     the memory has no room for the spots. IoError, Interrupted
SpotList read_spots(const std::filesystem::path& path, const SpotSpace& space,
                    const SpotTableOptions& options, const RunContext& context);

/// @throws InvalidInput  the spots have no z, and the grid has several planes.
void require_z(const SpotList& spots, const SpotSpace& space);

}  // namespace synthoscope::score
