// SPDX-License-Identifier: MIT
// imageio/tiff/blocks.hpp — strips and tiles that are decoded and kept for threads that share them,
// within a number of bytes that is known before.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <semaphore>
#include <utility>
#include <vector>
#include "imageio/chunks/cache.hpp"
#include "imageio/tiff/decoder.hpp"
#include "imageio/tiff/index.hpp"

namespace synthoscope::imageio {

/// Memory for reading the blocks of a stack, without the caller's voxels.
struct TiffBlockCosts {
  std::int64_t block_bytes = 0;   ///< of the largest, decoded; 0: none is packed
  std::int64_t reader_bytes = 0;  ///< further memory of each thread that reads
  std::int64_t blocks_across = 1;

  /// Counts in the blocks of one more page.
  void add(const TiffFormat& format, const TiffPage& page);

  /// Decoded blocks that are kept: two rows of tiles, as far as `most_bytes` allows, at least one.
  [[nodiscard]] std::int64_t kept(std::int64_t most_bytes) const;

  /// Threads that read at once. Not the number of threads there are: what a run plans must not
  /// depend on it.
  [[nodiscard]] std::int64_t readers(std::int64_t most_bytes) const;

  /// All that reading holds: at most twice `most_bytes`, or one block and one reader.
  [[nodiscard]] std::int64_t buffer_bytes(std::int64_t most_bytes) const;
};

/// Thread-safe.
class TiffBlocks {
 public:
  /// @param files  whose blocks are asked for by number
  TiffBlocks(std::vector<std::shared_ptr<const TiffIndex>> files, const TiffBlockCosts& costs,
             std::int64_t most_bytes);

  /// Calls `use` with the decoded rows of a packed block, which stay until it returns.
  /// @throws as TiffDecoder::decode.
  void with_block(std::size_t file, std::int64_t page, std::int64_t block,
                  const std::function<void(const std::byte* rows)>& use);

  /// Calls `use` when no more than the counted threads read.
  void in_turn(const std::function<void()>& use);

 private:
  struct Idle {
    std::size_t file;
    std::unique_ptr<TiffDecoder> decoder;
  };
  void decode(std::size_t file, std::int64_t page, std::int64_t block,
              std::vector<std::byte>& rows);
  Idle borrow(std::size_t file);

  std::vector<std::shared_ptr<const TiffIndex>> files_;
  std::vector<std::int64_t> first_numbers_;  ///< of each file's blocks
  std::int64_t readers_;
  ChunkCache cache_;
  std::counting_semaphore<> turns_;
  std::mutex mutex_;
  std::int64_t decoders_ = 0;  ///< idle or in use
  std::vector<Idle> idle_;
};

}  // namespace synthoscope::imageio
