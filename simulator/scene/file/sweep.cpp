// SPDX-License-Identifier: MIT
#include "simulator/scene/file/sweep.hpp"
#include <algorithm>
#include <cctype>
#include <set>
#include "core/math/random.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/scene/key_place.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::size_t kLongestName = 200;  ///< file systems allow 255, ".partial" included

std::uint64_t fnv1a(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

std::string last_part(const std::string& key) {
  return key.substr(key.rfind('.') + 1);
}

/// Returns the names of axes in names of folders.
std::vector<std::string> short_names(const SweepSpec& sweep) {
  std::vector<std::string> names;
  for (const auto& axis : sweep.axes) {
    const auto shares = std::count_if(
        sweep.axes.begin(), sweep.axes.end(),
        [&](const SweepAxis& other) { return last_part(other.key) == last_part(axis.key); });
    names.push_back(shares > 1 ? axis.key : last_part(axis.key));
  }
  return names;
}

/// Returns a value as part of a name: [30, 256, 256] as 30x256x256, "5: 0.1, 11: -0.05" as
/// 5=0.1+11=-0.05, without characters that a shell interprets.
std::string as_name(const std::string& text) {
  const bool has_terms = text.find(':') != std::string::npos;
  std::string name;
  for (const char c : text) {
    if (c == ',')
      name += has_terms ? '+' : 'x';
    else if (c == ':')
      name += '=';
    else if (std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '-')
      name += c;
    else if (c == '/' || c == '_')
      name += '_';
  }
  return name;
}

std::string folder_of(const SweepSpec& sweep, const std::vector<std::string>& names,
                      const std::vector<std::string>& texts, std::int64_t repeat) {
  std::string folder;
  for (std::size_t i = 0; i < names.size(); ++i)
    folder += fmt::format("{}{}-{}", i == 0 ? "" : "_", names[i], as_name(texts[i]));
  if (sweep.repeats) folder += fmt::format("{}repeat-{}", folder.empty() ? "" : "_", repeat);
  return folder;
}

/// Returns the scene with a value of every axis, as if read from a file with those values: keys
/// that set others are set first.
SceneSpec scene_with(const SceneSpec& given, const SweepSpec& sweep,
                     const std::vector<std::size_t>& chosen) {
  SceneSpec scene = given;
  for (const bool chooses : {true, false})
    for (std::size_t i = 0; i < sweep.axes.size(); ++i)
      if (const auto at = *find_place(sweep.axes[i].key); at.key->chooses_defaults == chooses)
        set_value(scene, at, sweep.axes[i].values[chosen[i]].value);
  return scene;
}

/// Returns the keys whose values follow from a swept key of their table.
std::vector<std::string> chosen_keys(const SceneSpec& scene, const SweepSpec& sweep) {
  std::vector<std::string> names;
  for (const auto& axis : sweep.axes)
    if (const SceneKey& chooser = *find_place(axis.key)->key; chooser.chooses_defaults)
      for (auto& name : keys_not_given(scene, chooser.table)) names.push_back(std::move(name));
  return names;
}

/// Advances to the next combination; returns false after the last.
bool advance(std::vector<std::size_t>& chosen, const SweepSpec& sweep) {
  for (std::size_t i = chosen.size(); i-- > 0;) {
    if (++chosen[i] < sweep.axes[i].values.size()) return true;
    chosen[i] = 0;
  }
  return false;
}

void require_few(const SweepSpec& sweep) {
  std::int64_t sets = sweep.repeats.value_or(1);
  for (const auto& axis : sweep.axes)
    sets = std::min(sets * static_cast<std::int64_t>(axis.values.size()), kMaxSets + 1);
  if (sets > kMaxSets)
    throw InvalidSpec(fmt::format(
        "sweep: values and repeats combine to more than {} data sets; give fewer", kMaxSets));
}

void require_name(const std::string& folder, std::set<std::string>& used) {
  if (folder.size() > kLongestName)
    throw InvalidSpec(
        fmt::format("sweep: the name of a folder would have {} characters, but at most {} are "
                    "possible; sweep fewer keys at once",
                    folder.size(), kLongestName));
  if (!used.insert(folder).second)
    throw InvalidSpec(fmt::format(
        "sweep: two data sets would be in the folder {}; give every value once", folder));
}

}  // namespace

