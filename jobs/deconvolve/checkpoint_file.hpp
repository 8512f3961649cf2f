// SPDX-License-Identifier: MIT
// jobs/deconvolve/checkpoint_file.hpp — volumes between two iterations, in a file from which a
// killed run goes on.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "core/run/run_context.hpp"
#include "core/stream/stream.hpp"

namespace synthoscope::jobs {

/// What is known of a run between two iterations, apart from its volumes.
struct IterationState {
  std::string request;             ///< JSON object: must be the same when the run goes on
  std::vector<std::string> plans;  ///< of its convolutions
  int iterations = 0;              ///< that the volumes have behind them
  std::string found;               ///< text of the caller
};

/// A file that holds the last state that was saved, whole. While the next one is written, both are
/// on the disk.
class CheckpointFile {
 public:
  explicit CheckpointFile(std::filesystem::path path) : path_{std::move(path)} {}
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Replaces the file by `state` and `volumes`, float32.
  /// @throws IoError  the disk is full or fails: the earlier file stays.
  void save(const IterationState& state, std::span<Source* const> volumes,
            const RunContext& context) const;

  /// Returns what the file holds; nothing where there is none.
  /// @throws InvalidInput  it is no file of this kind, or damaged.  @throws IoError
  [[nodiscard]] std::optional<IterationState> find() const;

  /// Reads the volumes, as they were saved.
  /// @throws InvalidInput  they have other sizes, or were changed since.  @throws IoError
  void load(std::span<Sink* const> volumes, const RunContext& context) const;

  /// Removes the file, and the one that a killed run had begun.
  void remove() const noexcept;

 private:
  std::filesystem::path path_;
};

}  // namespace synthoscope::jobs
