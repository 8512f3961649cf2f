// SPDX-License-Identifier: MIT
#include "imageio/tiff_index.hpp"
#include <fmt/format.h>
#include <tiff.h>
#include <algorithm>
#include <unordered_set>
#include "core/error.hpp"
#include "core/memory_budget.hpp"
#include "imageio/tiff_format.hpp"

namespace synthoscope::imageio {
namespace {

/// A range of bytes that holds pixels.
struct ByteRange {
  std::int64_t begin, end;
};

/// Follows the chain of directories and fills an index.
class Indexer {
 public:
  Indexer(TiffIndex& index, const InputLimits& limits)
      : index_{index}, limits_{limits}, tags_{index.file} {}

  void run();

 private:
  void add_page(const TiffRawDirectory& directory);
  void read_metadata(const TiffRawDirectory& directory);
  std::vector<std::int64_t> offsets_of(const TiffRawDirectory& directory, const TiffFormat& format);
  std::vector<std::int64_t> sizes_of(const TiffRawDirectory& directory, const TiffFormat& format);
  void add_ranges(const std::vector<std::int64_t>& offsets, const std::vector<std::int64_t>& sizes);
  void check_overlap();
  void check_ratio() const;

  TiffIndex& index_;
  const InputLimits& limits_;
  TiffTags tags_;
  std::vector<ByteRange> ranges_;
  double declared_bytes_ = 0;
};

void Indexer::run() {
  index_.is_big = tags_.is_big();
  index_.is_foreign_order = tags_.is_foreign_order();
  std::unordered_set<std::int64_t> seen;
  for (std::int64_t at = tags_.first_directory(); at != 0;) {
    if (!seen.insert(at).second)
      tags_.broken(fmt::format("its directory at byte {} comes twice in the chain", at));
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
  check_ratio();
  check_overlap();
}

void Indexer::read_metadata(const TiffRawDirectory& directory) {
  if (const auto* entry = directory.find(TIFFTAG_IMAGEDESCRIPTION))
    index_.description = tags_.text(*entry, limits_.description_bytes);
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
  declared_bytes_ +=
      static_cast<double>(format.sample_plane_bytes()) * static_cast<double>(format.samples);

  auto offsets = offsets_of(directory, format);
  const auto sizes = sizes_of(directory, format);
  add_ranges(offsets, sizes);
  if (!format.is_compressed()) {
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
    tags_.broken(fmt::format("page {} does not say where its pixels are", index_.pages.size()));
  auto offsets = tags_.integers(*entry);
  if (static_cast<std::int64_t>(offsets.size()) < format.blocks())
    tags_.broken(fmt::format("page {} needs {} strips or tiles but lists {}", index_.pages.size(),
                             format.blocks(), offsets.size()));
  offsets.resize(static_cast<std::size_t>(format.blocks()));
  return offsets;
}

/// Stored bytes of each block. What uncompressed blocks need follows from their shape; the counts
/// in such files are often missing or wrong.
std::vector<std::int64_t> Indexer::sizes_of(const TiffRawDirectory& directory,
                                            const TiffFormat& format) {
  if (format.is_compressed()) {
    const auto* entry =
        directory.find(format.is_tiled ? TIFFTAG_TILEBYTECOUNTS : TIFFTAG_STRIPBYTECOUNTS);
    if (!entry && format.is_tiled) entry = directory.find(TIFFTAG_STRIPBYTECOUNTS);
    auto sizes = entry ? tags_.integers(*entry) : std::vector<std::int64_t>{};
    if (static_cast<std::int64_t>(sizes.size()) < format.blocks())
      tags_.broken(fmt::format("page {} needs {} strips or tiles but gives the size of {}",
                               index_.pages.size(), format.blocks(), sizes.size()));
    sizes.resize(static_cast<std::size_t>(format.blocks()));
    return sizes;
  }
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(format.blocks()));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const auto row = static_cast<std::int64_t>(i) / format.blocks_across() % format.blocks_down();
    sizes[i] = format.block_rows(row) * format.block_row_bytes();
  }
  return sizes;
}

void Indexer::add_ranges(const std::vector<std::int64_t>& offsets,
                         const std::vector<std::int64_t>& sizes) {
  const std::int64_t file_bytes = index_.file.size();
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] == 0 || sizes[i] < 1)
      tags_.broken(fmt::format("strip or tile {} of page {} has no data", i, index_.pages.size()));
    if (offsets[i] > file_bytes || sizes[i] > file_bytes - offsets[i])
      tags_.broken(
          fmt::format("page {} needs {} bytes from byte {} on but the file ends at byte "
                      "{}",
                      index_.pages.size(), sizes[i], offsets[i], file_bytes));
    const std::int64_t end = offsets[i] + sizes[i];
    if (!ranges_.empty() && ranges_.back().end == offsets[i])
      ranges_.back().end = end;
    else
      ranges_.push_back({offsets[i], end});
  }
}

void Indexer::check_overlap() {
  std::sort(ranges_.begin(), ranges_.end(),
            [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  for (std::size_t i = 1; i < ranges_.size(); ++i)
    if (ranges_[i].begin < ranges_[i - 1].end)
      tags_.broken(fmt::format("two of its strips or tiles overlap at byte {}", ranges_[i].begin));
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
  return block_width * samples_per_block() * size_of(type);
}

std::int64_t TiffFormat::block_rows(std::int64_t row) const {
  return is_tiled ? block_height : std::min(block_height, height - row * block_height);
}

std::int64_t TiffFormat::sample_plane_bytes() const {
  return height * width * size_of(type);
}

TiffIndex::TiffIndex(const std::filesystem::path& path, const InputLimits& limits) : file{path} {
  Indexer{*this, limits}.run();
}

}  // namespace synthoscope::imageio
