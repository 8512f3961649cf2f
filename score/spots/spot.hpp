// SPDX-License-Identifier: MIT
// score/spots/spot.hpp — spots of light: where they are, and lists of them.
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>
#include "core/base/units.hpp"
#include "core/run/memory_budget.hpp"
#include "core/volume/extent.hpp"
#include "simulator/base/frames.hpp"

namespace synthoscope::score {

/// Lengths along z, y and x in micrometres.
using AlongZyx = std::array<double, 3>;

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

struct Spot {
  std::int64_t id = 0;  ///< from its table; without ids the number of its row, from 1
  std::int64_t frame = 0;
  AlongZyx at_um{};             ///< from the grid's corner; z is 0 in lists without z
  double radius_um = kUnknown;  ///< of an even ball; 0 for a point
  double photons = kUnknown;    ///< of one exposure, if all of them fell on one plane
};

struct SpotList {
  std::string name;  ///< of its file, for messages
  bool has_z = true;
  std::vector<Spot> spots;  ///< in the order of the table
  Reservation counted;      ///< of the spots
};

/// What positions refer to: the pixels of the images, from the grid's corner, and the frames.
struct SpotSpace {
  Extent3 extent;
  VoxelSize pitch;
  simulator::FrameRange frames;

  [[nodiscard]] AlongZyx pitch_um() const { return {pitch.z_um, pitch.y_um, pitch.x_um}; }
  /// Returns whether the grid is one plane, so that z means nothing.
  [[nodiscard]] bool is_plane() const { return extent.z == 1; }
};

}  // namespace synthoscope::score
