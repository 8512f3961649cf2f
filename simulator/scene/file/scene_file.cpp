// SPDX-License-Identifier: MIT
#include "simulator/scene/file/scene_file.hpp"
#include <algorithm>
#include "simulator/base/faults.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/scene/file/channel_file.hpp"
#include "simulator/scene/file/recorded_scene.hpp"
#include "simulator/scene/file/sweep_file.hpp"
#include "simulator/scene/file/toml.hpp"
#include "simulator/scene/key_place.hpp"
#include "simulator/scene/unknown_key.hpp"

namespace synthoscope::simulator {
namespace {

void set_entries(SceneSpec& scene, const std::string& table, const toml::table& entries,
                 const TomlPlace& place, Faults& faults) {
  // Keys that choose defaults are set first, in the order of the reference
  for (const SceneKey& key : scene_keys())
    if (key.table == table && key.chooses_defaults)
      if (const toml::node* node = entries.get(key.name))
        faults.collect([&] { set_key(scene, key, *node, place); });
  for (const TomlEntry& entry : entries_in_order(entries))
    faults.collect([&] {
      const SceneKey& key = key_of(table, entry.name(), entry.key->source(), place);
      if (!key.chooses_defaults) set_key(scene, key, *entry.node, place);
    });
}

/// Takes one entry of the top of a file: a table, or a key that has none.
void set_entry(SceneSpec& scene, const TomlEntry& entry, const TomlPlace& place, Faults& faults) {
  const std::string name = entry.name();
  const toml::node& node = *entry.node;
  const auto known = scene_table_names();
  const bool is_table = std::find(known.begin(), known.end(), name) != known.end();
  if (name == kSweepTable)
    static_cast<void>(sweep_of(node, place));
  else if (name == kChannelTable)
    scene.channels = channels_in(node, place);
  else if (is_table && node.is_table())
    set_entries(scene, name, *node.as_table(), place, faults);
  else if (is_table)
    throw InvalidSpec(
        fmt::format("read {}: [{}] is a table; write [{}] on a separate line and its keys below",
                    place.at(node), name, name));
  else if (node.is_table())
    refuse_unknown_table(name, place.at(entry.key->source()));
  else
    set_key(scene, key_of("", name, entry.key->source(), place), node, place);
}

void set_tables(SceneSpec& scene, const toml::table& root, const TomlPlace& place) {
  Faults faults;
  for (const TomlEntry& entry : entries_in_order(root))
    faults.collect([&] { set_entry(scene, entry, place, faults); });
  faults.throw_if_any();
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const auto first = text.find_first_not_of(kBlanks), last = text.find_last_not_of(kBlanks);
  return first == std::string_view::npos ? "" : std::string{text.substr(first, last - first + 1)};
}

/// Calls `change` with each file name of a scene and its channels.
template <class Change>
void change_files(SceneSpec& scene, Change&& change) {
  const auto change_text = [&](SceneValue& value) {
    if (auto* const text = std::get_if<std::string>(&value)) change(*text);
  };
  for (const SceneKey& key : scene_keys()) {
    if (key.kind != ValueKind::text) continue;
    SceneValue value = key.get(scene);
    if (std::holds_alternative<std::monostate>(value)) continue;
    change_text(value);
    key.set(scene, value);
  }
  for (ChannelSpec& channel : scene.channels)
    for (auto& [name, value] : channel.keys)
      if (find_key(name)->kind == ValueKind::text) change_text(value);
}

/// Resolves file names relative to the folder of the file that names them.
void resolve_files(SceneSpec& scene, const std::filesystem::path& file) {
  change_files(scene, [&](std::string& name) {
    name = (file.parent_path() / name).string();  // absolute paths stay
  });
}

void set_in_named_channel(SceneSpec& scene, const KeyPlace& key, const SceneValue& value,
                          const TomlPlace& place) {
  with_prefix(fmt::format("read {}: ", place.name), [&] { set_value(scene, key, value); });
}

SceneSpec parse_keys(std::string_view toml, const TomlPlace& place) {
  SceneSpec scene;
  set_tables(scene, parsed_toml(toml, place), place);
  return scene;
}

/// @throws InvalidSpec  the file has keys or tables that only scenes have: it is a scene without a
///                      camera.
void require_camera_alone(const toml::table& root, const TomlPlace& place) {
  for (const auto& [name, node] : root) {
    const SceneKey* const key = find_key(name.str());
    const bool is_of_scene = node.is_table() || (key && key->table.empty());
    if (is_of_scene && !find_key(fmt::format("camera.{}", name.str())))
      throw InvalidSpec(fmt::format(
          "read the camera of {}: it is a scene without a table [camera] (it has {}{}{}); add one, "
          "such as [camera] and kind = \"scmos\", or give a file with the keys of a camera",
          place.at(name.source()), node.is_table() ? "[" : "", name.str(),
          node.is_table() ? "]" : ""));
  }
}

/// Reads the keys of a scene, or of a camera in its own file.
SceneSpec parse_camera_keys(std::string_view toml, const TomlPlace& place) {
  const toml::table root = parsed_toml(toml, place);
  SceneSpec scene;
  if (root.contains("camera") || root.contains(kChannelTable)) {
    set_tables(scene, root, place);
    return scene;
  }
  require_camera_alone(root, place);
  Faults faults;
  set_entries(scene, "camera", root, place, faults);
  faults.throw_if_any();
  return scene;
}

/// Returns the camera after checking only it: its images need not have the size of a scene's grid.
ChannelCamera camera_of(const SceneSpec& scene, const std::optional<std::string>& channel,
                        const std::string& name) {
  ChannelCamera found;
  with_prefix(fmt::format("read {}: ", name), [&] {
    require_valid_channels(scene);
    const Channel chosen = channel_of(scene, channel);
    require_valid(chosen.scene.camera);
    found = {chosen.scene.camera, chosen.number, chosen.name, scene.channels.size()};
  });
  return found;
}

/// Checks the keys together; each one is valid by itself.
void require_consistent(const SceneSpec& scene, const std::string& name) {
  with_prefix(fmt::format("read {}: ", name), [&] { require_valid(scene); });
}

/// Returns the value "v" of a line of --set as TOML: a bare word is a string, a bare list of
/// numbers an array, and terms need no quotes.
toml::table value_of_override(const std::string& text, ValueKind kind) {
  const bool is_one = kind == ValueKind::terms || kind == ValueKind::text;
  const bool is_list = !is_one && text.find(',') != std::string::npos && text.front() != '[';
  try {
    return toml::parse("v = " + (is_list ? "[" + text + "]" : text));
  } catch (const toml::parse_error&) {
    return toml::table{{"v", text}};
  }
}

}  // namespace

SceneSpec parse_scene(std::string_view toml, std::string_view name, bool has_lines) {
  const SceneSpec scene = parse_keys(toml, TomlPlace{std::string{name}, has_lines});
  require_consistent(scene, std::string{name});
  return scene;
}

SceneSpec read_scene(const std::filesystem::path& path) {
  SceneSpec scene = read_scene_of_sweep(path);
  require_consistent(scene, path.string());
  return scene;
}

SceneSpec read_scene_of_sweep(const std::filesystem::path& path) {
  return parse_scene_of_sweep(read_toml_text(path), path);
}

SceneSpec parse_scene_of_sweep(std::string_view toml, const std::filesystem::path& path) {
  SceneSpec scene = parse_keys(toml, place_of(path));
  if (!is_record(path)) resolve_files(scene, path);
  return scene;
}

ChannelCamera read_camera(const std::filesystem::path& path,
                          const std::optional<std::string>& channel) {
  const TomlPlace place = place_of(path);
  SceneSpec scene = parse_camera_keys(read_toml_text(path), place);
  if (!is_record(path)) resolve_files(scene, path);
  return camera_of(scene, channel, place.name);
}

ChannelCamera parse_camera(std::string_view toml, std::string_view name, bool has_lines,
                           const std::optional<std::string>& channel) {
  const TomlPlace place{std::string{name}, has_lines};
  return camera_of(parse_camera_keys(toml, place), channel, place.name);
}

std::string runnable_toml(SceneSpec scene, const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  change_files(scene, [&](std::string& name) {
    if (!name.empty() && fs::path{name}.is_relative())
      name = fs::absolute(name).lexically_normal().lexically_relative(
          fs::absolute(folder).lexically_normal());
  });
  return fmt::format(
      "# The scene of this data set, with every key: simulate it again with\n"
      "#\n#   synthoscope simulate scene.toml -o again\n\n{}",
      to_toml(scene));
}

std::string overridden_key(std::string_view assignment) {
  return trimmed(assignment.substr(0, assignment.find('=')));
}

void apply_override(SceneSpec& scene, std::string_view assignment) {
  const auto equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0)
    throw InvalidSpec(fmt::format(
        "set a scene key: \"{}\" is not key=value; write for example optics.na=1.2", assignment));
  const std::string full = overridden_key(assignment);
  const std::string text = trimmed(assignment.substr(equals + 1));
  const TomlPlace place{fmt::format("--set {}", assignment), false};

  const auto found = find_place(full);
  if (!found) refuse_unknown_name(full, place.name);
  const toml::table value = value_of_override(text, found->key->kind);
  SceneSpec changed = scene;
  const toml::node& node = *value.get("v");
  if (found->channel.empty())
    set_key(changed, *found->key, node, place);
  else
    set_in_named_channel(changed, *found, read_value(*found->key, node, place), place);
  scene = std::move(changed);
}

}  // namespace synthoscope::simulator
