// SPDX-License-Identifier: MIT
// simulator/sweep_folder.hpp — the folder of a sweep, held against other runs while it is written.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace synthoscope::simulator {

inline constexpr const char* kSweepRecord = "sweep.json";
inline constexpr const char* kSweepTableFile = "sweep.csv";

/// Makes the folder where there is none and locks it until destroyed, which removes a folder that
/// it made and that is empty.
class SweepFolder {
 public:
  /// @throws InvalidSpec  it exists and neither `resume` nor `overwrite` is set, or no sweep made
  ///                      it.
  /// @throws IoError      it cannot be made or opened, or another run is writing it.
  SweepFolder(std::filesystem::path path, bool resume, bool overwrite);
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

 private:
  void lock();

  std::filesystem::path path_;
  int descriptor_ = -1;
  bool made_ = false;
};

}  // namespace synthoscope::simulator
