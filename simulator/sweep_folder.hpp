// SPDX-License-Identifier: MIT
// simulator/sweep_folder.hpp — the folder of a sweep, held against other runs while it is written.
#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace synthoscope::simulator {

inline constexpr const char* kSweepRecord = "sweep.json";
inline constexpr const char* kSweepTableFile = "sweep.csv";
inline constexpr const char* kSweepShards = "sweep.shards";  ///< while several processes make it

/// The sets that the sweep.json of a folder names; none if it cannot be read. Names that lead
/// elsewhere are none.
std::vector<std::string> recorded_sets(const std::filesystem::path& sweep);

/// Makes the folder where there is none and locks it until destroyed, which removes a folder that
/// it made and that is empty.
class SweepFolder {
 public:
  /// @throws InvalidSpec  it exists and neither `resume` nor `overwrite` is set, or no sweep made
  ///                      it.
  /// @throws IoError      it cannot be made or opened, or another run is writing it.
  SweepFolder(std::filesystem::path path, bool resume, bool overwrite)
      : SweepFolder{std::move(path), resume, overwrite, /*is_shared=*/false} {}

  /// For one of several processes that make it together and go on with what is there: all others
  /// are kept out. @throws InvalidSpec, IoError  as above
  static SweepFolder shared(std::filesystem::path path) {
    return {std::move(path), /*resume=*/true, /*overwrite=*/false, /*is_shared=*/true};
  }
  SweepFolder(const SweepFolder&) = delete;
  SweepFolder& operator=(const SweepFolder&) = delete;
  ~SweepFolder();

  /// Sets that lie there by the sweep.json of an earlier run and that are none of `folders`; also
  /// what a killed run left of them. @throws InvalidSpec  one holds what no simulation wrote.
  [[nodiscard]] std::vector<std::string> left_out_of(const std::vector<std::string>& folders) const;

  /// Removes sets that left_out_of named. @throws IoError
  void remove_sets(const std::vector<std::string>& folders) const;

  /// Removes sweep.csv, and the disk knows it. @throws IoError
  void remove_table() const;

  /// What processes wrote that made it together: whoever begins it anew is alone.
  void remove_shards() const;

 private:
  SweepFolder(std::filesystem::path path, bool resume, bool overwrite, bool is_shared);
  void lock(bool is_shared);

  std::filesystem::path path_;
  int descriptor_ = -1;
  bool made_ = false;
};

}  // namespace synthoscope::simulator
