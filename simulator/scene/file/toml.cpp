// SPDX-License-Identifier: MIT
#include "simulator/scene/file/toml.hpp"
#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <sstream>
#include "imageio/formats.hpp"
#include "imageio/input/text_file.hpp"
#include "simulator/scene/file/recorded_scene.hpp"
#include "simulator/scene/unknown_key.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns the position after at most `most` quotes: the content of a multi-line string may end
/// with quotes right before the three that close it.
std::size_t after_closing(std::string_view toml, std::size_t at, int most, char quote) {
  while (most-- > 0 && at < toml.size() && toml[at] == quote) ++at;
  return at;
}

/// Returns the position after the quoted text that begins at `at`. A text that is not closed ends
/// with its line, or with the file if it may have several lines.
std::size_t end_of_quotes(std::string_view toml, std::size_t at) {
  const char quote = toml[at];
  const std::string_view three = toml.substr(at, 3);
  const bool has_lines = three.size() == 3 && three[1] == quote && three[2] == quote;
  const std::size_t count = has_lines ? 3 : 1;
  for (std::size_t i = at + count; i < toml.size(); ++i) {
    if (toml[i] == '\n' && !has_lines) return i;
    if (toml[i] == '\\' && quote == '"')
      ++i;
    else if (toml.substr(i, count) == three.substr(0, count))
      return after_closing(toml, i + count, has_lines ? 2 : 0, quote);
  }
  return toml.size();
}

/// Includes letters of all scripts, as in later versions of TOML.
bool is_within_key(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || std::isalnum(byte) || c == '_' || c == '-' || c == ' ' || c == '\t';
}

std::optional<double> number_in(const toml::node& node) {
  if (node.is_integer() || node.is_floating_point()) return node.value<double>();
  return std::nullopt;
}

/// Returns three numbers of one kind, or nothing.
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
    case ValueKind::terms:
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
    case ValueKind::terms:
      return "terms in quotes, such as \"5: 0.1, 11: -0.05\"";
    case ValueKind::text_or_number:
      return key.choices;
    case ValueKind::three_numbers:
      return "three numbers [z, y, x]";
    case ValueKind::three_integers:
      return "three whole numbers [z, y, x]";
  }
  return "";
}

void require_flat_keys(std::string_view text, const TomlPlace& place) {
  const auto at = deep_key(text);
  if (at == std::string_view::npos) return;
  const auto before = text.substr(0, at);
  toml::source_region here;
  here.begin.line =
      static_cast<toml::source_index>(1 + std::count(before.begin(), before.end(), '\n'));
  throw InvalidSpec(
      fmt::format("read {}: a key has more than {} parts, which no key of a scene has; correct it",
                  place.at(here), kMaxKeyParts));
}

}  // namespace

std::size_t deep_key(std::string_view toml) {
  std::size_t begin = 0;
  int dots = 0;
  for (std::size_t at = 0; at < toml.size();) {
    const char c = toml[at];
    if (c == '#') {
      at = std::min(toml.find('\n', at), toml.size());
    } else if (c == '"' || c == '\'') {
      at = end_of_quotes(toml, at);
    } else if (c == '.') {
      if (++dots == kMaxKeyParts) return begin;
      ++at;
    } else if (is_within_key(c)) {
      ++at;
    } else {
      begin = ++at;
      dots = 0;
    }
  }
  return std::string_view::npos;
}

toml::table parsed_toml(std::string_view text, const TomlPlace& place) {
  require_flat_keys(text, place);
  try {
    return toml::parse(text, place.name);
  } catch (const toml::parse_error& error) {
    const bool is_twice = error.description().find("redefine existing table") != std::string::npos;
    throw InvalidSpec(fmt::format(
        "read {}: this is not TOML ({}); {}", place.at(error.source()), error.description(),
        is_twice ? "give all keys of a table below its line, without the name of the table"
                 : "correct it"));
  }
}

TomlPlace place_of(const std::filesystem::path& path) {
  return {path.string(), !is_record(path)};
}

std::string read_toml_text(const std::filesystem::path& path) {
  std::error_code failure;
  if (imageio::format_with_extension_of(path) && std::filesystem::exists(path, failure))
    throw InvalidSpec(fmt::format(
        "read {}: it is an image, and a scene or a camera is a TOML file; use convolve to blur an "
        "image, or init to write a scene",
        path.string()));
  if (std::filesystem::is_directory(path, failure))
    throw IoError(fmt::format("read {}: it is a folder; give a TOML file, such as {}",
                              path.string(), (path / "scene.toml").string()));
  std::ifstream file{path, std::ios::binary};
  if (!file)
    throw IoError(fmt::format(
        "read {}: {}; give a TOML file that can be read: init lists examples and writes them",
        path.string(),
        std::filesystem::exists(path, failure) ? "it cannot be opened" : "there is no such file"));
  if (const auto bytes = std::filesystem::file_size(path, failure);
      !failure && bytes > std::uintmax_t{imageio::kMaxSettingsBytes})
    throw InvalidSpec(fmt::format("read {}: it has {} bytes, a scene at most {}; is it a scene?",
                                  path.string(), bytes, imageio::kMaxSettingsBytes));
  const std::string text = imageio::read_text(path);
  return is_record(path) ? scene_of_record(text, path.string()) : text;
}

std::string written(const toml::node& node) {
  std::ostringstream text;
  node.visit([&](const auto& held) { text << held; });
  std::string result = text.str();
  std::replace(result.begin(), result.end(), '\n', ' ');
  constexpr std::size_t kMax = 60;
  return result.size() > kMax ? result.substr(0, kMax) + "..." : result;
}

std::vector<TomlEntry> entries_in_order(const toml::table& table) {
  std::vector<TomlEntry> entries;
  for (const auto& [key, node] : table) entries.push_back({&key, &node});
  std::stable_sort(entries.begin(), entries.end(), [](const TomlEntry& a, const TomlEntry& b) {
    const auto& at = a.key->source().begin;
    const auto& other = b.key->source().begin;
    return std::pair{at.line, at.column} < std::pair{other.line, other.column};
  });
  return entries;
}

void set_key(SceneSpec& scene, const SceneKey& key, const toml::node& node,
             const TomlPlace& place) {
  const auto value = value_in(node, key.kind);
  try {
    if (!value) throw InvalidSpec(fmt::format("is {}; give {}", written(node), expected(key)));
    require_in_range(key, *value);
    give(scene, key, *value);
  } catch (const InvalidSpec& problem) {
    throw InvalidSpec(fmt::format("read {}: {} {}{}", place.at(node), key.full_name(),
                                  problem.what(), key.unit_note()));
  }
}

SceneValue read_value(const SceneKey& key, const toml::node& node, const TomlPlace& place) {
  SceneSpec scratch;
  set_key(scratch, key, node, place);
  return key.get(scratch);
}

const SceneKey& key_of(const std::string& table, const std::string& name,
                       const toml::source_region& at, const TomlPlace& place) {
  const auto& keys = scene_keys();
  const auto key = std::find_if(keys.begin(), keys.end(), [&](const SceneKey& k) {
    return k.table == table && k.name == name;
  });
  if (key == keys.end()) refuse_unknown_key(table, name, place.at(at));
  return *key;
}

}  // namespace synthoscope::simulator
