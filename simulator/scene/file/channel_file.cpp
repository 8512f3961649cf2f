// SPDX-License-Identifier: MIT
#include "simulator/scene/file/channel_file.hpp"
#include <algorithm>
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

ChannelSpec channel_in(const toml::table& table, const TomlPlace& place) {
  ChannelSpec channel{name_of_channel(table, place), {}};
  const TomlPlace here{fmt::format("{}, channel {}", place.name, channel.name), place.has_lines};
  const auto known = scene_table_names();
  for (const auto& [written_key, node] : table) {
    const std::string name{written_key.str()};
    if (name == "name") continue;
    const bool is_table = std::find(known.begin(), known.end(), name) != known.end();
    if (node.is_table() && !is_table) refuse_unknown_table(name, here.at(written_key.source()));
    if (!node.is_table()) {
      add_key(channel, key_of("", name, written_key.source(), here), node, here);
      continue;
    }
    for (const auto& [inner, value] : *node.as_table())
      add_key(channel, key_of(name, std::string{inner.str()}, inner.source(), here), value, here);
  }
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
  for (const toml::node& table : *array) channels.push_back(channel_in(*table.as_table(), place));
  return channels;
}

}  // namespace synthoscope::simulator
