// SPDX-License-Identifier: MIT
#include "score/spots/spot_adder.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <utility>
#include "core/base/error.hpp"

namespace synthoscope::score {

SpotAdder::SpotAdder(const std::string& name, const SpotColumns& columns, SpotColumnNames names,
                     const SpotSpace& space, MemoryBudget& memory)
    : columns_{columns}, names_{std::move(names)}, space_{space}, memory_{memory} {
  list_.name = name;
  list_.has_z = columns.zyx[0].has_value();
  require_units();
  if (!columns.frame && space.frames.count() > 1)
    throw InvalidInput(fmt::format(
        "read spots {}: it has no column of frames, and the truth has frames {} to {}; add a "
        "column frame",
        name, space.frames.first, space.frames.last));
}

void SpotAdder::require_units() const {
  for (std::size_t axis = list_.has_z ? 0 : 1; axis < 3; ++axis)
    if (!columns_.unit[axis])
      throw InvalidInput(
          fmt::format("read spots {}: nothing says the unit of its column {}; give the unit of "
                      "positions: px, um or nm",
                      list_.name, names_.zyx[axis]));
}

void SpotAdder::add(const SpotRow& row, const SpotPlace& place) {
  Spot spot;
  for (std::size_t axis = list_.has_z ? 0 : 1; axis < 3; ++axis) {
    if (!std::isfinite(row.zyx[axis]))
      refuse(place, names_.zyx[axis], row.zyx[axis], "positions are finite numbers");
    spot.at_um[axis] = micrometres(axis, row.zyx[axis]);
  }
  has_some_z_ |= row.zyx[0] != 0;
  spot.frame = columns_.frame ? frame_of(row.frame, place) : space_.frames.first;
  spot.id =
      columns_.id ? whole(row.id, names_.id, place) : std::ssize(list_.spots) + std::int64_t{1};
  spot.radius_um = row.radius_um;
  spot.photons = row.photons;
  if (list_.spots.size() == list_.spots.capacity()) grow();
  list_.spots.push_back(spot);
}

SpotList SpotAdder::finish() {
  // TrackMate writes z = 0 for images of one plane
  if (columns_.format == SpotFormat::trackmate && !has_some_z_ && !space_.is_plane())
    list_.has_z = false;
  return std::move(list_);
}

double SpotAdder::micrometres(std::size_t axis, double value) const {
  const double pitch = space_.pitch_um()[axis];
  const bool is_from_middle = columns_.origin[axis] == SpotOrigin::middle;
  if (*columns_.unit[axis] == SpotUnit::px) return (value + (is_from_middle ? 0.5 : 0)) * pitch;
  const double um = *columns_.unit[axis] == SpotUnit::nm ? value / 1000 : value;
  return um + (is_from_middle ? pitch / 2 : 0);
}

std::int64_t SpotAdder::whole(double value, const std::string& column,
                              const SpotPlace& place) const {
  constexpr double kLargestWhole = 9007199254740992;  // 2^53: all up to it are exact
  if (!(std::trunc(value) == value && std::abs(value) <= kLargestWhole))
    refuse(place, column, value, "frames and ids are whole numbers");
  return static_cast<std::int64_t>(value);
}

std::int64_t SpotAdder::frame_of(double value, const SpotPlace& place) const {
  const std::int64_t frame = whole(value, names_.frame, place) - columns_.first_frame;
  if (!space_.frames.holds(frame))
    refuse(place, names_.frame, value,
           fmt::format("the frames of the truth are {} to {} in such a table",
                       space_.frames.first + columns_.first_frame,
                       space_.frames.last + columns_.first_frame));
  return frame;
}

void SpotAdder::refuse(const SpotPlace& place, const std::string& column, double value,
                       const std::string& accepted) const {
  throw InvalidInput(fmt::format(
      "read spots {}: {} {}, column {}: it holds {}, and {}; correct or remove this row",
      list_.name, place.unit, place.number, column, value, accepted));
}

/// Both the old and the new memory are held while spots are moved.
void SpotAdder::grow() {
  const std::size_t rows = std::max<std::size_t>(1024, 2 * list_.spots.capacity());
  Reservation counted =
      memory_.reserve(static_cast<std::int64_t>(rows * sizeof(Spot)), "spots of a table");
  list_.spots.reserve(rows);
  list_.counted = std::move(counted);
}

}  // namespace synthoscope::score
