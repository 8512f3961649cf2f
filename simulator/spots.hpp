// SPDX-License-Identifier: MIT
// simulator/spots.hpp — the table of spots: where each one is and how bright.
#pragma once
#include <cstdint>
#include <string>
#include <vector>
#include "simulator/phantom/phantom.hpp"

namespace synthoscope::simulator {

/// The spots of one frame after the other.
class SpotTable {
 public:
  SpotTable();

  /// Adds those of the cells of `frame`. @param labels  of all objects, in their order
  void add(std::int64_t frame, const std::vector<std::uint16_t>& labels, const Phantom& phantom);

  /// CSV with a line of names. Micrometres from the grid's corner; photons of one exposure if all
  /// of them fell on one plane.
  [[nodiscard]] const std::string& csv() const { return csv_; }

  /// Whether a scene has spots, and what their table takes, in bytes.
  static bool has(const PhantomSpec& spec, const Grid& grid);
  static std::int64_t bytes(const PhantomSpec& spec, const Grid& grid, std::int64_t frames);

 private:
  std::string csv_;
  std::int64_t spots_ = 0;
};

}  // namespace synthoscope::simulator
