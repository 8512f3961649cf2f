// SPDX-License-Identifier: MIT
#include "imageio/tiff_decoder.hpp"
#include <fmt/format.h>
#include <tiffio.h>
#include <algorithm>
#include <utility>
#include "core/error.hpp"
#include "core/memory_budget.hpp"

namespace synthoscope::imageio {
namespace {

TiffHandle opened(const TiffIndex& index, TiffClient& client) {
  // No table or compressed block is larger than the file it comes from, in memory at most twice
  constexpr std::int64_t kSmall = std::int64_t{1} << 26;
  // h: no directory yet, m: no memory map
  return open_tiff(client, index.file.path().string(), "rhm",
                   std::max(kSmall, 2 * index.file.size()));
}

}  // namespace

TiffDecoder::TiffDecoder(const TiffIndex& index)
    : index_{index}, stream_{index.file}, handle_{opened(index, stream_)} {
  if (!handle_) fail(0, "cannot be decoded");
}

void TiffDecoder::go_to(std::int64_t page) {
  if (page == page_) return;
  page_ = block_ = -1;
  const TiffFormat& format = index_.format_of(page);
  const auto offset = index_.pages[static_cast<std::size_t>(page)].offset;
  if (!TIFFSetSubDirectory(handle_.get(), static_cast<std::uint64_t>(offset)))
    fail(page, "cannot be decoded");
  // libtiff reads the directory again, and mends some; both must speak of the same blocks
  const bool is_tiled = TIFFIsTiled(handle_.get()) != 0;
  const auto bytes = is_tiled ? TIFFTileSize64(handle_.get()) : TIFFStripSize64(handle_.get());
  const auto expected = format.block_row_bytes() * format.block_height;
  const auto blocks =
      is_tiled ? TIFFNumberOfTiles(handle_.get()) : TIFFNumberOfStrips(handle_.get());
  if (is_tiled != format.is_tiled || bytes != static_cast<std::uint64_t>(expected) ||
      blocks != format.blocks())
    fail(page, "is laid out in a way that contradicts itself");
  if (!TIFFIsCODECConfigured(static_cast<std::uint16_t>(format.compression)))
    fail(page, fmt::format("needs {}, which this libtiff was built without",
                           compression_name(format.compression)));
  page_ = page;
}

std::span<const std::byte> TiffDecoder::block(std::int64_t page, std::int64_t block) {
  stream_.message.clear();
  go_to(page);
  if (block == block_) return buffer_;
  block_ = -1;
  const TiffFormat& format = index_.format_of(page);
  const std::int64_t row = block / format.blocks_across() % format.blocks_down();
  const std::int64_t bytes = format.block_rows(row) * format.block_row_bytes();
  if (static_cast<std::size_t>(bytes) > buffer_.capacity() && bytes > available_memory_bytes())
    throw PlanError(fmt::format(
        "read {}: one of its strips or tiles takes {} and {} are free; save it with smaller ones",
        index_.file.path().string(), print_bytes(bytes), print_bytes(available_memory_bytes())));
  buffer_.resize(static_cast<std::size_t>(bytes));
  const auto number = static_cast<std::uint32_t>(block);
  const auto got = format.is_tiled
                       ? TIFFReadEncodedTile(handle_.get(), number, buffer_.data(), bytes)
                       : TIFFReadEncodedStrip(handle_.get(), number, buffer_.data(), bytes);
  if (got != bytes) fail(page, fmt::format("has a broken strip or tile {}", block));
  block_ = block;
  return buffer_;
}

void TiffDecoder::fail(std::int64_t page, const std::string& what) {
  if (stream_.failure) std::rethrow_exception(std::exchange(stream_.failure, nullptr));
  const auto detail = stream_.message.empty() ? "" : fmt::format(" ({})", stream_.message);
  throw InvalidInput(fmt::format("read {}: page {} {}{}; copy or make the file again",
                                 index_.file.path().string(), page, what, detail));
}

}  // namespace synthoscope::imageio
