// SPDX-License-Identifier: MIT
#include "simulator/scene/file/sweep_file.hpp"
#include <algorithm>
#include <cmath>
#include <utility>
#include "simulator/scene/channels.hpp"
#include "simulator/scene/file/channel_file.hpp"
#include "simulator/scene/key_place.hpp"
#include "simulator/scene/unknown_key.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::string_view kForms =
    "a list such as [0.8, 1.2], {from = 0.8, to = 1.4, step = 0.2} or {from = 0.8, to = 1.4, "
    "count = 4}";

/// A key of the sweep and where it is written, for messages.
struct Entry {
  KeyPlace key;
  const toml::node& node;
  const TomlPlace& place;
  [[noreturn]] void refuse(const std::string& problem) const {
    throw InvalidSpec(
        fmt::format("read {}: sweep of {} {}", place.at(node), key.full_name(), problem));
  }
};

SweepValue value_of(const Entry& entry, const toml::node& node) {
  const SceneValue value = read_value(*entry.key.key, node, entry.place);
  return {value, toml_of(value)};
}

double number_of(const Entry& entry, const toml::table& range, std::string_view name) {
  const auto* node = range.get(name);
  const auto number = node ? node->value<double>() : std::nullopt;
  if (!number || !std::isfinite(*number))
    entry.refuse(
        fmt::format("is {}, where {} is not a number; give {}", written(entry.node), name, kForms));
  return *number;
}

/// The number of values of a range, and their distance.
struct AxisSteps {
  double count = 1, step = 0;
};

AxisSteps steps_of(const Entry& entry, const toml::table& range, double from, double to) {
  if (!(to > from)) entry.refuse(fmt::format("runs from {} to {}; give a larger end", from, to));
  if (range.contains("count")) {
    const double count = number_of(entry, range, "count");
    if (!(count >= 2 && count <= static_cast<double>(kMaxSets)) || count != std::floor(count))
      entry.refuse(
          fmt::format("has the count {}; give a whole number from 2 to {}", count, kMaxSets));
    return {count, (to - from) / (count - 1)};
  }
  const double step = number_of(entry, range, "step");
  if (!(step > 0)) entry.refuse(fmt::format("has the step {}; give one above 0", step));
  const double count = std::floor((to - from) / step + 1e-9) + 1;
  if (count > static_cast<double>(kMaxSets))
    entry.refuse(fmt::format("has {} values, but at most {} are possible; give a larger step",
                             count, kMaxSets));
  return {count, step};
}

std::vector<SweepValue> values_of_range(const Entry& entry, const toml::table& range) {
  const ValueKind kind = entry.key.key->kind;
  if (kind != ValueKind::number && kind != ValueKind::integer && kind != ValueKind::text_or_number)
    entry.refuse(fmt::format("is {}, and its values are not numbers; give them as a list",
                             written(entry.node)));
  for (const auto& [name, node] : range)
    if (name != "from" && name != "to" && name != "step" && name != "count")
      entry.refuse(fmt::format("has {}; give {}", name.str(), kForms));
  if (range.contains("step") == range.contains("count"))
    entry.refuse(fmt::format("is {}; give {}", written(entry.node), kForms));
  const TomlPlace here{entry.place.at(entry.node),
                       false};  // the values themselves are not in the file
  const Entry made{entry.key, entry.node, here};
  const double from = number_of(entry, range, "from"), to = number_of(entry, range, "to");
  const auto [count, step] = steps_of(entry, range, from, to);
  std::vector<SweepValue> values;
  for (double i = 0; i < count; ++i) {
    const double number = std::stod(fmt::format("{:.12g}", from + i * step));
    const bool is_whole = kind == ValueKind::integer && number == std::floor(number);
    if (is_whole)
      values.push_back(value_of(made, toml::value{static_cast<std::int64_t>(number)}));
    else
      values.push_back(value_of(made, toml::value{number}));
  }
  return values;
}

SweepAxis axis_of(const Entry& entry) {
  SweepAxis axis{entry.key.full_name(), {}};
  if (const auto* range = entry.node.as_table())
    axis.values = values_of_range(entry, *range);
  else if (const auto* list = entry.node.as_array())
    for (const auto& node : *list) axis.values.push_back(value_of(entry, node));
  if (axis.values.empty()) entry.refuse(fmt::format("is {}; give {}", written(entry.node), kForms));
  return axis;
}

/// An axis and its position in the file, since a table does not keep the order of its keys.
using PlacedAxis = std::pair<toml::source_position, SweepAxis>;

void add_axis(std::vector<PlacedAxis>& axes, const std::string& full, const toml::key& key,
              const toml::node& node, const TomlPlace& place) {
  const auto found = find_place(full);
  if (!found) refuse_unknown_name(full, place.at(key.source()));
  axes.emplace_back(key.source().begin, axis_of({*found, node, place}));
}

