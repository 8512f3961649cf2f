// SPDX-License-Identifier: MIT
// imageio/tiff/index.hpp — every page of a TIFF file, found once: what it holds and where.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "core/run/memory_budget.hpp"
#include "core/volume/pixel_type.hpp"
#include "imageio/image/stored_type.hpp"
#include "imageio/input/file.hpp"
#include "imageio/input/limits.hpp"

namespace synthoscope::imageio {

/// Uncompressed pixels that are not read straight to their place are read in pieces of this length.
inline constexpr std::int64_t kTiffPieceBytes = std::int64_t{64} << 10;

/// In place of the offset of a block that the file leaves out.
inline constexpr std::int64_t kSparseBlock = -1;

/// How a page's pixels are stored. Pages of a stack share a few of these.
struct TiffFormat {
  std::int64_t width = 0, height = 0;
  PixelType type = PixelType::uint8;       ///< that is read
  StoredType stored = StoredType::voxels;  ///< what the file holds
  std::int64_t bits = 8;                   ///< of a sample in the file
  bool is_reversed = false;  ///< bytes begin with their lowest bit: TIFF's FillOrder 2
  std::int64_t samples = 1;  ///< per pixel
  bool is_planar = false;    ///< one plane per sample, not interleaved
  bool is_tiled = false;
  bool is_reduced = false;        ///< a thumbnail or pyramid level; nothing else is read of it
  std::int64_t block_width = 0;   ///< of a tile, or the width
  std::int64_t block_height = 0;  ///< of a tile or a strip
  std::int64_t compression = 1, photometric = 1, orientation = 1;
  std::uint32_t ignored = 0;  ///< of ignored_tags
  double missing_value = 0;   ///< of pixels in blocks that the file leaves out
  friend bool operator==(const TiffFormat&, const TiffFormat&) = default;

  [[nodiscard]] bool is_compressed() const { return compression != 1; }
  [[nodiscard]] std::int64_t blocks_across() const;
  [[nodiscard]] std::int64_t blocks_down() const;
  [[nodiscard]] std::int64_t blocks() const;  ///< of all samples
  [[nodiscard]] std::int64_t samples_per_block() const { return is_planar ? 1 : samples; }
  [[nodiscard]] std::int64_t block_row_bytes() const;
  /// Rows of block row `row` that are stored: the last strip is cut, tiles never are.
  [[nodiscard]] std::int64_t block_rows(std::int64_t row) const;
  /// Bytes of one sample's plane without padding.
  [[nodiscard]] std::int64_t sample_plane_bytes() const;
  /// Voxels of a block that the file leaves out.
  void fill(std::byte* voxels, std::int64_t count) const;
};

/// One directory.
struct TiffPage {
  std::int64_t offset = 0;           ///< of the directory
  std::size_t format = 0;            ///< in TiffIndex::formats
  std::int64_t pixels_offset = -1;   ///< all pixels, uncompressed and back to back; or -1
  std::int64_t first_block = 0;      ///< number of its first block, counted over all pages
  std::int64_t largest_block = 0;    ///< bytes of a block in the file, where they are packed
  std::vector<std::int64_t> blocks;  ///< offsets of blocks that are uncompressed and not back to
                                     ///< back, or of which some are left out
};

/// The file stays open as long as its index lives. Immutable, so threads may share it.
struct TiffIndex {
  TiffIndex(InputFile opened, const InputLimits& limits);

  InputFile file;
  bool is_big = false;
  bool is_foreign_order = false;
  std::vector<TiffFormat> formats;
  std::vector<TiffPage> pages;
  std::int64_t blocks = 0;                           ///< of all pages
  std::int64_t sparse_blocks = 0;                    ///< that the file leaves out
  std::int64_t sub_images = 0;                       ///< in SubIFDs of pages; none is read
  Reservation held;                                  ///< where memory is counted
  std::string description;                           ///< of the first page
  std::string second_description;                    ///< of the first page, if it has two
  std::optional<double> x_resolution, y_resolution;  ///< of the first page
  std::int64_t resolution_unit = 2;                  ///< TIFF 6.0: 1 none, 2 inch, 3 centimetre

  /// The number of planes of a MetaMorph stack, which has one page, and the offset of its table of
  /// planes (UIC2). 0: the file is no such stack.
  std::int64_t stk_planes = 0, stk_table = 0;

  /// The first description of any page; empty if it has none. Reads it from the file.
  /// @throws InvalidInput  it is broken or passes the limit.
  [[nodiscard]] std::string description_of(std::int64_t page, const InputLimits& limits) const;

  [[nodiscard]] const TiffFormat& format_of(std::int64_t page) const {
    return formats[pages[static_cast<std::size_t>(page)].format];
  }
};

/// "deflate"; "unknown" for codes that are refused.
std::string_view compression_name(std::int64_t code);

}  // namespace synthoscope::imageio