std::uint64_t set_seed(std::uint64_t seed, const SweepSpec& sweep,
                       const std::vector<std::string>& texts, std::int64_t repeat) {
  std::vector<std::string> parts;
  const std::size_t counted = sweep.seeds == SweepSeeds::own ? sweep.axes.size() : 0;
  for (std::size_t i = 0; i < counted; ++i)
    parts.push_back(fmt::format("{}={};", sweep.axes[i].key, texts[i]));
  std::sort(parts.begin(), parts.end());
  const std::uint64_t hash = fnv1a(fmt::format("{}repeat={}", fmt::join(parts, ""), repeat));
  const RandomStream stream{seed, RandomStage::sweep_seeds};
  const auto words = stream.block(hash & 0xFFFFFFFFFFFFu, static_cast<std::uint16_t>(hash >> 48));
  return ((std::uint64_t{words[0]} << 32) | words[1]) >> 11;
}

std::vector<SweepSet> sets_of(const SceneSpec& scene, const SweepSpec& sweep, std::uint64_t seed) {
  require_few(sweep);
  const auto names = short_names(sweep);
  std::vector<std::size_t> chosen(sweep.axes.size(), 0);
  std::set<std::string> used;
  std::vector<SweepSet> sets;
  do {
    SweepSet set;
    for (std::size_t i = 0; i < chosen.size(); ++i)
      set.texts.push_back(sweep.axes[i].values[chosen[i]].text);
    try {
      set.scene = scene_with(scene, sweep, chosen);
    } catch (const InvalidSpec& problem) {  // the scene has no channel of an axis
      throw InvalidSpec(fmt::format("sweep: {}", problem.what()));
    }
    for (set.repeat = 1; set.repeat <= sweep.repeats.value_or(1); ++set.repeat) {
      set.folder = folder_of(sweep, names, set.texts, set.repeat);
      require_name(set.folder, used);
      set.scene.seed = static_cast<std::int64_t>(set_seed(seed, sweep, set.texts, set.repeat));
      sets.push_back(set);
    }
    try {
      require_valid(set.scene);
    } catch (const InvalidSpec& problem) {
      throw InvalidSpec(fmt::format("sweep, data set {}: {}", sets.back().folder, problem.what()));
    }
  } while (advance(chosen, sweep));
  return sets;
}

std::optional<std::string> collection_warning(const SweepSpec& sweep,
                                              const std::vector<SweepSet>& sets) {
  for (const SweepAxis& axis : sweep.axes) {
    const KeyPlace at = *find_place(axis.key);
    if (at.key->full_name() != "optics.na") continue;
    double least = 1, most = 0;
    for (const SweepSet& set : sets)
      for (const Channel& channel : channels_of(set.scene)) {
        OpticsSpec optics = channel.scene.optics;
        const bool is_swept = at.channel.empty() || at.channel == channel.name;
        if (!is_swept || optics.collection != Collection::all) continue;
        optics.collection = Collection::aperture;
        least = std::min(least, collected_part(optics));
        most = std::max(most, collected_part(optics));
      }
    if (least < most)
      return fmt::format(
          "sweep: {} varies while optics.collection is \"all\", so every data set collects the "
          "same light, but the largest aperture would collect {:.3g} times as much as the "
          "smallest; set optics.collection = \"aperture\" unless the data sets should differ only "
          "in blur",
          axis.key, most / least);
  }
  return std::nullopt;
}

std::string to_toml(const SceneSpec& scene, const SweepSpec& sweep) {
  std::string text = to_toml(scene, chosen_keys(scene, sweep));
  if (sweep.is_empty()) return text;
  text += "\n[sweep]\n";
  if (sweep.repeats) text += fmt::format("repeats = {}\n", *sweep.repeats);
  if (sweep.seeds != SweepSeeds::own)
    text += fmt::format("seed = \"{}\"\n", name_in(kSweepSeedsNames, sweep.seeds));
  for (const auto& axis : sweep.axes) {
    std::vector<std::string> values;
    for (const auto& value : axis.values) values.push_back(value.text);
    text += fmt::format("{} = [{}]\n", axis.key, fmt::join(values, ", "));
  }
  return text;
}

}  // namespace synthoscope::simulator
