// SPDX-License-Identifier: MIT
// jobs/light/checkpoint_file.hpp — the state of a run after an iteration, in a file.
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
  std::string request;             ///< JSON object; a run with another request cannot use the file
  std::vector<std::string> plans;  ///< of its convolutions
  int iterations = 0;              ///< finished ones
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

  /// Returns whether there is a file, which save() would replace.
  /// @throws InvalidInput  another program made it.  @throws IoError
  [[nodiscard]] bool is_there() const;

  /// Returns the state in the file; nothing if there is no file.
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
