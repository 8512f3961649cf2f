// SPDX-License-Identifier: MIT
// simulator/phantom/kind/table.hpp — the tables of a world, filled row by row.
#pragma once
#include <cstdint>
#include <span>
#include <vector>
#include "imageio/hdf5/tables.hpp"
#include "simulator/phantom/lobes/lobe.hpp"
#include "simulator/phantom/strands/strand.hpp"

namespace synthoscope::simulator {

/// The largest size of one table.
struct TableSize {
  const char* group;
  std::int64_t most_rows, values;  ///< values in a row
};

using TableSizes = std::vector<TableSize>;

/// The tables of a world, and the largest number of rows of each.
struct WorldTables {
  std::vector<imageio::Hdf5Table>& tables;
  const std::vector<std::int64_t>& most_rows;
};

/// A new row of a table. Columns are made with the first row, with space for all rows: a list that
/// grew would hold some of them twice.
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

  /// Adds a row to the table of its class.
  [[nodiscard]] TableRow row(const char* group) const;
  /// Adds a row to a table of its parts. @param owner  the column for this object's id
  [[nodiscard]] TableRow part(const char* group, const char* owner) const;
};

inline constexpr std::int64_t kHarmonics = (kMaxDegree + 1) * (kMaxDegree + 1);
/// Numbers of values that a lobe and a segment add to a row.
inline constexpr std::int64_t kLobeValues = 13 + kHarmonics, kSegmentValues = 9;

/// Adds size, turn and surface of a lobe to a row.
void describe(TableRow& row, const LobeForm& form);
void describe(TableRow& row, const Segment& segment);

}  // namespace synthoscope::simulator
