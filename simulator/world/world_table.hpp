// SPDX-License-Identifier: MIT
// simulator/world/world_table.hpp — the tables of a world, which get their rows one after the
// other.
#pragma once
#include <cstdint>
#include <span>
#include <vector>
#include "imageio/hdf5/tables.hpp"
#include "simulator/phantom/lobe.hpp"
#include "simulator/phantom/strand.hpp"

namespace synthoscope::simulator {

/// What one table may hold.
struct TableRoom {
  const char* group;
  std::int64_t most_rows, values;  ///< values in a row
};

/// The tables of a world, and how many rows each gets at most.
struct WorldTables {
  std::vector<imageio::Hdf5Table>& tables;
  const std::vector<std::int64_t>& most_rows;
};

/// Adds one row to a table. Columns come into being with its first, with room for all rows: a list
/// that grew would hold some of them twice.
class TableRow {
 public:
  TableRow(const WorldTables& all, const char* group);
  void whole(const char* name, std::int64_t value);
  void word(const char* name, std::uint64_t value);
  void real(const char* name, double value) { reals(name, {}, {&value, 1}); }
  void vector(const char* name, const Vector3& v) { reals(name, {3}, v); }
  void matrix(const char* name, const Matrix3& m);
  void reals(const char* name, std::vector<std::int64_t> row, std::span<const double> values);

 private:
  template <class Value>
  std::vector<Value>& column(const char* name, std::vector<std::int64_t> row);
  imageio::Hdf5Table& table_;
  std::int64_t most_rows_;
};

/// One object of one frame.
struct PlacedObject {
  WorldTables tables;
  std::int64_t id, frame;

  /// A row of the table of its class.
  [[nodiscard]] TableRow row(const char* group) const;
  /// A row of a table of its parts. @param owner  the column that says whose they are
  [[nodiscard]] TableRow part(const char* group, const char* owner) const;
};

inline constexpr std::int64_t kHarmonics = (kMaxDegree + 1) * (kMaxDegree + 1);
/// Values that the two add to a row.
inline constexpr std::int64_t kLobeValues = 13 + kHarmonics, kSegmentValues = 9;

/// Size, turn and surface of a lobe.
void describe(TableRow& row, const LobeForm& form);
void describe(TableRow& row, const Segment& segment);

}  // namespace synthoscope::simulator
