// SPDX-License-Identifier: MIT
#include "imageio/tiff/decoder.hpp"
#include <fmt/format.h>
#include <tiffio.h>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include "core/base/error.hpp"
#include "core/run/memory_budget.hpp"

namespace synthoscope::imageio {
namespace {

constexpr std::byte kUnwritten{0x5A};

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
  page_ = -1;
  const TiffFormat& format = index_.format_of(page);
  const auto offset = index_.pages[static_cast<std::size_t>(page)].offset;
  if (!TIFFSetSubDirectory(handle_.get(), static_cast<std::uint64_t>(offset)))
    fail(page, "cannot be decoded");
  // JPEG's own colours become RGB
  if (format.compression == COMPRESSION_JPEG && format.photometric == PHOTOMETRIC_YCBCR)
    TIFFSetField(handle_.get(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  // libtiff reads the directory again, and mends some; both must speak of the same blocks
  const bool is_tiled = TIFFIsTiled(handle_.get()) != 0;
  const auto bytes = is_tiled ? TIFFTileSize64(handle_.get()) : TIFFStripSize64(handle_.get());
  const auto expected = format.block_row_bytes() * format.block_height;
  const auto blocks =
      is_tiled ? TIFFNumberOfTiles(handle_.get()) : TIFFNumberOfStrips(handle_.get());
  if (is_tiled != format.is_tiled || bytes != static_cast<std::uint64_t>(expected) ||
      blocks != format.blocks())
    fail(page, "is laid out in a way that contradicts itself");
  page_ = page;
}

void TiffDecoder::decode(std::int64_t page, std::int64_t block, std::vector<std::byte>& rows) {
  stream_.message.clear();
  go_to(page);
  const TiffFormat& format = index_.format_of(page);
  const std::int64_t row = block / format.blocks_across() % format.blocks_down();
  const std::int64_t bytes = format.block_rows(row) * format.block_row_bytes();
  constexpr std::int64_t kSmall = std::int64_t{16} << 20;  // not worth a look at the system's files
  if (bytes > kSmall && bytes > available_memory_bytes())
    throw PlanError(fmt::format(
        "read {}: one of its strips or tiles takes {} and {} are free; save it with smaller ones",
        index_.file.path().string(), print_bytes(bytes), print_bytes(available_memory_bytes())));
  rows.resize(static_cast<std::size_t>(bytes));
  const bool is_deflated =
      format.compression == COMPRESSION_ADOBE_DEFLATE || format.compression == COMPRESSION_DEFLATE;
  const bool is_whole = is_deflated ? decode_deflated(block, format.is_tiled, rows)
                                    : decode_by_libtiff(block, format.is_tiled, rows);
  if (!is_whole) fail(page, fmt::format("has a damaged strip or tile {}", block));
}

/// @returns whether libtiff says that it is whole
bool TiffDecoder::decode_by_libtiff(std::int64_t block, bool is_tiled, std::span<std::byte> rows) {
  const auto number = static_cast<std::uint32_t>(block);
  const auto bytes = static_cast<tmsize_t>(rows.size());
  const auto got = is_tiled ? TIFFReadEncodedTile(handle_.get(), number, rows.data(), bytes)
                            : TIFFReadEncodedStrip(handle_.get(), number, rows.data(), bytes);
  return got == bytes;
}

/// If a match is longer than the rest of the block, libdeflate stops before it and libtiff reports
/// a whole block. Broken files do this, and writers that pad the last strip. So the last byte is
/// set before; if it may be unchanged, zlib decodes the block again, which writes all of it.
bool TiffDecoder::decode_deflated(std::int64_t block, bool is_tiled, std::span<std::byte> rows) {
  if (!rows.empty()) rows.back() = kUnwritten;
  const bool is_decoded = decode_by_libtiff(block, is_tiled, rows);
#ifdef TIFFTAG_DEFLATE_SUBCODEC
  if (!is_decoded || !may_end_unwritten(rows)) return is_decoded;
  int usual = DEFLATE_SUBCODEC_ZLIB;
  TIFFGetField(handle_.get(), TIFFTAG_DEFLATE_SUBCODEC, &usual);
  TIFFSetField(handle_.get(), TIFFTAG_DEFLATE_SUBCODEC, DEFLATE_SUBCODEC_ZLIB);
  const bool is_whole = decode_by_libtiff(block, is_tiled, rows);
  TIFFSetField(handle_.get(), TIFFTAG_DEFLATE_SUBCODEC, usual);
  return is_whole;
#else
  return is_decoded;
#endif
}

/// Returns whether the last byte of the block may still be kUnwritten. A predictor may have added
/// the sample before it. The byte order of the file decides if it is the lowest byte of the last
/// sample or the highest.
bool TiffDecoder::may_end_unwritten(std::span<const std::byte> rows) {
  std::uint16_t predictor = PREDICTOR_NONE, bits = 8, samples = 1, planes = PLANARCONFIG_CONTIG;
  TIFFGetFieldDefaulted(handle_.get(), TIFFTAG_PREDICTOR, &predictor);
  TIFFGetFieldDefaulted(handle_.get(), TIFFTAG_BITSPERSAMPLE, &bits);
  TIFFGetFieldDefaulted(handle_.get(), TIFFTAG_SAMPLESPERPIXEL, &samples);
  TIFFGetFieldDefaulted(handle_.get(), TIFFTAG_PLANARCONFIG, &planes);
  const std::size_t width = std::clamp<std::size_t>(bits / 8, 1, sizeof(std::uint64_t));
  const std::size_t step = planes == PLANARCONFIG_CONTIG ? width * samples : width;
  const auto sample_before_end = [&](std::size_t distance) {
    std::uint64_t sample = 0;
    if (distance <= rows.size()) std::memcpy(&sample, rows.data() + rows.size() - distance, width);
    return sample;
  };
  const std::uint64_t last = sample_before_end(width);
  const std::uint64_t added = last - sample_before_end(width + step);
  const auto is_unwritten = [&](std::uint64_t sample) {
    const auto at = [&](std::size_t byte) { return static_cast<std::byte>(sample >> 8 * byte); };
    return at(0) == kUnwritten || at(width - 1) == kUnwritten;
  };
  // Where a row is one pixel nothing is added, or of floats the byte above in the same sample
  return is_unwritten(last) || (predictor != PREDICTOR_NONE && is_unwritten(added)) ||
         (predictor == PREDICTOR_FLOATINGPOINT && is_unwritten(last - (last >> 8)));
}

void TiffDecoder::fail(std::int64_t page, const std::string& what) {
  if (stream_.failure) std::rethrow_exception(std::exchange(stream_.failure, nullptr));
  const auto detail = stream_.message.empty() ? "" : fmt::format(" ({})", stream_.message);
  throw InvalidInput(fmt::format("read {}: page {} {}{}; copy or create the file again",
                                 index_.file.path().string(), page, what, detail));
}

}  // namespace synthoscope::imageio
