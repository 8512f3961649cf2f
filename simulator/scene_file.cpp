// SPDX-License-Identifier: MIT
#include "simulator/scene_file.hpp"
#include <toml++/toml.h>
#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <sstream>
#include "simulator/scene_keys.hpp"
#include "simulator/unknown_key.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 20;

/// Where a value was written, for messages: "first.toml, line 3" or "--set".
struct Place {
  std::string name;
  bool has_lines = true;
  [[nodiscard]] std::string at(const toml::node& node) const { return at(node.source()); }
  [[nodiscard]] std::string at(const toml::source_region& source) const {
    return has_lines ? fmt::format("{}, line {}", name, source.begin.line) : name;
  }
};

std::optional<double> number_in(const toml::node& node) {
  if (node.is_integer() || node.is_floating_point()) return node.value<double>();
  return std::nullopt;
}

/// Three numbers of one kind, or nothing.
template <class T, class Convert>
std::optional<std::array<T, 3>> three_in(const toml::node& node, Convert convert) {
  const auto* array = node.as_array();
  if (!array || array->size() != 3) return std::nullopt;
  std::array<T, 3> three{};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::optional<T> one = convert(*array->get(i));
    if (!one) return std::nullopt;
    three[i] = *one;
  }
  return three;
}

std::optional<std::int64_t> integer_in(const toml::node& node) {
  return node.is_integer() ? node.value<std::int64_t>() : std::nullopt;
}

std::optional<SceneValue> value_in(const toml::node& node, ValueKind kind) {
  const auto wrapped = [](auto held) -> std::optional<SceneValue> {
    if (!held) return std::nullopt;
    return SceneValue{*held};
  };
  const auto text = [&] { return node.is_string() ? node.value<std::string>() : std::nullopt; };
  switch (kind) {
    case ValueKind::number:
      return wrapped(number_in(node));
    case ValueKind::integer:
      return wrapped(integer_in(node));
    case ValueKind::flag:
      return wrapped(node.is_boolean() ? node.value<bool>() : std::nullopt);
    case ValueKind::choice:
    case ValueKind::text:
      return wrapped(text());
    case ValueKind::text_or_number:
      return node.is_string() ? wrapped(text()) : wrapped(number_in(node));
    case ValueKind::three_numbers:
      return wrapped(three_in<double>(node, number_in));
    case ValueKind::three_integers:
      return wrapped(three_in<std::int64_t>(node, integer_in));
  }
  return std::nullopt;
}

std::string_view expected(const SceneKey& key) {
  switch (key.kind) {
    case ValueKind::number:
      return "a number";
    case ValueKind::integer:
      return "a whole number";
    case ValueKind::flag:
      return "true or false";
    case ValueKind::choice:
      return key.choices;
    case ValueKind::text:
      return "a file name in quotes";
    case ValueKind::text_or_number:
      return key.choices;
    case ValueKind::three_numbers:
      return "three numbers [z, y, x]";
    case ValueKind::three_integers:
      return "three whole numbers [z, y, x]";
  }
  return "";
}

std::string written(const toml::node& node) {
  std::ostringstream text;
  node.visit([&](const auto& held) { text << held; });
  std::string result = text.str();
  std::replace(result.begin(), result.end(), '\n', ' ');
  constexpr std::size_t kMost = 60;
  return result.size() > kMost ? result.substr(0, kMost) + "..." : result;
}

void set_key(SceneSpec& scene, const SceneKey& key, const toml::node& node, const Place& place) {
  const auto value = value_in(node, key.kind);
  try {
    if (!value) throw InvalidSpec(fmt::format("is {}; give {}", written(node), expected(key)));
    require_in_range(key, *value);
    key.set(scene, *value);
  } catch (const InvalidSpec& problem) {
    const bool has_unit = !key.unit.empty() && key.range;
    throw InvalidSpec(fmt::format("read {}: {} {}{}", place.at(node), key.full_name(),
                                  problem.what(), has_unit ? " (" + key.unit + ")" : ""));
  }
}

const SceneKey& key_of(const std::string& table, const toml::key& written_key, const Place& place) {
  const std::string name{written_key.str()};
  const auto& keys = scene_keys();
  const auto key = std::find_if(keys.begin(), keys.end(), [&](const SceneKey& k) {
    return k.table == table && k.name == name;
  });
  if (key == keys.end()) refuse_unknown_key(table, name, place.at(written_key.source()));
  return *key;
}

void set_entries(SceneSpec& scene, const std::string& table, const toml::table& entries,
                 const Place& place) {
  for (const bool chooses : {true, false})
    for (const auto& [written_key, node] : entries) {
      const SceneKey& key = key_of(table, written_key, place);
      if (key.chooses_defaults == chooses) set_key(scene, key, node, place);
    }
}

