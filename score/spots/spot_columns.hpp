// SPDX-License-Identifier: MIT
// score/spots/spot_columns.hpp — which column of a table holds what, by the names of its columns.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "core/base/names.hpp"
#include "score/spots/spot.hpp"

namespace synthoscope::score {

enum class SpotUnit { px, um, nm };
inline constexpr NameTable<SpotUnit, 3> kSpotUnitNames{
    {{SpotUnit::px, "px"}, {SpotUnit::um, "um"}, {SpotUnit::nm, "nm"}}};

/// Where positions are 0: in the corner of the first voxel, or in its middle.
enum class SpotOrigin { corner, middle };
inline constexpr NameTable<SpotOrigin, 2> kSpotOriginNames{
    {{SpotOrigin::corner, "corner"}, {SpotOrigin::middle, "middle"}}};

/// What the caller knows of a table. Empty names are found by the names that tables usually have.
struct SpotTableOptions {
  std::array<std::string, 3> zyx;  ///< names of the columns; without z for positions in a plane
  std::string frame, photons;      ///< names of columns; only with `zyx`
  std::optional<SpotUnit> unit;    ///< absent: as the table says
  /// Absent: as the table's program counts; other positions in pixels are 0 in the middle of the
  /// first pixel, others in micrometres and nanometres in its corner.
  std::optional<SpotOrigin> origin;

  [[nodiscard]] bool names_columns() const { return !zyx[1].empty() || !zyx[2].empty(); }
};

/// Who wrote a table.
enum class SpotFormat { plain, objects, trackmate, thunderstorm, napari, picasso };

/// Columns of a table, by number.
struct SpotColumns {
  SpotFormat format = SpotFormat::plain;
  std::array<std::optional<std::size_t>, 3> zyx;  ///< y and x are there
  std::optional<std::size_t> id, frame, radius, photons, kind, volume;
  std::array<std::optional<SpotUnit>, 3> unit;  ///< of z, y and x; absent if no name says it
  std::array<SpotOrigin, 3> origin{};           ///< of z, y and x
  std::int64_t first_frame = 0;                 ///< number of the first frame in the table
};

/// Finds the columns of a table.
///
///     ours          id, frame, z_um, y_um, x_um, radius_um, photons; from the corner
///     objects.csv   centroid_z_um ..., class: rows of beads; from the corner
///     TrackMate     POSITION_X ..., FRAME from 0, units below the header; positions are numbers of
///                   pixels times the pitch, so that 0 is the middle of the first voxel
///     ThunderSTORM  "x [nm]" ..., "frame" from 1; half a pixel is added to the numbers of pixels,
///                   so that 0 is the corner
///     napari        axis-0 ...: numbers of pixels along (frame,) (z,) y, x
///     Picasso       x, y in numbers of pixels, z in nanometres, frame from 0; HDF5, by read_spots
///     other tables  x_um, "x (um)", x_nm, x_px, x and so on; frame from 0
/// z of ThunderSTORM and Picasso, too, counts from the grid's corner, not from a focal plane.
/// @param header  names of the columns
/// @param name    of the file, for messages
/// @throws InvalidInput  no columns of positions are known: lists the columns.
/// @throws InvalidSpec   a column that `options` names is missing: gives the nearest names.
/// @source  TrackMate 7, DetectionUtils (peaks times calibration); ThunderSTORM 1.3,
///          MultipleLocationsImageFitting (x + 0.5 px); napari 0.5, points layer; Picasso 0.8,
///          gaussmle (pixel i reaches from i - 0.5 to i + 0.5).
SpotColumns columns_in(const std::vector<std::string>& header, const std::string& name,
                       const SpotSpace& space, const SpotTableOptions& options);

/// Returns the unit of "(micron)", "[nm]", "px"; nothing for other text.
std::optional<SpotUnit> unit_named(std::string_view text);

}  // namespace synthoscope::score
