// SPDX-License-Identifier: MIT
#include "imageio/tiff/index.hpp"
#include <fmt/format.h>
#include <tiff.h>
#include <algorithm>
#include <compare>
#include <functional>
#include <unordered_set>
#include <utility>
#include "core/base/error.hpp"
#include "core/run/memory_budget.hpp"
#include "imageio/input/parsing_memory.hpp"
#include "imageio/tiff/format.hpp"

namespace synthoscope::imageio {
namespace {

/// A range of bytes that holds pixels.
struct ByteRange {
  std::int64_t begin, end;
  friend auto operator<=>(const ByteRange&, const ByteRange&) = default;
};

/// Follows the chain of directories and fills an index.
class Indexer {
 public:
  Indexer(TiffIndex& index, const InputLimits& limits)
      : index_{index}, limits_{limits}, tags_{index.file, limits} {}

  void run();

 private:
  void add_page(const TiffRawDirectory& directory);
  void read_metadata(const TiffRawDirectory& directory);
  std::vector<std::int64_t> offsets_of(const TiffRawDirectory& directory, const TiffFormat& format);
  void check_surplus(const TiffRawDirectory& directory, const TiffFormat& format,
                     const std::vector<std::int64_t>& offsets);
  struct Blocks {
    std::vector<std::int64_t> offsets, sizes;
    bool is_sparse = false;
  };
  Blocks blocks_of(const TiffRawDirectory& directory, const TiffFormat& format);
  std::vector<std::int64_t> stored_sizes(const TiffRawDirectory& directory,
                                         const TiffFormat& format);
  void check_range(std::int64_t block, std::int64_t offset, std::int64_t bytes) const;
  void add_ranges(const std::vector<std::int64_t>& offsets, const std::vector<std::int64_t>& sizes);
  [[nodiscard]] std::optional<std::int64_t> overlap();
  void check_overlap();
  void check_ratio() const;

