// SPDX-License-Identifier: MIT
// simulator/scene/file/sweep.hpp — many data sets from one scene: keys that take several values,
// and repeats.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "core/base/names.hpp"
#include "simulator/scene/scene.hpp"

namespace synthoscope::simulator {

/// One value of a key, and its text, from which names and seeds are made.
struct SweepValue {
  SceneValue value;
  std::string text;
};

/// A key of the scene and the values it takes.
struct SweepAxis {
  std::string key;  ///< with its table: "optics.na"
  std::vector<SweepValue> values;
};

/// own: every set has its own seed, so that sets are independent samples. shared: all sets of a
/// repeat have one seed, so that they differ only by what is swept.
enum class SweepSeeds { own, shared };
inline constexpr NameTable<SweepSeeds, 2> kSweepSeedsNames{
    {{SweepSeeds::own, "own"}, {SweepSeeds::shared, "shared"}}};

/// All combinations of the values of all axes, each `repeats` times.
struct SweepSpec {
  std::vector<SweepAxis> axes;          ///< in the order of the file
  std::optional<std::int64_t> repeats;  ///< >= 1; absent: once
  SweepSeeds seeds = SweepSeeds::own;
  [[nodiscard]] bool is_empty() const { return axes.empty() && !repeats; }
};

inline constexpr std::int64_t kMaxSets = 10000;

/// One data set of a sweep.
struct SweepSet {
  std::string folder;
  std::vector<std::string> texts;  ///< of the values, axis by axis
  std::int64_t repeat = 1;         ///< from 1
  SceneSpec scene;                 ///< with its own seed
};

/// Returns the seed of a set: the upper 53 bits of words 0 and 1 of stage `sweep_seeds` of the
/// sweep's seed, index the low 48 bits and draw the high 16 bits of the FNV-1a hash (64 bits) of
/// "key=value;" for every axis in alphabetical order of the keys, then "repeat=N"; for shared seeds
/// of "repeat=N" alone. It depends on nothing but the values: more values, more repeats and another
/// order change no existing set. These draws must never change.
/// @source Fowler, Noll, Vo: The FNV non-cryptographic hash algorithm, IETF draft-eastlake-fnv.
std::uint64_t set_seed(std::uint64_t seed, const SweepSpec& sweep,
                       const std::vector<std::string>& texts, std::int64_t repeat);

/// Returns all data sets; the first axis varies slowest, repeats fastest. A folder is called after
/// the last parts of keys and their values, "clustering-0.25_na-1.2_repeat-3"; with whole keys if
/// two share their last part, without repeats if the sweep names none.
/// @throws InvalidSpec  two sets would share a folder, a name is too long, there are more than
///                      kMaxSets, or the scene of a set is not valid: names the set.
std::vector<SweepSet> sets_of(const SceneSpec& scene, const SweepSpec& sweep, std::uint64_t seed);

/// Returns a warning about sets that have different apertures while optics.collection is "all":
/// they collect the same light, and real objectives do not. Nothing if there are no such sets.
std::optional<std::string> collection_warning(const SweepSpec& sweep,
                                              const std::vector<SweepSet>& sets);

/// Reads the table [sweep] of a scene file; no axes and no repeats if it has no such table. File
/// names among the values are relative to the file's folder. @throws as read_scene.
SweepSpec read_sweep(const std::filesystem::path& path);

/// Returns what read_sweep returns if `path`, which need not exist, has the text `toml`.
SweepSpec parse_sweep(std::string_view toml, const std::filesystem::path& path);

/// Returns the scene with every key, and the sweep as the table [sweep], which is left out if
/// empty. Keys whose defaults a swept key chooses stay comments unless they were given, so that the
/// file gives the same sets when it is read.
std::string to_toml(const SceneSpec& scene, const SweepSpec& sweep);

}  // namespace synthoscope::simulator
