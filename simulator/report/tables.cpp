// SPDX-License-Identifier: MIT
// simulator/report/tables.cpp — the tables of a report.
#include "simulator/report/tables.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <vector>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "imageio/input/text_file.hpp"
#include "simulator/report/markup.hpp"
#include "simulator/report/svg_plot.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::simulator {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string value_text(const Json& value) {
  if (value.is_null()) return "not set";
  return value.is_string() ? value.get<std::string>() : text_of(value);
}

/// Returns the keys that `scene` has, table by table.
std::string tables_of(const Json& scene, const std::string& before) {
  std::vector<std::pair<std::string, Rows>> tables;
  for (const SceneKey& key : scene_keys()) {
    const Json* table = &scene;
    if (!key.table.empty()) {
      const auto found = scene.find(key.table);
      if (found == scene.end()) continue;
      table = &*found;
    }
    const auto value = table->find(key.name);
    if (value == table->end()) continue;
    if (tables.empty() || tables.back().first != key.table)
      tables.push_back({key.table, {{"key", "value", "unit", "meaning"}}});
    const bool is_set = !value->is_null();
    tables.back().second.push_back(
        {key.name, is_set ? value_text(*value) : key.absent, is_set ? key.unit : "", key.help});
  }
  std::string html;
  for (const auto& [name, rows] : tables)
    html += folded(before + (name.empty() ? "scene" : fmt::format("[{}]", name)), table(rows));
  return html;
}

constexpr std::int64_t kShown = 200;

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t at = 0; at <= line.size();) {
    const std::size_t comma = std::min(line.find(',', at), line.size());
    cells.push_back(line.substr(at, comma - at));
    at = comma + 1;
  }
  return cells;
}

/// Returns a frame's number in a column; null if there is none.
std::optional<std::int64_t> frame_in(const std::vector<std::string>& cells, std::size_t column,
                                     std::int64_t frames) {
  if (column >= cells.size()) return std::nullopt;
  const std::string& cell = cells[column];
  std::int64_t frame = -1;
  const auto [end, failure] = std::from_chars(cell.data(), cell.data() + cell.size(), frame);
  if (failure != std::errc{} || end != cell.data() + cell.size()) return std::nullopt;
  return frame >= 0 && frame < frames ? std::optional{frame} : std::nullopt;
}

}  // namespace

std::string parameters(const Json& record) {
  const Json& scene = record.at("scene");
  std::string html = tables_of(scene, "");
  if (const auto channels = scene.find("channel"); channels != scene.end())
    for (const Json& channel : *channels)
      html += tables_of(channel, "channel " + channel.at("name").get<std::string>() + ", ");
  return html;
}

std::string objects_part(const DataSetReader& set, std::int64_t frame, std::int64_t& objects) {
  std::ifstream in{set.objects_csv()};
  std::string line;
  std::getline(in, line);
  std::vector<std::vector<std::string>> rows{cells_of(line)};
  const auto column = std::find(rows[0].begin(), rows[0].end(), "frame") - rows[0].begin();
  if (!in || column == std::ssize(rows[0]))
    throw InvalidInput(
        fmt::format("report: {} is not a table of objects; simulate the data set again",
                    set.objects_csv().string()));
  objects = 0;
  while (std::getline(in, line)) {
    auto cells = cells_of(line);
    cells.resize(rows[0].size());
    if (cells[static_cast<std::size_t>(column)] != std::to_string(frame)) continue;
    if (++objects <= kShown) rows.push_back(std::move(cells));
  }
  imageio::require_read(in, set.objects_csv());
  const auto title = objects > kShown ? fmt::format("{} objects, the first {}", objects, kShown)
                                      : fmt::format("{} objects", objects);
  return section("Objects", folded(title, table(rows)));
}

std::string tracks_part(const DataSetReader& set) {
  if (!set.is_movie()) return "";
  std::ifstream in{set.tracks_csv()};
  std::string line;
  std::getline(in, line);
  std::vector<std::vector<std::string>> rows{cells_of(line)};
  std::vector<std::int64_t> change(static_cast<std::size_t>(set.frames()) + 1);
  std::int64_t tracks = 0;
  while (std::getline(in, line)) {
    auto cells = cells_of(line);
    const auto begin = frame_in(cells, 1, set.frames()), end = frame_in(cells, 2, set.frames());
    if (!begin || !end)
      throw InvalidInput(
          fmt::format("report: {} is not a table of tracks; simulate the data set again",
                      set.tracks_csv().string()));
    ++change[static_cast<std::size_t>(*begin)];
    --change[static_cast<std::size_t>(*end + 1)];
    if (++tracks <= kShown) rows.push_back(std::move(cells));
  }
  imageio::require_read(in, set.tracks_csv());
  PlotSeries living{"tracks", "#2f6fb3", PlotSeries::Mark::steps, {}};
  double there = 0;
  for (std::int64_t frame = 0; frame <= set.frames(); ++frame) {
    if (frame < set.frames()) there += static_cast<double>(change[static_cast<std::size_t>(frame)]);
    living.points.emplace_back(static_cast<double>(frame), there);
  }
  const auto title = tracks > kShown ? fmt::format("{} tracks, the first {}", tracks, kShown)
                                     : fmt::format("{} tracks", tracks);
  return section("Tracks", svg_plot({"frame"}, {"objects that are seen"}, {living}) +
                               folded(title, table(rows)));
}

}  // namespace synthoscope::simulator
