// SPDX-License-Identifier: MIT
#include "simulator/sweep/tables.hpp"
#include <fmt/format.h>
#include "core/base/csv_cell.hpp"
#include "core/base/json.hpp"
#include "core/base/version.hpp"

namespace synthoscope::simulator {

std::string sweep_record(std::int64_t seed, const SweepSpec& sweep,
                         const std::vector<SweepSet>& sets) {
  Json record{{"program", "synthoscope"}, {"version", kVersion}, {"seed", seed}};
  record["seeds"] = name_in(kSweepSeedsNames, sweep.seeds);
  record["repeats"] = sweep.repeats.value_or(1);
  Json keys = Json::array(), rows = Json::array();
  for (const auto& axis : sweep.axes) keys.push_back(axis.key);
  record["keys"] = keys;
  for (const auto& set : sets) {
    Json row{{"folder", set.folder}, {"seed", *set.scene.seed}, {"repeat", set.repeat}};
    for (std::size_t i = 0; i < set.texts.size(); ++i)
      row[sweep.axes[i].key] = parse_json(set.texts[i]);  // JSON writes values as TOML does
    rows.push_back(row);
  }
  record["sets"] = rows;
  return indented_text_of(record) + "\n";
}

std::string sweep_table(const SweepSpec& sweep, const std::vector<SweepSet>& sets) {
  std::string csv = "folder,seed,repeat";
  for (const auto& axis : sweep.axes) csv += fmt::format(",{}", axis.key);
  for (const auto& set : sets) {
    csv += fmt::format("\n{},{},{}", set.folder, *set.scene.seed, set.repeat);
    for (const auto& text : set.texts) {
      const bool is_string = text.size() > 1 && text.front() == '"';
      csv += fmt::format(",{}", csv_cell(is_string ? parse_json(text).get<std::string>() : text));
    }
  }
  csv += '\n';
  return csv;
}

}  // namespace synthoscope::simulator
