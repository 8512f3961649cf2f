// SPDX-License-Identifier: MIT
// imageio/input/read_digest.hpp — hashes of files, computed as their bytes are read.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>
#include "core/math/content_hash.hpp"

namespace synthoscope {
class StopFlag;
class TaskPool;
}  // namespace synthoscope

namespace synthoscope::imageio {

class InputFile;

/// Hashes of the content of a file, as 16 hexadecimal digits each.
struct ContentDigests {
  /// XXH3 of the XXH3 of all blocks of the file (8 bytes each, most significant first), in order. A
  /// block has ReadDigest::block_bytes; the last one has what is left.
  std::string xxh3_tree;
  std::string xxh64;  ///< of all bytes; empty if they were not read in order and the file is large
};

/// Hashes one file while others read it, in any order: a block is hashed when its last byte is
/// read, and bytes that are read again are ignored. It holds at most 2 MiB. All functions but
/// `finish` are thread-safe.
class ReadDigest {
 public:
  explicit ReadDigest(std::int64_t file_bytes);

  /// Returns the size of a block: 64 KiB, doubled until a file has at most 65,536 blocks.
  static std::int64_t block_bytes(std::int64_t file_bytes);

  [[nodiscard]] std::int64_t file_bytes() const { return bytes_; }

  /// Adds bytes that were read at `offset`, inside the file.
  void add(std::int64_t offset, std::span<const std::byte> bytes);

  /// Reads what was not read, or in an order that would have needed more than 1 MiB of copies, with
  /// all threads of `pool`, and returns the hashes. XXH64 of a file of up to 256 MiB is always
  /// among them.
  /// @param pool, stop  may be null
  /// @throws IoError, InputChanged  @throws Interrupted  `stop` was requested.
  ContentDigests finish(const InputFile& file, TaskPool* pool, const StopFlag* stop);

 private:
  enum class State : std::uint8_t { unread, done, missed };
  /// A block of which the first `next` bytes are hashed; copies of bytes that were read ahead.
  struct Begun {
    BlockHash hash;
    std::int64_t next = 0;
    std::map<std::int64_t, std::vector<std::byte>> ahead = {};
  };

  [[nodiscard]] std::int64_t length_of(std::int64_t block) const;
  void add_in_order(std::int64_t offset, std::span<const std::byte> bytes);
  void add_part(std::int64_t block, std::int64_t at, std::span<const std::byte> bytes);
  void take_ahead(Begun& begun);
  void complete(std::int64_t block, std::uint64_t hash);

  std::int64_t bytes_, block_bytes_;
  std::vector<std::atomic<State>> states_;
  std::vector<std::atomic<std::uint64_t>> hashes_;
  std::mutex mutex_;  ///< of begun_ and copied_
  std::unordered_map<std::int64_t, Begun> begun_;
  std::int64_t copied_ = 0;  ///< bytes that were read ahead, of all begun blocks
  std::mutex ordered_mutex_;
  ContentHash ordered_;
  std::atomic<std::int64_t> ordered_next_ = 0;  ///< the first byte that is not in `ordered_`
};

/// The digests of the files of a run, by their paths.
class ReadDigests {
 public:
  /// Returns the digest of the file at `path`; a new one the first time.
  std::shared_ptr<ReadDigest> of(const std::filesystem::path& path, std::int64_t file_bytes);

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<ReadDigest>> all_;
};

}  // namespace synthoscope::imageio
