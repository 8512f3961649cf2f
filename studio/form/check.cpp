// SPDX-License-Identifier: MIT
#include "studio/form/check.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>
#include <string>
#include "core/base/json.hpp"
#include "simulator/base/faults.hpp"
#include "simulator/phantom/kinds.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/scene/file/sweep.hpp"
#include "simulator/scene/key_place.hpp"
#include "simulator/scene/keys.hpp"
#include "simulator/scene/unknown_key.hpp"

namespace synthoscope::studio {
namespace {

/// Checks a scene, or every scene of its sweep. @throws  as simulate.
void require_valid_scenes(const simulator::SceneSpec& scene, const simulator::SweepSpec& sweep,
                          const std::filesystem::path& file) {
  if (!sweep.is_empty())
    static_cast<void>(sets_of(scene, sweep, 0));  // checks them
  else
    simulator::with_prefix(fmt::format("read {}: ", file.string()), [&] { require_valid(scene); });
}

std::set<std::string> used_tables_of(const simulator::SceneSpec& scene) {
  std::set<std::string> used{"", "grid", "background", "illumination", "optics", "camera"};
  const auto add_table_of = [&](const std::string& full_name) {
    used.insert(simulator::find_key(full_name)->table);
  };
  for (const std::string& name : scene.given) add_table_of(name);
  for (const simulator::ChannelSpec& channel : scene.channels)
    for (const auto& [name, value] : channel.keys) add_table_of(name);
  const simulator::PhantomSpec objects = phantom_of(scene);
  simulator::Kinds::for_each([&]<class Kind>(Kind) {
    if (simulator::has_kind<Kind>(objects, sample_grid(scene))) used.emplace(Kind::kName);
  });
  return used;
}

/// Returns what each channel sees, key by key, and which keys it gives itself.
Json json_of_channels(const simulator::SceneSpec& scene) {
  Json all = Json::array();
  if (scene.channels.empty()) return all;
  for (const simulator::Channel& channel : channels_of(scene)) {
    Json values = Json::object(), given = Json::array();
    for (const simulator::SceneKey& key : simulator::scene_keys())
      if (may_differ_in_channels(key))
        values[key.full_name()] = simulator::json_of(key.get(channel.scene));
    for (const auto& [name, value] : scene.channels[channel.number].keys) given.push_back(name);
    all.push_back({{"values", values}, {"given", given}});
  }
  return all;
}

Json json_of_keys(const simulator::SceneSpec& scene) {
  Json values = Json::object(), given = Json::array();
  for (const simulator::SceneKey& key : simulator::scene_keys()) {
    values[key.full_name()] = simulator::json_of(key.get(scene));
    if (scene.given.contains(key.full_name())) given.push_back(key.full_name());
  }
  return {{"values", values}, {"given", given}, {"in_channels", json_of_channels(scene)}};
}

Json json_of_uses(const simulator::SceneSpec& scene) {
  Json tables = Json::array();
  const auto used = used_tables_of(scene);
  for (const simulator::SceneKey& key : simulator::scene_keys())
    if (used.contains(key.table) && (tables.empty() || tables.back() != key.table))
      tables.push_back(key.table);
  const auto& [extent, pitch] = scene.grid;
  return {{"used_tables", tables},
          {"channels", simulator::imaged_names(scene, std::nullopt)},
          {"grid",
           {{"extent", {extent.z, extent.y, extent.x}},
            {"voxel_um", {pitch.z_um, pitch.y_um, pitch.x_um}}}}};
}

Json json_of(const simulator::SweepSpec& sweep) {
  if (sweep.is_empty()) return nullptr;
  Json keys = Json::array();
  std::int64_t sets = sweep.repeats.value_or(1);
  for (const simulator::SweepAxis& axis : sweep.axes) {
    Json values = Json::array();
    for (const simulator::SweepValue& value : axis.values) values.push_back(value.text);
    keys.push_back({{"key", axis.key}, {"values", values}});
    sets *= static_cast<std::int64_t>(axis.values.size());
  }
  return {{"keys", keys},
          {"repeats", sweep.repeats ? Json(*sweep.repeats) : Json(nullptr)},
          {"seed", name_in(simulator::kSweepSeedsNames, sweep.seeds)},
          {"sets", sets}};
}

/// @throws  as simulate: the text is not a valid scene.
Json json_of_valid_text(std::string_view toml, const std::filesystem::path& file) {
  const simulator::SweepSpec sweep = simulator::parse_sweep(toml, file);
  const simulator::SceneSpec scene = simulator::parse_scene_of_sweep(toml, file);
  require_valid_scenes(scene, sweep, file);
  Json result{{"ok", true}};
  // File names as they are written
  result.update(json_of_keys(simulator::parse_scene_of_sweep(toml, file.filename())));
  result.update(json_of_uses(scene));
  result["sweep"] = json_of(simulator::parse_sweep(toml, file.filename()));
  return result;
}

/// Returns the number after ", line " that follows the name of the file, or that of a channel.
Json line_in_message(const std::string& message, const std::string& file) {
  constexpr std::string_view kLine = ", line ", kChannel = ", channel ";
  const auto name = message.find(file + ", ");
  if (name == std::string::npos) return nullptr;
  const auto place = name + file.size();
  const auto at = message.find(kLine, place);
  const bool is_of_channel = message.compare(place, kChannel.size(), kChannel) == 0 &&
                             message.find_first_of(",:", place + 1) == at;
  if (at == std::string::npos || (at != place && !is_of_channel)) return nullptr;
  const char* const digits = message.data() + at + kLine.size();
  std::int64_t line = 0;
  const auto [end, failure] = std::from_chars(digits, message.data() + message.size(), line);
  return failure == std::errc{} ? Json(line) : Json();
}

/// Returns "channel gfp: ..." for "channel gfp, line 3: ...", and "..." for "line 3: ...".
std::string without_number_of_line(std::string text) {
  constexpr std::string_view kLine = "line ";
  const auto colon = text.find(": ");
  const auto at = text.find(kLine);
  if (at == std::string::npos || colon == std::string::npos || at > colon) return text;
  if (at == 0) return text.substr(colon + 2);
  return text.erase(at - 2, colon - at + 2);
}

/// Returns a message, a fault on each line, without the file that a line may begin with, and
/// without the number of the first line, which the form gets by itself.
std::string without_file(const std::string& message, const std::string& file) {
  const std::string before = "read " + file;
  std::string text;
  for (std::size_t begin = 0; begin <= message.size();) {
    const std::size_t end = std::min(message.find('\n', begin), message.size());
    std::string line = message.substr(begin, end - begin);
    if (line.starts_with(before + ": ")) line.erase(0, before.size() + 2);
    if (line.starts_with(before + ", ")) {
      line.erase(0, before.size() + 2);
      if (begin == 0) line = without_number_of_line(line);
    }
    text += fmt::format("{}{}", begin == 0 ? "" : "\n", line);
    begin = end + 1;
  }
  return text;
}

bool is_in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Returns whether a text has a name that is not a part of a longer one.
bool has_name(const std::string& text, const std::string& name) {
  for (auto at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const auto end = at + name.size();
    const bool begins = at == 0 || (!is_in_name(text[at - 1]) && text[at - 1] != '.');
    if (begins && (end == text.size() || !is_in_name(text[end]))) return true;
  }
  return false;
}

Json keys_named_in(const std::string& message) {
  Json keys = Json::array();
  for (const simulator::SceneKey& key : simulator::scene_keys())
    if (!key.table.empty() && has_name(message, key.full_name())) keys.push_back(key.full_name());
  return keys;
}

}  // namespace

Json check_json(std::string_view toml, const std::filesystem::path& file) {
  try {
    return json_of_valid_text(toml, file);
  } catch (const Error& problem) {
    const std::string message = problem.what();
    return {{"ok", false},
            {"error", message},
            {"fault", without_file(message, file.string())},
            {"line", line_in_message(message, file.string())},
            {"keys", keys_named_in(message)}};
  }
}

}  // namespace synthoscope::studio
