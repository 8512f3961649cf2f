// SPDX-License-Identifier: MIT
// simulator/sweep/folder.hpp — the folder of a sweep, locked against other runs while it is
// written, and its tables sweep.json and sweep.csv.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>
#include "simulator/scene/file/sweep.hpp"

namespace synthoscope::simulator {

inline constexpr const char* kSweepRecord = "sweep.json";
inline constexpr const char* kSweepTableFile = "sweep.csv";
inline constexpr const char* kSweepShards = "sweep.shards";  ///< while several processes make it

/// Returns the sets that the sweep.json of a folder names; empty if it cannot be read. Names that
/// lead out of the folder are left out.
std::vector<std::string> recorded_sets(const std::filesystem::path& sweep);

/// A folder that is made if there is none, and is locked until destroyed. The destructor removes it
/// if it made it and it is empty.
class SweepFolder {
 public:
  /// @throws InvalidSpec  it exists and neither `resume` nor `overwrite` is set, or it is no folder
  ///                      of a sweep.
  /// @throws IoError      it cannot be made or opened, or another run is writing it.
  SweepFolder(std::filesystem::path path, bool resume, bool overwrite)
      : SweepFolder{std::move(path), resume, overwrite, /*is_shared=*/false} {}

  /// Opens the folder for one of several processes that make the sweep together and resume what
  /// exists; other runs are locked out. @throws InvalidSpec, IoError  as above
  static SweepFolder shared(std::filesystem::path path) {
    return {std::move(path), /*resume=*/true, /*overwrite=*/false, /*is_shared=*/true};
  }
  SweepFolder(const SweepFolder&) = delete;
  SweepFolder& operator=(const SweepFolder&) = delete;
  ~SweepFolder();

  /// Returns the sets that the sweep.json of an earlier run names, that exist at least in part, and
  /// that are none of `folders`. @throws InvalidSpec  one holds files that no simulation wrote.
  [[nodiscard]] std::vector<std::string> sets_missing_from(
      const std::vector<std::string>& folders) const;

  /// Removes sets that sets_missing_from named. @throws IoError
  void remove_sets(const std::vector<std::string>& folders) const;

  /// Removes sweep.csv and flushes the folder. @throws IoError
  void remove_table() const;

  /// Removes the lock file of processes that made the sweep together: now a single process makes
  /// it.
  void remove_shards() const;

 private:
  SweepFolder(std::filesystem::path path, bool resume, bool overwrite, bool is_shared);
  void lock(bool is_shared);

  std::filesystem::path path_;
  int descriptor_ = -1;
  bool made_ = false;
};

/// Returns sweep.json: seed, keys, and the folder, seed and values of every set.
std::string sweep_record(std::int64_t seed, const SweepSpec& sweep,
                         const std::vector<SweepSet>& sets);

/// Returns sweep.csv: the folder, seed, repeat and values of every set, a line each.
std::string sweep_table(const SweepSpec& sweep, const std::vector<SweepSet>& sets);

}  // namespace synthoscope::simulator
