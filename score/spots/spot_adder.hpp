// SPDX-License-Identifier: MIT
// score/spots/spot_adder.hpp — makes a list of spots from the numbers of a table's rows.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include "core/run/memory_budget.hpp"
#include "score/spots/spot.hpp"
#include "score/spots/spot_columns.hpp"

namespace synthoscope::score {

/// The numbers of a row as its table has them; kUnknown for columns that it lacks.
struct SpotRow {
  AlongZyx zyx{};
  double frame = kUnknown, id = kUnknown, radius_um = kUnknown, photons = kUnknown;
};

/// Names of columns, for messages.
struct SpotColumnNames {
  std::array<std::string, 3> zyx;
  std::string id, frame;
};

/// Where a row stands: "line 7" of a text, "row 7" of an array.
struct SpotPlace {
  const char* unit = "line";
  std::int64_t number = 1;
};

/// Converts rows to micrometres and frames of the truth, checks them, and counts their memory.
class SpotAdder {
 public:
  /// All references outlive this.
  /// @param name  of the file, for messages
  /// @throws InvalidInput  a unit is unknown, or there is no column of several frames.
  SpotAdder(const std::string& name, const SpotColumns& columns, SpotColumnNames names,
            const SpotSpace& space, MemoryBudget& memory);

  /// @throws InvalidInput  a position is not finite, an id or a frame is no whole number, or the
  ///                       frame is not one of the truth: names place and column.
  /// @throws PlanError     the memory has no room.
  void add(const SpotRow& row, const SpotPlace& place);

  /// Returns the list, once.
  SpotList finish();

 private:
  void require_units() const;
  [[nodiscard]] double micrometres(std::size_t axis, double value) const;
  [[nodiscard]] std::int64_t whole(double value, const std::string& column,
                                   const SpotPlace& place) const;
  [[nodiscard]] std::int64_t frame_of(double value, const SpotPlace& place) const;
  [[noreturn]] void refuse(const SpotPlace& place, const std::string& column, double value,
                           const std::string& accepted) const;
  void grow();

  const SpotColumns& columns_;
  SpotColumnNames names_;
  const SpotSpace& space_;
  MemoryBudget& memory_;
  SpotList list_;
  bool has_some_z_ = false;  ///< other than 0
};

}  // namespace synthoscope::score
