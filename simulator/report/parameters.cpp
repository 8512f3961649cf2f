// SPDX-License-Identifier: MIT
#include "simulator/report/parameters.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <vector>
#include "core/base/json.hpp"
#include "simulator/report/markup.hpp"
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

}  // namespace

std::string parameters(const Json& record) {
  const Json& scene = record.at("scene");
  std::string html = tables_of(scene, "");
  if (const auto channels = scene.find("channel"); channels != scene.end())
    for (const Json& channel : *channels)
      html += tables_of(channel, "channel " + channel.at("name").get<std::string>() + ", ");
  return html;
}

}  // namespace synthoscope::simulator