/// Adds the keys of a table and of tables in it; keys of channels lie three deep.
void add_axes(std::vector<PlacedAxis>& axes, const std::string& table, const toml::table& entries,
              const TomlPlace& place) {
  const int dots = static_cast<int>(std::count(table.begin(), table.end(), '.'));
  const bool holds_tables = table.starts_with(kChannelTable) && dots < 2;
  for (const auto& [key, node] : entries) {
    const std::string full = fmt::format("{}.{}", table, key.str());
    if (holds_tables && node.is_table())
      add_axes(axes, full, *node.as_table(), place);
    else
      add_axis(axes, full, key, node, place);
  }
}

/// Returns the key of a name without its table. @throws InvalidSpec  there are none or several.
std::string only_key_called(const std::string& name, const std::string& where) {
  std::vector<std::string> keys;
  for (const SceneKey& key : scene_keys())
    if (key.name == name) keys.push_back(key.full_name());
  if (keys.size() == 1) return keys.front();
  throw InvalidSpec(fmt::format(
      "read {}: [sweep] has no key {}; give repeats, or a key of the scene with its table, such as "
      "{}",
      where, name, keys.empty() ? "optics.na" : fmt::format("{}", fmt::join(keys, " or "))));
}

std::int64_t repeats_of(const toml::node& node, const TomlPlace& place) {
  const auto repeats = node.is_integer() ? node.value<std::int64_t>() : std::nullopt;
  if (!repeats || *repeats < 1 || *repeats > kMaxSets)
    throw InvalidSpec(fmt::format("read {}: sweep.repeats is {}; give a whole number from 1 to {}",
                                  place.at(node), written(node), kMaxSets));
  return *repeats;
}

SweepSeeds seeds_of(const toml::node& node, const TomlPlace& place) {
  const auto name = node.value<std::string>();
  const auto seeds = name ? named_in(kSweepSeedsNames, *name) : std::nullopt;
  if (!seeds)
    throw InvalidSpec(
        fmt::format("read {}: sweep.seed is {}; give \"own\" for a seed of every data set, or "
                    "\"shared\" for one that all data sets of a repeat share",
                    place.at(node), written(node)));
  return *seeds;
}

}  // namespace

SweepSpec sweep_of(const toml::node& node, const TomlPlace& place) {
  if (!node.is_table())
    throw InvalidSpec(fmt::format(
        "read {}: [sweep] is a table; write [sweep] on a separate line and its keys below",
        place.at(node)));
  const auto tables = scene_table_names();
  SweepSpec sweep;
  std::vector<PlacedAxis> axes;
  for (const auto& [key, entry] : *node.as_table()) {
    const std::string name{key.str()};
    const bool is_table =
        name == kChannelTable || std::find(tables.begin(), tables.end(), name) != tables.end();
    if (name == "repeats")
      sweep.repeats = repeats_of(entry, place);
    else if (name == "seed")
      sweep.seeds = seeds_of(entry, place);
    else if (is_table && entry.is_table())
      add_axes(axes, name, *entry.as_table(), place);
    else if (find_key(name) || name.find('.') != std::string::npos)
      add_axis(axes, name, key, entry, place);
    else
      add_axis(axes, only_key_called(name, place.at(key.source())), key, entry, place);
  }
  const auto stands_before = [](const PlacedAxis& a, const PlacedAxis& b) {
    return std::pair{a.first.line, a.first.column} < std::pair{b.first.line, b.first.column};
  };
  std::sort(axes.begin(), axes.end(), stands_before);
  for (auto& [position, axis] : axes) {
    for (const auto& before : sweep.axes)
      if (before.key == axis.key)
        throw InvalidSpec(fmt::format("read {}: sweep names {} twice; give all its values at once",
                                      place.at(node), axis.key));
    sweep.axes.push_back(std::move(axis));
  }
  if (sweep.is_empty())
    throw InvalidSpec(
        fmt::format("read {}: [sweep] is empty; give repeats = N, or a key of the scene and {}",
                    place.at(node), kForms));
  return sweep;
}

SweepSpec read_sweep(const std::filesystem::path& path) {
  return parse_sweep(read_toml_text(path), path);
}

SweepSpec parse_sweep(std::string_view toml, const std::filesystem::path& path) {
  const TomlPlace place = place_of(path);
  const toml::table root = parsed_toml(toml, place);
  SweepSpec sweep;
  if (const auto* table = root.get(kSweepTable)) sweep = sweep_of(*table, place);
  for (auto& axis : sweep.axes)
    for (auto& value : axis.values)
      if (auto* text = std::get_if<std::string>(&value.value);
          text && find_place(axis.key)->key->kind == ValueKind::text)
        *text = (path.parent_path() / *text).string();
  return sweep;
}

}  // namespace synthoscope::simulator
