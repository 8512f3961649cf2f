// SPDX-License-Identifier: MIT
#include "imageio/tiff/blocks.hpp"
#include <tiff.h>
#include <algorithm>

namespace synthoscope::imageio {
namespace {

/// What a codec of libtiff allocates, without the packed and the unpacked block.
std::int64_t codec_bytes(const TiffFormat& format, std::int64_t block_bytes) {
  // Measured: tables of LZW 0.13 MiB, zlib 0.05, libdeflate 0.03, zstd 0.3 and a window of at most
  // the block's length, LZMA 0.1 and such a window
  constexpr std::int64_t kTables = 448 << 10;
  switch (format.compression) {
    case COMPRESSION_ZSTD:
    case COMPRESSION_LZMA:
      return block_bytes + kTables;
    case COMPRESSION_WEBP:  // planes of luminance and colour, and the packed block again
      return 3 * block_bytes + kTables;
    case COMPRESSION_LERC:  // decoded once more, and a mask
      return 2 * block_bytes + kTables;
    case COMPRESSION_JPEG:  // progressive ones keep two bytes per coefficient, of padded blocks
      return 4 * block_bytes + kTables;
    default:
      return kTables;
  }
}

/// A thread holds a turn while it decodes a block or uses one. A thread that waits for a block
/// waits for one that holds a turn, so there is no deadlock.
class BlockTurn {
 public:
  explicit BlockTurn(std::counting_semaphore<>& turns) : turns_{turns} { turns_.acquire(); }
  BlockTurn(const BlockTurn&) = delete;
  BlockTurn& operator=(const BlockTurn&) = delete;
  ~BlockTurn() { turns_.release(); }

 private:
  std::counting_semaphore<>& turns_;
};

}  // namespace

void TiffBlockCosts::add(const TiffFormat& format, const TiffPage& page) {
  std::int64_t reader = kTiffPieceBytes;
  if (format.is_compressed()) {
    const std::int64_t block = format.block_height * format.block_row_bytes();
    block_bytes = std::max(block_bytes, block);
    // libtiff makes its buffer a tenth larger, and lists the places of all blocks twice
    reader = page.largest_block + page.largest_block / 8 + codec_bytes(format, block) +
             32 * format.blocks();
  }
  reader_bytes = std::max(reader_bytes, reader);
  blocks_across = std::max(blocks_across, format.blocks_across());
}

std::int64_t TiffBlockCosts::kept(std::int64_t most_bytes) const {
  constexpr std::int64_t kFew = 32;
  if (block_bytes == 0) return 1;
  return std::clamp<std::int64_t>(most_bytes / block_bytes, 1, std::max(kFew, 2 * blocks_across));
}

std::int64_t TiffBlockCosts::readers(std::int64_t most_bytes) const {
  constexpr std::int64_t kMax = 16;
  const std::int64_t each = std::max<std::int64_t>(1, block_bytes + reader_bytes);
  return std::clamp<std::int64_t>(most_bytes / each, 1, kMax);
}

std::int64_t TiffBlockCosts::buffer_bytes(std::int64_t most_bytes) const {
  if (reader_bytes == 0) return 0;
  // Each reader may hold a block that is no longer kept, except the one that decoded the last block
  const std::int64_t count = readers(most_bytes);
  return (kept(most_bytes) + count - 1) * block_bytes + count * reader_bytes;
}

TiffBlocks::TiffBlocks(std::vector<std::shared_ptr<const TiffIndex>> files,
                       const TiffBlockCosts& costs, std::int64_t most_bytes)
    : files_{std::move(files)},
      readers_{costs.readers(most_bytes)},
      cache_{costs.kept(most_bytes)},
      turns_{readers_} {
  std::int64_t blocks = 0;
  for (const auto& file : files_) {
    first_numbers_.push_back(blocks);
    blocks += file->blocks;
  }
}

void TiffBlocks::with_block(std::size_t file, std::int64_t page, std::int64_t block,
                            const std::function<void(const std::byte* rows)>& use) {
  const std::int64_t number = first_numbers_[file] +
                              files_[file]->pages[static_cast<std::size_t>(page)].first_block +
                              block;
  in_turn([&] {
    const auto rows = cache_.get(
        number, [&](std::vector<std::byte>& decoded) { decode(file, page, block, decoded); });
    use(rows->data());
  });
}

void TiffBlocks::in_turn(const std::function<void()>& use) {
  const BlockTurn turn{turns_};
  use();
}

void TiffBlocks::decode(std::size_t file, std::int64_t page, std::int64_t block,
                        std::vector<std::byte>& rows) {
  // One that failed is closed: it may be anywhere in its file
  Idle borrowed = borrow(file);
  try {
    if (!borrowed.decoder) borrowed.decoder = std::make_unique<TiffDecoder>(*files_[file]);
    borrowed.decoder->decode(page, block, rows);
  } catch (...) {
    borrowed.decoder.reset();
    const std::lock_guard lock{mutex_};
    --decoders_;
    throw;
  }
  const std::lock_guard lock{mutex_};
  idle_.push_back(std::move(borrowed));
}

/// The decoder is null if one has to be made.
TiffBlocks::Idle TiffBlocks::borrow(std::size_t file) {
  const std::lock_guard lock{mutex_};
  auto found = std::ranges::find_if(idle_, [file](const Idle& i) { return i.file == file; });
  if (found == idle_.end()) {
    // There are at most as many decoders as readers: an unused one of another file is removed
    if (decoders_ == readers_) {
      idle_.erase(idle_.begin());
      --decoders_;
    }
    ++decoders_;
    return {file, nullptr};
  }
  Idle taken = std::move(*found);
  idle_.erase(found);
  return taken;
}

}  // namespace synthoscope::imageio
