// SPDX-License-Identifier: MIT
// imageio/chunks/log.hpp — a file of finished chunks, and of planes of unfinished ones.
#pragma once
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <span>
#include <vector>
#include "core/math/content_sum.hpp"
#include "core/run/stop.hpp"
#include "imageio/chunks/grid.hpp"
#include "imageio/output/partial_file.hpp"

namespace synthoscope::imageio {

/// The log of the chunks of `file` until `file` is made of them; its partial file has ".partial"
/// appended, like every unfinished file.
std::filesystem::path chunk_log_path(const std::filesystem::path& file);

/// How far a log has come.
struct ChunkLogState {
  std::int64_t length = 0, sum = 0;  ///< bytes, and their ContentSum
};

/// Records of a number and bytes, appended only. Stays or goes with its owner as a PartialFile.
class ChunkLog {
  struct FileRange {
    std::int64_t offset = 0, bytes = 0;
  };

 public:
  /// Makes a log for `chunks` chunks; an earlier one is discarded. @throws as PartialFile.
  ChunkLog(const std::filesystem::path& path, std::int64_t chunks);
  /// Resumes a log after the bytes of `state`, which are read once; the rest is dropped.
  /// @throws LeftoverChanged  they are not those that were written.
  /// @throws Interrupted      `stop` was requested.
  ChunkLog(const std::filesystem::path& path, std::int64_t chunks, const ChunkLogState& state,
           const StopFlag* stop);

  /// Chunk `number`, packed. Several threads may add at once. @throws IoError
  void add_chunk(std::int64_t number, std::span<const std::byte> bytes);
  /// Plane z of a layer of chunks that is not finished. @throws IoError
  void add_plane(std::int64_t z, std::span<const std::byte> voxels);

  /// Overwrites `bytes` with chunk `number`. @throws IoError
  void read_chunk(std::int64_t number, std::vector<std::byte>& bytes) const;
  /// Returns false if plane z is missing or has another size. @throws IoError
  [[nodiscard]] bool read_plane(std::int64_t z, std::span<std::byte> voxels) const;

  /// Returns whether the `count` first chunks are there.
  [[nodiscard]] bool has_chunks(std::int64_t count) const;
  /// Not while a thread adds.
  [[nodiscard]] ChunkLogState state() const { return {length_, sum_.value()}; }
  /// Memory that a log of `chunks` chunks takes.
  [[nodiscard]] static std::int64_t bytes_for(std::int64_t chunks) {
    return chunks * static_cast<std::int64_t>(sizeof(FileRange));
  }
  /// Bytes of all chunks.
  [[nodiscard]] std::int64_t chunk_bytes() const;

  void sync() { file_.sync(); }
  void keep(bool is_kept) noexcept { file_.keep(is_kept); }

 private:
  FileRange append(std::int64_t number, std::span<const std::byte> bytes);
  [[nodiscard]] bool holds(const ChunkLogState& state, const StopFlag* stop) const;
  void index(std::int64_t length);
  void read(const FileRange& place, std::span<std::byte> out) const;
  PartialFile file_;
  std::vector<FileRange> chunks_;
  std::map<std::int64_t, FileRange> planes_;
  std::atomic<std::int64_t> length_{0};
  std::mutex mutex_;
  ContentSum sum_;
};

}  // namespace synthoscope::imageio
