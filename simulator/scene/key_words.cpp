// SPDX-License-Identifier: MIT
#include "simulator/scene/key_words.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <sstream>

namespace synthoscope::simulator {
namespace {

/// Returns the last key of the same table that chooses other defaults, a kind and not a preset;
/// null if there is none or it is `key`.
const SceneKey* chooser_of(const SceneKey& key) {
  const auto& keys = scene_keys();
  const auto found = std::find_if(keys.rbegin(), keys.rend(), [&](const SceneKey& other) {
    return other.chooses_defaults && other.table == key.table;
  });
  return found == keys.rend() || found->name == key.name ? nullptr : &*found;
}

/// 1 where the range allows it, otherwise the nearest value that it allows.
double number_within(const std::optional<Range>& range) {
  if (!range || range->holds(1)) return 1;
  return range->high < 1 ? range->high : range->low + (range->open ? 1 : 0);
}

SceneValue example_of(const SceneKey& key) {
  const double number = number_within(key.range);
  const auto whole = static_cast<std::int64_t>(number);
  switch (key.kind) {
    case ValueKind::number:
    case ValueKind::text_or_number:
      return number;
    case ValueKind::integer:
      return whole;
    case ValueKind::flag:
      return true;
    case ValueKind::choice:
      return key.names.front();
    case ValueKind::text:
      return "file.tif";
    case ValueKind::terms:
      return "5: 0.1, 11: -0.05";
    case ValueKind::three_numbers:
      return ThreeNumbers{number, number, number};
    case ValueKind::three_integers:
      return ThreeIntegers{whole, whole, whole};
  }
  return {};
}

std::string in_lower_case(std::string_view text) {
  std::string lower{text};
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

}  // namespace

std::string type_words(const SceneKey& key) {
  switch (key.kind) {
    case ValueKind::number:
      return "number";
    case ValueKind::integer:
      return "whole number";
    case ValueKind::flag:
      return "true or false";
    case ValueKind::choice:
      return key.choices;
    case ValueKind::text:
      return "file name";
    case ValueKind::terms:
      return "text, as `\"5: 0.1, 11: -0.05\"`";
    case ValueKind::text_or_number:
      return "name or number";
    case ValueKind::three_numbers:
      return "[z, y, x] numbers";
    case ValueKind::three_integers:
      return "[z, y, x] whole numbers";
  }
  return "";
}

std::string default_words(const SceneKey& key, std::string_view quote) {
  const auto value = key.get(SceneSpec{});
  if (std::holds_alternative<std::monostate>(value)) return key.absent;
  std::string words = fmt::format("{0}{1}{0}", quote, toml_of(value));
  const SceneKey* chooser = chooser_of(key);
  if (!chooser) return words;
  for (const std::string& name : chooser->names) {
    SceneSpec other;
    chooser->set(other, name);
    const auto its = key.get(other);
    if (its != value) words += fmt::format(", {0} {1}{2}{1}", name, quote, toml_of(its));
  }
  return words;
}

std::string example_line(const SceneKey& key) {
  SceneValue value = key.get(SceneSpec{});
  if (std::holds_alternative<std::monostate>(value) || value == SceneValue{""})
    value = example_of(key);
  return fmt::format("{} = {}", key.full_name(), toml_of(value));
}

std::vector<const SceneKey*> keys_about(std::string_view text) {
  std::istringstream stream{in_lower_case(text)};
  const std::vector<std::string> words{std::istream_iterator<std::string>{stream}, {}};
  const auto holds_all = [&](const std::string& lower) {
    return std::all_of(words.begin(), words.end(), [&](const std::string& word) {
      return lower.find(word) != std::string::npos;
    });
  };
  std::vector<const SceneKey*> by_name, by_help;
  for (const SceneKey& key : scene_keys()) {
    const std::string name = in_lower_case(key.full_name());
    if (holds_all(name))
      by_name.push_back(&key);
    else if (holds_all(name + ' ' + in_lower_case(key.help + ' ' + key.unit)))
      by_help.push_back(&key);
  }
  by_name.insert(by_name.end(), by_help.begin(), by_help.end());
  return by_name;
}

}  // namespace synthoscope::simulator
