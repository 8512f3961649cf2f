// SPDX-License-Identifier: MIT
#include "tools/jobs/sweep_sets.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "imageio/input/text_file.hpp"
#include "simulator/sweep/folder.hpp"
#include "tools/terminal/result.hpp"
#include "tools/terminal/visible_text.hpp"

namespace synthoscope::tools {
namespace {

bool is_made(const std::filesystem::path& set) {
  std::error_code ignored;
  return std::filesystem::exists(set / "scene.json", ignored);
}

/// Returns whether a record has keys, and sets with a folder and a value of every key.
bool is_whole(const Json& record) {
  const auto is_list = [&](const char* name) {
    return record.contains(name) && record.at(name).is_array();
  };
  if (!record.is_object() || !is_list("keys") || !is_list("sets")) return false;
  for (const Json& key : record.at("keys"))
    if (!key.is_string()) return false;
  for (const Json& set : record.at("sets")) {
    if (!set.is_object()) return false;
    for (const char* name : {"folder", "seed", "repeat"})
      if (!set.contains(name)) return false;
    if (!set.at("folder").is_string()) return false;
    for (const Json& key : record.at("keys"))
      if (!set.contains(key.get<std::string>())) return false;
  }
  return true;
}

/// Returns a value without the quotation marks of text.
std::string cell_of(const Json& value) {
  return visible_line(value.is_string() ? value.get<std::string>() : text_of(value));
}

}  // namespace

bool is_sweep(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::exists(folder / simulator::kSweepRecord, ignored);
}

void require_no_sweep(std::string_view command, const std::filesystem::path& folder) {
  if (!is_sweep(folder)) return;
  const auto sets = simulator::recorded_sets(folder);
  std::string example;
  for (const std::string& set : sets)
    if (example.empty() && is_made(folder / set)) example = (folder / set).string();
  throw InvalidSpec(fmt::format(
      "{} {}: it is a sweep of {} data sets; give one of them{}; `synthoscope info {}` lists them",
      command, folder.string(), sets.size(), example.empty() ? "" : ", such as " + example,
      folder.string()));
}

Json sweep_json(const std::filesystem::path& folder) {
  const auto file = folder / simulator::kSweepRecord;
  auto record = try_parse_json(imageio::read_text(file, imageio::kMaxRecordBytes));
  if (!record || !is_whole(*record))
    throw InvalidInput(fmt::format(
        "read {}: it is not the record of a sweep that simulate writes; give the folder of a sweep",
        file.string()));
  Json sets = Json::array();
  for (Json& set : record->at("sets")) {
    set["made"] = is_made(folder / set.at("folder").get<std::string>());
    sets.push_back(std::move(set));
  }
  (*record)["sets"] = std::move(sets);
  return *record;
}

std::string sweep_text(const std::filesystem::path& folder, const Json& sweep) {
  std::vector<std::vector<std::string>> rows{{"folder", "seed", "repeat"}};
  for (const Json& key : sweep.at("keys")) rows.front().push_back(key.get<std::string>());
  rows.front().emplace_back("made");
  for (const Json& set : sweep.at("sets")) {
    std::vector<std::string> row;
    for (const char* name : {"folder", "seed", "repeat"}) row.push_back(cell_of(set.at(name)));
    for (const Json& key : sweep.at("keys")) row.push_back(cell_of(set.at(key.get<std::string>())));
    row.emplace_back(set.at("made").get<bool>() ? "yes" : "no");
    rows.push_back(std::move(row));
  }
  return fmt::format("{}: a sweep of {} data sets\n{}", visible_line(folder.string()),
                     sweep.at("sets").size(), columns_text(rows));
}

}  // namespace synthoscope::tools
