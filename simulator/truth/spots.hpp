// SPDX-License-Identifier: MIT
// simulator/truth/spots.hpp — the table of spots: where each one is and how bright.
#pragma once
#include <cstdint>
#include <string>
#include "simulator/timelapse/timelapse.hpp"

namespace synthoscope::simulator {

/// A table of spots, filled frame by frame.
class SpotTable {
 public:
  SpotTable();

  /// Adds the spots of the cells of `frame`. An id follows from the cell's object, so that a spot
  /// of a movie has the same id in all frames.
  void add(std::int64_t frame, const FrameNames& names, const Phantom& phantom);

  /// Returns CSV with a header line. Positions are in micrometres from the grid's corner; photons
  /// are of one exposure if all of them fell on one plane.
  [[nodiscard]] const std::string& csv() const { return csv_; }

  /// Return whether a scene has spots, and the bytes of their table.
  static bool has(const PhantomSpec& spec, const Grid& grid);
  static std::int64_t bytes(const SceneSpec& scene);

 private:
  std::string csv_;
};

}  // namespace synthoscope::simulator