void set_tables(SceneSpec& scene, const toml::table& root, const Place& place) {
  const auto known = scene_table_names();
  for (const auto& [key, node] : root) {
    const std::string name{key.str()};
    const bool is_table = std::find(known.begin(), known.end(), name) != known.end();
    if (is_table && node.is_table())
      set_entries(scene, name, *node.as_table(), place);
    else if (is_table)
      throw InvalidSpec(fmt::format(
          "read {}: [{}] is a table; write [{}] on a line of its own and its keys below",
          place.at(node), name, name));
    else if (node.is_table())
      refuse_unknown_table(name, place.at(key.source()));
    else
      set_key(scene, key_of("", key, place), node, place);
  }
}

toml::table parsed(std::string_view text, const Place& place) {
  try {
    return toml::parse(text, place.name);
  } catch (const toml::parse_error& error) {
    throw InvalidSpec(fmt::format("read {}: this is not TOML ({}); correct it",
                                  place.at(error.source()), error.description()));
  }
}

std::string read_text(const std::filesystem::path& path) {
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure))
    throw IoError(fmt::format("read {}: it is a folder; give a TOML file", path.string()));
  std::ifstream file{path, std::ios::binary};
  if (!file)
    throw IoError(fmt::format(
        "read {}: {}; give a TOML file that can be read", path.string(),
        std::filesystem::exists(path, failure) ? "it cannot be opened" : "there is no such file"));
  if (const auto bytes = std::filesystem::file_size(path, failure); !failure && bytes > kMostBytes)
    throw InvalidSpec(fmt::format("read {}: it has {} bytes, a scene at most {}; is it a scene?",
                                  path.string(), bytes, kMostBytes));
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  const auto first = text.find_first_not_of(kBlanks), last = text.find_last_not_of(kBlanks);
  return first == std::string_view::npos ? "" : std::string{text.substr(first, last - first + 1)};
}

/// Maps are named from the folder of the file that names them.
void resolve_maps(SceneSpec& scene, const std::filesystem::path& file) {
  CameraSpec& camera = scene.camera;
  for (auto* map : {&camera.offset_map, &camera.gain_map, &camera.read_noise_map,
                    &scene.illumination.flat_field, &scene.optics.file})
    if (*map && (*map)->is_relative()) *map = file.parent_path() / **map;
}

/// Keys are consistent one by one; now together.
void require_consistent(const SceneSpec& scene, const std::string& name) try {
  require_valid(scene);
} catch (const InvalidSpec& problem) {
  throw InvalidSpec(fmt::format("read {}: {}", name, problem.what()));
}

}  // namespace

SceneSpec parse_scene(std::string_view toml, std::string_view name) {
  const Place place{std::string{name}};
  SceneSpec scene;
  set_tables(scene, parsed(toml, place), place);
  require_consistent(scene, place.name);
  return scene;
}

SceneSpec read_scene(const std::filesystem::path& path) {
  SceneSpec scene = parse_scene(read_text(path), path.string());
  resolve_maps(scene, path);
  return scene;
}

CameraSpec read_camera(const std::filesystem::path& path) {
  const Place place{path.string()};
  const toml::table root = parsed(read_text(path), place);
  SceneSpec scene;
  if (root.contains("camera"))
    set_tables(scene, root, place);
  else
    set_entries(scene, "camera", root, place);
  require_consistent(scene, place.name);
  resolve_maps(scene, path);
  return scene.camera;
}

void apply_override(SceneSpec& scene, std::string_view assignment) {
  const auto equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0)
    throw InvalidSpec(fmt::format(
        "set a scene key: \"{}\" is not key=value; write for example optics.na=1.2", assignment));
  const std::string full = trimmed(assignment.substr(0, equals));
  const std::string text = trimmed(assignment.substr(equals + 1));
  const Place place{fmt::format("--set {}", assignment), false};

  // A bare word is a string, a bare list of numbers an array
  toml::table value;
  const bool list = text.find(',') != std::string::npos && text.front() != '[';
  try {
    value = toml::parse("v = " + (list ? "[" + text + "]" : text));
  } catch (const toml::parse_error&) {
    value.insert("v", text);
  }
  const auto& keys = scene_keys();
  const auto key = std::find_if(keys.begin(), keys.end(),
                                [&](const SceneKey& k) { return k.full_name() == full; });
  if (key == keys.end()) {
    const auto dot = full.find('.');
    const std::string table = dot == std::string::npos ? "" : full.substr(0, dot);
    const auto tables = scene_table_names();
    if (!table.empty() && std::find(tables.begin(), tables.end(), table) == tables.end())
      refuse_unknown_table(table, place.name);
    refuse_unknown_key(table, full.substr(dot == std::string::npos ? 0 : dot + 1), place.name);
  }
  SceneSpec changed = scene;
  set_key(changed, *key, *value.get("v"), place);
  scene = std::move(changed);
}

}  // namespace synthoscope::simulator
