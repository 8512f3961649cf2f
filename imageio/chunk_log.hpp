// SPDX-License-Identifier: MIT
// imageio/chunk_log.hpp — finished chunks, and planes of unfinished ones, one behind the
// other.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <span>
#include <vector>
#include "imageio/chunk_grid.hpp"
#include "imageio/partial_file.hpp"

namespace synthoscope::imageio {

/// Records of a number and bytes, appended only. Stays or goes with its owner as a PartialFile.
class ChunkLog {
  struct Place {
    std::int64_t offset = 0, bytes = 0;
  };

 public:
  /// Of `chunks` chunks; what an earlier process left is discarded. @throws as PartialFile.
  ChunkLog(const std::filesystem::path& path, std::int64_t chunks);
  /// Goes on after the first `length` bytes, which are read once; the rest is dropped.
  /// @throws InvalidSpec  they are no records of such a log.
  ChunkLog(const std::filesystem::path& path, std::int64_t chunks, std::int64_t length);

  /// Chunk `number`, packed. Several threads may add at once. @throws IoError
  void add_chunk(std::int64_t number, std::span<const std::byte> bytes);
  /// Plane z of a layer of chunks that is not finished. @throws IoError
  void add_plane(std::int64_t z, std::span<const std::byte> voxels);

  /// Overwrites `bytes` with chunk `number`. @throws IoError
  void read_chunk(std::int64_t number, std::vector<std::byte>& bytes) const;
  /// False where plane z is not there or of another size. @throws IoError
  [[nodiscard]] bool read_plane(std::int64_t z, std::span<std::byte> voxels) const;

  [[nodiscard]] bool has_chunk(std::int64_t number) const {
    return chunks_[static_cast<std::size_t>(number)].bytes > 0;
  }
  [[nodiscard]] std::int64_t length() const { return length_; }
  /// Memory that a log of `chunks` chunks takes.
  [[nodiscard]] static std::int64_t bytes_for(std::int64_t chunks) {
    return chunks * static_cast<std::int64_t>(sizeof(Place));
  }
  /// Bytes of all chunks.
  [[nodiscard]] std::int64_t chunk_bytes() const;

  void sync() { file_.sync(); }
  void keep(bool is_kept) noexcept { file_.keep(is_kept); }

 private:
  Place append(std::int64_t number, std::span<const std::byte> bytes);
  void index(std::int64_t length);
  void read(const Place& place, std::span<std::byte> out) const;
  [[noreturn]] void refuse_to_go_on();

  PartialFile file_;
  std::vector<Place> chunks_;
  std::map<std::int64_t, Place> planes_;
  std::atomic<std::int64_t> length_{0};
};

}  // namespace synthoscope::imageio
