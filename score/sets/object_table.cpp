// SPDX-License-Identifier: MIT
#include "score/sets/object_table.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "core/base/error.hpp"
#include "score/tables/csv_rows.hpp"

namespace synthoscope::score {
namespace {

template <class Number>
std::optional<Number> number_in(std::string_view cell) {
  Number number{};
  const auto [end, failure] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
  if (failure != std::errc{} || end != cell.data() + cell.size()) return std::nullopt;
  return number;
}

template <class IsIt>
std::size_t column_where(const std::vector<std::string>& names, IsIt&& is_it) {
  return static_cast<std::size_t>(std::find_if(names.begin(), names.end(), is_it) - names.begin());
}

}  // namespace

ObjectSnr read_object_snr(const std::filesystem::path& objects_csv) {
  ObjectSnr ratios;
  std::error_code ignored;
  if (!std::filesystem::exists(objects_csv, ignored)) return ratios;
  CsvRows rows{objects_csv};
  if (!rows.next()) return ratios;
  const std::vector<std::string> names{rows.cells().begin(), rows.cells().end()};
  const auto named = [&](std::string_view name) {
    return column_where(names, [&](std::string_view other) { return other == name; });
  };
  const std::size_t id_at = named("id"), frame_at = named("frame");
  const std::size_t snr_at =
      column_where(names, [](std::string_view name) { return name.starts_with("snr"); });
  if (snr_at == names.size()) return ratios;
  while (rows.next()) {
    const std::vector<std::string_view>& cells = rows.cells();
    const auto cell = [&](std::size_t at) { return at < cells.size() ? cells[at] : ""; };
    const auto id = number_in<std::int64_t>(cell(id_at));
    const auto frame = number_in<std::int64_t>(cell(frame_at));
    if (cells.size() != names.size() || !id || !frame)
      throw InvalidInput(
          fmt::format("read {}: line {} is no row of a table of objects; simulate the data set "
                      "again",
                      objects_csv.string(), rows.line()));
    if (const auto snr = number_in<double>(cell(snr_at))) ratios[{*frame, *id}] = *snr;
  }
  return ratios;
}

}  // namespace synthoscope::score
