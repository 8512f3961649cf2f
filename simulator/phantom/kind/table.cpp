// SPDX-License-Identifier: MIT
#include "simulator/phantom/kind/table.hpp"
#include <algorithm>
#include <array>
#include <utility>
#include "core/base/assert.hpp"

namespace synthoscope::simulator {
namespace {

std::size_t place_of(const WorldTables& all, std::string_view group) {
  const auto found = std::find_if(all.tables.begin(), all.tables.end(),
                                  [&](const auto& table) { return table.group == group; });
  SYNTHOSCOPE_ASSERT(found != all.tables.end(), ==, true);
  return static_cast<std::size_t>(found - all.tables.begin());
}

}  // namespace

TableRow::TableRow(const WorldTables& all, const char* group)
    : table_{all.tables[place_of(all, group)]}, most_rows_{all.most_rows[place_of(all, group)]} {
  ++table_.rows;
}

template <class Value>
std::vector<Value>& TableRow::column(const char* name, std::vector<std::int64_t> row) {
  using Values = std::vector<Value>;
  for (auto& known : table_.columns)
    if (known.name == name) return std::get<Values>(known.values);
  std::int64_t count = most_rows_;
  for (const std::int64_t size : row) count *= size;
  Values values;
  values.reserve(static_cast<std::size_t>(count));
  table_.columns.push_back({name, std::move(row), std::move(values)});
  return std::get<Values>(table_.columns.back().values);
}

void TableRow::whole(const char* name, std::int64_t value) {
  column<std::int64_t>(name, {}).push_back(value);
}

void TableRow::word(const char* name, std::uint64_t value) {
  column<std::uint64_t>(name, {}).push_back(value);
}

void TableRow::matrix(const char* name, const Matrix3& m) {
  std::array<double, 9> all{};
  for (std::size_t i = 0; i < 9; ++i) all[i] = m[i / 3][i % 3];
  reals(name, {3, 3}, all);
}

void TableRow::reals(const char* name, std::vector<std::int64_t> row,
                     std::span<const double> values) {
  auto& all = column<double>(name, std::move(row));
  all.insert(all.end(), values.begin(), values.end());
}

TableRow PlacedObject::row(const char* group) const {
  TableRow row{tables, group};
  row.whole("id", id);
  row.whole("frame", frame);
  return row;
}

TableRow PlacedObject::part(const char* group, const char* owner) const {
  TableRow row{tables, group};
  row.whole(owner, id);
  return row;
}

void describe(TableRow& row, const LobeForm& form) {
  row.matrix("turn", form.turn);
  row.vector("semi_axes_um", form.semi_axes_um);
  row.real("roughness", form.roughness);
  row.reals("harmonics", {kHarmonics}, form.harmonics.coefficients());
}

void describe(TableRow& row, const Segment& segment) {
  row.whole("before", segment.before);
  row.vector("from_um", segment.from);
  row.vector("to_um", segment.to);
  row.real("from_radius_um", segment.from_radius_um);
  row.real("to_radius_um", segment.to_radius_um);
}

}  // namespace synthoscope::simulator
