// SPDX-License-Identifier: MIT
#include "simulator/scene/unknown_key.hpp"
#include <algorithm>
#include <array>
#include "core/base/near_names.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/scene/key_place.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::simulator {
namespace {

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

/// Returns the name without its last part if that is a unit: "pitch" for "pitch_nm".
std::string_view without_unit(std::string_view name) {
  constexpr std::array<std::string_view, 22> kUnits{
      "nm",     "um",      "mm",      "m",         "cm",      "pm",      "um3", "nm3",
      "px",     "voxels",  "pixels",  "s",         "ms",      "us",      "dn",  "seconds",
      "second", "minutes", "percent", "electrons", "photons", "electron"};
  const auto cut = name.rfind('_');
  if (cut == std::string_view::npos) return name;
  const bool is_unit =
      std::find(kUnits.begin(), kUnits.end(), name.substr(cut + 1)) != kUnits.end();
  return is_unit ? name.substr(0, cut) : name;
}

std::vector<std::string> key_names(std::string_view table) {
  std::vector<std::string> names;
  for (const SceneKey& key : scene_keys())
    if (key.table == table) names.push_back(key.name);
  return names;
}

}  // namespace

std::vector<std::string> scene_table_names() {
  std::vector<std::string> names;
  for (const SceneKey& key : scene_keys())
    if (!key.table.empty() && (names.empty() || names.back() != key.table))
      names.push_back(key.table);
  return names;
}

void refuse_unknown_table(std::string_view name, const std::string& where) {
  auto known = scene_table_names();
  known.insert(known.end(), {"channel", "sweep"});
  const auto near = near_names(name, known);
  throw InvalidSpec(fmt::format(
      "read {}: there is no table [{}]; {}", where, name,
      near.empty() ? "known are [" + joined(known) + "]" : "did you mean [" + near.front() + "]?"));
}

void refuse_unknown_key(const std::string& table, const std::string& name,
                        const std::string& where) {
  const std::string full = table.empty() ? name : table + "." + name;
  for (const SceneKey& key : scene_keys())
    if (key.table == table && without_unit(key.name) == without_unit(name))
      throw InvalidSpec(fmt::format(
          "read {}: there is no key {}; the key is {}{}, write the value that way", where, full,
          key.full_name(), key.unit.empty() ? "" : fmt::format(" and its unit is {}", key.unit)));
  const auto known = key_names(table);
  if (const auto near = near_names(name, known); !near.empty())
    throw InvalidSpec(
        fmt::format("read {}: there is no key {}; did you mean {}?", where, full, joined(near)));
  for (const SceneKey& key : scene_keys())
    if (without_unit(key.name) == without_unit(name))
      throw InvalidSpec(
          fmt::format("read {}: there is no key {}; {} belongs to {}", where, full, key.name,
                      key.table.empty() ? "the top of the file" : "[" + key.table + "]"));
  throw InvalidSpec(fmt::format("read {}: there is no key {}; known {} {}", where, full,
                                table.empty() ? "at the top are" : "in [" + table + "] are",
                                joined(known)));
}

void refuse_unknown_name(const std::string& full, const std::string& where) {
  const auto in_channel = split_channel_key(full);
  const std::string name = in_channel ? in_channel->second : full;
  const auto dot = name.find('.');
  const std::string table = dot == std::string::npos ? "" : name.substr(0, dot);
  if (table == "sweep")
    throw InvalidSpec(
        fmt::format("read {}: [sweep] cannot be changed this way; write it in the scene file, as a "
                    "line [sweep] and below it a line such as nuclei.count = [4, 8, 16]",
                    where));
  if (name.empty() || name == "channel")
    throw InvalidSpec(
        fmt::format("read {}: a channel cannot be given this way; name a key of one, such as "
                    "channel.gfp.optics.na",
                    where));
  const auto tables = scene_table_names();
  if (!table.empty() && std::find(tables.begin(), tables.end(), table) == tables.end())
    refuse_unknown_table(table, where);
  refuse_unknown_key(table, name.substr(dot == std::string::npos ? 0 : dot + 1), where);
}

}  // namespace synthoscope::simulator