  TiffIndex& index_;
  const InputLimits& limits_;
  TiffTags tags_;
  std::vector<ByteRange> ranges_;
  bool are_apart_ = false;  ///< ranges of neighbours are not taken together
  double declared_bytes_ = 0;
};

void Indexer::run() {
  index_.is_big = tags_.is_big();
  index_.is_foreign_order = tags_.is_foreign_order();
  std::unordered_set<std::int64_t> seen;
  for (std::int64_t at = tags_.first_directory(); at != 0;) {
    if (!seen.insert(at).second)
      tags_.broken(fmt::format("its directory at byte {} occurs twice in the chain", at));
    if (static_cast<std::int64_t>(seen.size()) > limits_.directories)
      throw InvalidInput(fmt::format(
          "open {}: it has more than {} directories, the limit; raise it with --max-directories "
          "if you trust the file",
          index_.file.path().string(), limits_.directories));
    const auto directory = tags_.directory(at);
    if (index_.pages.empty()) read_metadata(directory);
    add_page(directory);
    at = directory.next;
  }
  constexpr std::int64_t kKept = 2;  // bytes for one in the file
  index_.held =
      reserve_for_parsing(limits_, kKept * tags_.claimed(), index_.file.path(), "directories");
  check_ratio();
  check_overlap();
}

void Indexer::read_metadata(const TiffRawDirectory& directory) {
  std::string* const descriptions[] = {&index_.description, &index_.second_description};
  std::size_t found = 0;
  for (const TiffEntry& entry : directory.entries)
    if (entry.tag == TIFFTAG_IMAGEDESCRIPTION && found < std::size(descriptions))
      *descriptions[found++] = tags_.text(entry, limits_);
  constexpr std::uint16_t kUic2 = 33629;
  if (const auto* entry = directory.find(kUic2); entry && entry->count <= 0x7FFF'FFFF) {
    index_.stk_planes = static_cast<std::int64_t>(entry->count);
    index_.stk_table = tags_.offset(*entry);
  }
  index_.x_resolution = tags_.rational(directory.find(TIFFTAG_XRESOLUTION));
  index_.y_resolution = tags_.rational(directory.find(TIFFTAG_YRESOLUTION));
  index_.resolution_unit = tags_.integer(directory.find(TIFFTAG_RESOLUTIONUNIT), RESUNIT_INCH);
}

void Indexer::add_page(const TiffRawDirectory& directory) {
  const auto format = read_format(tags_, directory, index_.file.path(), limits_);
  TiffPage page;
  page.offset = directory.offset;
  // Neighbours are alike; a longer search would let a file of unlike pages take quadratic time
  if (index_.formats.empty() || index_.formats.back() != format) index_.formats.push_back(format);
  page.format = index_.formats.size() - 1;
  if (format.is_reduced) {
    index_.pages.push_back(std::move(page));
    return;
  }
  if (const auto* entry = directory.find(TIFFTAG_SUBIFD))
    index_.sub_images += std::ranges::count_if(tags_.integers(*entry), std::identity{});
  declared_bytes_ +=
      static_cast<double>(format.sample_plane_bytes()) * static_cast<double>(format.samples);

  auto [offsets, sizes, is_sparse] = blocks_of(directory, format);
  add_ranges(offsets, sizes);
  page.first_block = index_.blocks;
  index_.blocks += format.blocks();
  index_.sparse_blocks += std::ranges::count(offsets, kSparseBlock);
  if (format.is_compressed()) page.largest_block = std::ranges::max(sizes);
  if (is_sparse) {
    page.blocks = std::move(offsets);
  } else if (!format.is_compressed()) {
    bool is_contiguous = !format.is_tiled;
    for (std::size_t i = 1; i < offsets.size() && is_contiguous; ++i)
      is_contiguous = offsets[i] == offsets[i - 1] + sizes[i - 1];
    if (is_contiguous)
      page.pixels_offset = offsets.front();
    else
      page.blocks = std::move(offsets);
  }
  index_.pages.push_back(std::move(page));
}

std::vector<std::int64_t> Indexer::offsets_of(const TiffRawDirectory& directory,
                                              const TiffFormat& format) {
  const auto* entry = directory.find(format.is_tiled ? TIFFTAG_TILEOFFSETS : TIFFTAG_STRIPOFFSETS);
  if (!entry && format.is_tiled) entry = directory.find(TIFFTAG_STRIPOFFSETS);
  if (!entry)
    tags_.broken(
        fmt::format("page {} does not give the position of its pixels", index_.pages.size()));
  auto offsets = tags_.integers(*entry);
  if (static_cast<std::int64_t>(offsets.size()) < format.blocks())
    tags_.broken(fmt::format("page {} needs {} strips or tiles but lists {}", index_.pages.size(),
                             format.blocks(), offsets.size()));
  check_surplus(directory, format, offsets);
  offsets.resize(static_cast<std::size_t>(format.blocks()));
  return offsets;
}

/// More strips than RowsPerStrip makes mean that it is wrong: pixels would be read from the wrong
/// places. Strips that lie back to back are one; what has no bytes does no harm.
void Indexer::check_surplus(const TiffRawDirectory& directory, const TiffFormat& format,
                            const std::vector<std::int64_t>& offsets) {
  const auto needed = static_cast<std::size_t>(format.blocks());
  if (offsets.size() == needed) return;
  const auto sizes = stored_sizes(directory, format);
  const auto is_empty = [&](std::size_t i) { return i >= sizes.size() || sizes[i] == 0; };
  const auto follows = [&](std::size_t i) {
    return i < sizes.size() && offsets[i] == offsets[i - 1] + sizes[i - 1];
  };
  const bool is_one = needed == 1 && !format.is_tiled && !format.is_compressed();
  for (std::size_t i = needed; i < offsets.size(); ++i)
    if (!(is_empty(i) || (is_one && follows(i))))
      tags_.broken(fmt::format("page {} lists {} strips or tiles, and its {} makes {}",
                               index_.pages.size(), offsets.size(),
                               format.is_tiled ? "size of tiles" : "RowsPerStrip", needed));
}

/// Places and stored bytes of each block. What uncompressed blocks need follows from their shape;
/// the counts in such files are often missing or wrong. A block of no bytes at no place is left out
/// on purpose, as GDAL and libtiff do with empty ones.
Indexer::Blocks Indexer::blocks_of(const TiffRawDirectory& directory, const TiffFormat& format) {
  Blocks blocks{offsets_of(directory, format), {}, false};
  const std::size_t count = blocks.offsets.size();
  if (format.is_compressed() || std::ranges::find(blocks.offsets, 0) != blocks.offsets.end()) {
    blocks.sizes = stored_sizes(directory, format);
    for (std::size_t i = 0; i < std::min(count, blocks.sizes.size()); ++i)
      if (blocks.offsets[i] == 0 && blocks.sizes[i] == 0) {
        blocks.offsets[i] = kSparseBlock;
        blocks.is_sparse = true;
      }
  }
  if (format.is_compressed() && blocks.sizes.size() < count)
    tags_.broken(fmt::format("page {} needs {} strips or tiles but gives the size of {}",
                             index_.pages.size(), count, blocks.sizes.size()));
  blocks.sizes.resize(count);
  for (std::size_t i = 0; i < count && !format.is_compressed(); ++i) {
    const auto row = static_cast<std::int64_t>(i) / format.blocks_across() % format.blocks_down();
    blocks.sizes[i] = format.block_rows(row) * format.block_row_bytes();
  }
  return blocks;
}

/// The byte counts in the file; empty if it has none.
std::vector<std::int64_t> Indexer::stored_sizes(const TiffRawDirectory& directory,
                                                const TiffFormat& format) {
  const auto* entry =
      directory.find(format.is_tiled ? TIFFTAG_TILEBYTECOUNTS : TIFFTAG_STRIPBYTECOUNTS);
  if (!entry && format.is_tiled) entry = directory.find(TIFFTAG_STRIPBYTECOUNTS);
  return entry ? tags_.integers(*entry) : std::vector<std::int64_t>{};
}

void Indexer::check_range(std::int64_t block, std::int64_t offset, std::int64_t bytes) const {
  const std::int64_t file_bytes = index_.file.size();
  if (offset == 0 || bytes < 1)
    tags_.broken(
        fmt::format("strip or tile {} of page {} has no data", block, index_.pages.size()));
  if (offset > file_bytes || bytes > file_bytes - offset)
    tags_.broken(fmt::format("page {} needs {} bytes from byte {} on but the file ends at byte {}",
                             index_.pages.size(), bytes, offset, file_bytes));
}

void Indexer::add_ranges(const std::vector<std::int64_t>& offsets,
                         const std::vector<std::int64_t>& sizes) {
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] == kSparseBlock) continue;
    check_range(static_cast<std::int64_t>(i), offsets[i], sizes[i]);
    const std::int64_t end = offsets[i] + sizes[i];
    if (!are_apart_ && !ranges_.empty() && ranges_.back().end == offsets[i])
      ranges_.back().end = end;
    else
      ranges_.push_back({offsets[i], end});
  }
}

