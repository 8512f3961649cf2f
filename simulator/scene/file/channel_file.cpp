// SPDX-License-Identifier: MIT
#include "simulator/scene/file/channel_file.hpp"
#include <algorithm>
#include "simulator/base/faults.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/scene/key_place.hpp"
#include "simulator/scene/unknown_key.hpp"

namespace synthoscope::simulator {
namespace {

void add_key(ChannelSpec& channel, const SceneKey& key, const toml::node& node,
             const TomlPlace& place) {
  const SceneValue value = read_value(key, node, place);
  try {
    set_in_channel(channel, key, value);
  } catch (const InvalidSpec& problem) {
    throw InvalidSpec(fmt::format("read {}: {}", place.at(node), problem.what()));
  }
}

std::string name_of_channel(const toml::table& table, const TomlPlace& place) {
  const toml::node* name = table.get("name");
  if (!name || !name->is_string())
    throw InvalidSpec(
        fmt::format("read {}: a channel needs a name; write name = \"gfp\" below "
                    "[[channel]]",
                    place.at(name ? *name : table)));
  return *name->value<std::string>();
}

/// Takes one entry of a [[channel]]: a table of keys, or a key that has no table.
void add_entry(ChannelSpec& channel, const TomlEntry& entry, const TomlPlace& place,
               Faults& faults) {
  const std::string name = entry.name();
  const auto add = [&](const std::string& table, const TomlEntry& of) {
    add_key(channel, key_of(table, of.name(), of.key->source(), place), *of.node, place);
  };
  const toml::table* const keys = entry.node->as_table();
  if (!keys) return add("", entry);
  const auto known = scene_table_names();
  if (std::find(known.begin(), known.end(), name) == known.end())
    refuse_unknown_table(name, place.at(entry.key->source()));
  for (const TomlEntry& inner : entries_in_order(*keys)) faults.collect([&] { add(name, inner); });
}

ChannelSpec channel_in(const toml::table& table, const TomlPlace& place) {
  ChannelSpec channel{name_of_channel(table, place), {}};
  const TomlPlace here{fmt::format("{}, channel {}", place.name, channel.name), place.has_lines};
  Faults faults;
  for (const TomlEntry& entry : entries_in_order(table))
    if (entry.name() != "name") faults.collect([&] { add_entry(channel, entry, here, faults); });
  faults.throw_if_any();
  return channel;
}

}  // namespace

std::vector<ChannelSpec> channels_in(const toml::node& tables, const TomlPlace& place) {
  const auto* array = tables.as_array();
  if (!array || !array->is_array_of_tables())
    throw InvalidSpec(
        fmt::format("read {}: a channel is an entry of a list; write [[channel]] on a separate "
                    "line, and name = \"gfp\" and its keys below",
                    place.at(tables)));
  std::vector<ChannelSpec> channels;
  Faults faults;
  for (const toml::node& table : *array)
    faults.collect([&] { channels.push_back(channel_in(*table.as_table(), place)); });
  faults.throw_if_any();
  return channels;
}

}  // namespace synthoscope::simulator
