// SPDX-License-Identifier: MIT
// simulator/spots.hpp — the table of spots: where each one is and how bright.
#pragma once
#include <cstdint>
#include <string>
#include "simulator/timelapse/timelapse.hpp"

namespace synthoscope::simulator {

/// The spots of one frame after the other.
class SpotTable {
 public:
  SpotTable();

  /// Adds those of the cells of `frame`. An id follows from that of the cell's object, so that a
  /// spot of a movie has the same in all frames.
  void add(std::int64_t frame, const FrameNames& names, const Phantom& phantom);

  /// CSV with a line of names. Micrometres from the grid's corner; photons of one exposure if all
  /// of them fell on one plane.
  [[nodiscard]] const std::string& csv() const { return csv_; }

  /// Whether a scene has spots, and what their table takes, in bytes.
  static bool has(const PhantomSpec& spec, const Grid& grid);
  static std::int64_t bytes(const SceneSpec& scene);

 private:
  std::string csv_;
};

}  // namespace synthoscope::simulator