/// Where two ranges overlap that are not the same.
std::optional<std::int64_t> Indexer::overlap() {
  std::ranges::sort(ranges_);
  ranges_.erase(std::unique(ranges_.begin(), ranges_.end()), ranges_.end());
  for (std::size_t i = 1; i < ranges_.size(); ++i)
    if (ranges_[i].begin < ranges_[i - 1].end) return ranges_[i].begin;
  return std::nullopt;
}

void Indexer::check_overlap() {
  if (!overlap()) return;
  // Blocks may be shared whole, which neighbours that were taken together do not show
  ranges_.clear();
  are_apart_ = true;
  tags_.forget_claims();
  for (const TiffPage& page : index_.pages) {
    const TiffFormat& format = index_.formats[page.format];
    if (format.is_reduced) continue;
    const auto directory = tags_.directory(page.offset);
    const Blocks blocks = blocks_of(directory, format);
    add_ranges(blocks.offsets, blocks.sizes);
  }
  if (const auto at = overlap())
    tags_.broken(fmt::format("two of its strips or tiles overlap at byte {}", *at));
}

void Indexer::check_ratio() const {
  constexpr double kSmall = 1 << 30;
  const double ratio = declared_bytes_ / static_cast<double>(index_.file.size());
  if (declared_bytes_ > kSmall && ratio > limits_.declared_to_file_ratio)
    throw InvalidInput(fmt::format(
        "open {}: it declares {} of pixels in a file of {}, the limit is {} to 1; raise it with "
        "--max-ratio if you trust the file",
        index_.file.path().string(),
        print_bytes(static_cast<std::int64_t>(std::min(declared_bytes_, 0x1p62))),
        print_bytes(index_.file.size()), limits_.declared_to_file_ratio));
}

}  // namespace

std::int64_t TiffFormat::blocks_across() const {
  return (width + block_width - 1) / block_width;
}

std::int64_t TiffFormat::blocks_down() const {
  return (height + block_height - 1) / block_height;
}

std::int64_t TiffFormat::blocks() const {
  return blocks_across() * blocks_down() * (is_planar ? samples : 1);
}

std::int64_t TiffFormat::block_row_bytes() const {
  return (block_width * samples_per_block() * bits + 7) / 8;
}

std::int64_t TiffFormat::block_rows(std::int64_t row) const {
  return is_tiled ? block_height : std::min(block_height, height - row * block_height);
}

std::int64_t TiffFormat::sample_plane_bytes() const {
  return height * ((width * bits + 7) / 8);
}

void TiffFormat::fill(std::byte* voxels, std::int64_t count) const {
  visit_pixel_type(type, [&](auto zero) {
    using T = decltype(zero);
    auto* first = reinterpret_cast<T*>(voxels);
    std::fill(first, first + count, static_cast<T>(missing_value));
  });
}

std::string TiffIndex::description_of(std::int64_t page, const InputLimits& limits) const {
  TiffTags tags{file, limits};
  const auto directory = tags.directory(pages[static_cast<std::size_t>(page)].offset);
  const auto* entry = directory.find(TIFFTAG_IMAGEDESCRIPTION);
  return entry ? tags.text(*entry, limits) : std::string{};
}

TiffIndex::TiffIndex(InputFile opened, const InputLimits& limits) : file{std::move(opened)} {
  Indexer{*this, limits}.run();
}

}  // namespace synthoscope::imageio
