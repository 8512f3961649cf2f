// SPDX-License-Identifier: MIT
#include "score/spots/spot_table.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <utility>
#include "core/base/error.hpp"
#include "imageio/hdf5/records.hpp"
#include "score/spots/spot_adder.hpp"
#include "score/tables/csv_rows.hpp"

namespace synthoscope::score {
namespace {

SpotColumnNames names_of(const std::vector<std::string>& header, const SpotColumns& columns) {
  const auto name = [&](std::optional<std::size_t> column) {
    return column ? header[*column] : std::string{};
  };
  return {{name(columns.zyx[0]), name(columns.zyx[1]), name(columns.zyx[2])},
          name(columns.id),
          name(columns.frame)};
}

/// A CSV table whose header was read.
class CsvSpots {
 public:
  CsvSpots(CsvRows& rows, std::vector<std::string> header)
      : rows_{rows}, header_{std::move(header)} {}

  [[nodiscard]] const std::vector<std::string>& header() const { return header_; }

  /// Returns the number in a cell of the present row.
  [[nodiscard]] double number(std::size_t column) const {
    const auto value = try_number(column);
    if (!value) refuse(column);
    return *value;
  }
  /// Returns kUnknown for an empty cell, and for a column that is not there.
  [[nodiscard]] double number_if_any(std::optional<std::size_t> column) const {
    return !column || cell(*column).empty() ? kUnknown : number(*column);
  }
  [[nodiscard]] std::string_view cell(std::size_t column) const {
    if (column < rows_.cells().size()) return rows_.cells()[column];
    throw InvalidInput(
        fmt::format("read spots {}: line {}: it has {} cells, and column {} is "
                    "number {}; correct or remove this row",
                    rows_.name(), rows_.line(), rows_.cells().size(), header_[column], column + 1));
  }
  [[nodiscard]] std::optional<double> try_number(std::size_t column) const {
    std::string_view text = cell(column);
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
  }

 private:
  [[noreturn]] void refuse(std::size_t column) const {
    throw InvalidInput(
        fmt::format("read spots {}: line {}, column {}: it holds \"{}\", and "
                    "numbers belong there; correct or remove this row",
                    rows_.name(), rows_.line(), header_[column], cell(column)));
  }

  CsvRows& rows_;
  std::vector<std::string> header_;
};

/// Reads the rows below the header of TrackMate, which have names and at last units. Afterwards
/// the present row is the first of a spot. @returns false if there is none.
bool read_units(CsvRows& rows, const CsvSpots& table, SpotColumns& columns) {
  constexpr int kMostNames = 3;
  for (int i = 0; rows.next(); ++i) {
    if (i == kMostNames || table.try_number(*columns.zyx[2])) return true;
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (columns.zyx[axis] && !columns.unit[axis])
        columns.unit[axis] = unit_named(table.cell(*columns.zyx[axis]));
  }
  return false;
}

double radius_of_ball_um(double volume_um3) {
  return std::cbrt(volume_um3 * 3 / (4 * std::numbers::pi));
}

SpotRow row_of(const CsvSpots& table, const SpotColumns& columns) {
  SpotRow row;
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (columns.zyx[axis]) row.zyx[axis] = table.number(*columns.zyx[axis]);
  if (columns.frame) row.frame = table.number(*columns.frame);
  if (columns.id) row.id = table.number(*columns.id);
  row.radius_um = table.number_if_any(columns.radius);
  row.photons = table.number_if_any(columns.photons);
  if (columns.volume) row.radius_um = radius_of_ball_um(table.number(*columns.volume));
  return row;
}

SpotList read_csv(const std::filesystem::path& path, const SpotSpace& space,
                  const SpotTableOptions& options, const RunContext& context) {
  CsvRows rows{path};
  if (!rows.next())
    throw InvalidInput(
        fmt::format("read spots {}: it is empty; give a table with the names of "
                    "its columns in the first line",
                    rows.name()));
  const CsvSpots table{rows, {rows.cells().begin(), rows.cells().end()}};
  SpotColumns columns = columns_in(table.header(), rows.name(), space, options);
  const bool has_units_below = columns.format == SpotFormat::trackmate;
  bool has_row = has_units_below ? read_units(rows, table, columns) : rows.next();
  SpotAdder adder{rows.name(), columns, names_of(table.header(), columns), space, context.memory};
  for (; has_row; has_row = rows.next()) {
    context.stop.check();
    if (columns.kind && table.cell(*columns.kind) != "bead") continue;
    adder.add(row_of(table, columns), {"line", rows.line()});
  }
  return adder.finish();
}

/// Reads what Picasso's localize, link and other commands write.
SpotList read_picasso(const std::filesystem::path& path, const SpotSpace& space,
                      const SpotTableOptions& options, const RunContext& context) {
  if (options.names_columns() || options.unit)
    throw InvalidSpec(
        fmt::format("read spots {}: columns and a unit are given, and the columns of "
                    "Picasso's tables are known; leave them out",
                    path.string()));
  const auto records =
      imageio::describe_records(path, "/locs", "give the HDF5 file of localisations of Picasso");
  const auto has = [&](const char* field) {
    return std::find(records.fields.begin(), records.fields.end(), field) != records.fields.end();
  };
  std::vector<std::string> fields{"x", "y", "frame"};
  for (const auto& field : fields)
    if (!has(field.c_str()))
      throw InvalidInput(
          fmt::format("read spots {}: its array /locs has no field {}; give the "
                      "HDF5 file of localisations of Picasso",
                      path.string(), field));
  for (const char* const field : {"z", "photons"})
    if (has(field)) fields.emplace_back(field);
  SpotColumns columns;
  columns.format = SpotFormat::picasso;
  columns.zyx = {has("z") ? std::optional<std::size_t>{3} : std::nullopt, 1, 0};
  columns.frame = 2;
  if (has("photons")) columns.photons = fields.size() - 1;
  columns.unit = {SpotUnit::nm, SpotUnit::px, SpotUnit::px};
  columns.origin = {SpotOrigin::corner, SpotOrigin::middle, SpotOrigin::middle};
  if (options.origin) columns.origin.fill(*options.origin);
  SpotAdder adder{path.string(), columns, names_of(fields, columns), space, context.memory};
  imageio::read_records(
      path, records, fields, [&](std::int64_t first, const std::vector<double>& values) {
        context.stop.check();
        const std::size_t width = fields.size();
        for (std::size_t at = 0; at < values.size(); at += width) {
          SpotRow row;
          for (std::size_t axis = 0; axis < 3; ++axis)
            if (columns.zyx[axis]) row.zyx[axis] = values[at + *columns.zyx[axis]];
          row.frame = values[at + 2];
          if (columns.photons) row.photons = values[at + *columns.photons];
          adder.add(row, {"row", first + static_cast<std::int64_t>(at / width) + 1});
        }
      });
  return adder.finish();
}

}  // namespace

SpotList read_spots(const std::filesystem::path& path, const SpotSpace& space,
                    const SpotTableOptions& options, const RunContext& context) {
  return imageio::is_hdf5_file(path) ? read_picasso(path, space, options, context)
                                     : read_csv(path, space, options, context);
}

void require_z(const SpotList& spots, const SpotSpace& space) {
  if (spots.has_z || space.is_plane()) return;
  throw InvalidInput(fmt::format(
      "score {}: its spots have no z, and the truth has {} planes; give positions in three "
      "dimensions, or score a data set of one plane",
      spots.name, space.extent.z));
}

}  // namespace synthoscope::score
