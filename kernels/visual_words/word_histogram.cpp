// SPDX-License-Identifier: MIT
#include "kernels/visual_words/word_histogram.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include "core/base/as_index.hpp"
#include "core/base/error.hpp"
#include "core/base/round_up.hpp"
#include "kernels/visual_words/dictionary.hpp"

namespace synthoscope::kernels {
namespace {

Extent3 cells_of(const Extent3& image, int level) {
  const auto along = [level](std::int64_t n) {
    return n > 1 ? std::int64_t{1} << level : std::int64_t{1};
  };
  return {along(image.z), along(image.y), along(image.x)};
}

/// Returns the cell of voxel p of an axis of n voxels.
std::int64_t cell_at(std::int64_t p, std::int64_t n, std::int64_t cells) {
  return p * cells / n;
}
std::int64_t first_of_cell(std::int64_t cell, std::int64_t n, std::int64_t cells) {
  return parts_of(cell * n, cells);
}

void require_usable(const Extent3& image, std::int64_t words, int levels) {
  if (words < 1 || words > kMaxWords)
    throw InvalidSpec(
        fmt::format("histogram of words: {} words; 1 to {} are accepted", words, kMaxWords));
  if (levels < 0 || levels > kMaxPyramidLevels)
    throw InvalidSpec(
        fmt::format("histogram of words: a pyramid of {} levels beyond the whole image; 0 to {} "
                    "are accepted",
                    levels, kMaxPyramidLevels));
  const Extent3 cells = cells_of(image, levels);
  if (image.z < cells.z || image.y < cells.y || image.x < cells.x)
    throw InvalidSpec(
        fmt::format("histogram of words: {} voxels in {} cells, which are more than the voxels "
                    "along an axis; ask for fewer levels",
                    image, cells));
}

/// Adds up the counts of 2 x 2 x 2 cells, or of one cell along an axis that has only one.
std::vector<std::int64_t> folded(std::span<const std::int64_t> counts, const Extent3& cells,
                                 const Extent3& coarser, std::int64_t words) {
  std::vector<std::int64_t> sums(as_index(volume(coarser) * words));
  const std::int64_t* from = counts.data();
  for (std::int64_t z = 0; z < cells.z; ++z)
    for (std::int64_t y = 0; y < cells.y; ++y)
      for (std::int64_t x = 0; x < cells.x; ++x, from += words) {
        const Index3 at{z * coarser.z / cells.z, y * coarser.y / cells.y, x * coarser.x / cells.x};
        std::int64_t* const to =
            sums.data() + ((at.z * coarser.y + at.y) * coarser.x + at.x) * words;
        for (std::int64_t k = 0; k < words; ++k) to[k] += from[k];
      }
  return sums;
}

}  // namespace

std::int64_t histogram_length(const Extent3& image, std::int64_t words, int levels) {
  require_usable(image, words, levels);
  std::int64_t length = 0;
  for (int level = 0; level <= levels; ++level) length += volume(cells_of(image, level)) * words;
  return length;
}

std::int64_t WordCounts::bytes(const Extent3& image, std::int64_t words, int levels) {
  require_usable(image, words, levels);
  return volume(cells_of(image, levels)) * words * std::int64_t{sizeof(std::int64_t)};
}

WordCounts::WordCounts(const Extent3& image, std::int64_t words, int levels)
    : image_{image}, words_{words}, levels_{levels} {
  require_usable(image, words, levels);
  cells_ = cells_of(image, levels);
  counts_.resize(as_index(volume(cells_) * words));
}

void WordCounts::add(const Box3& box, const ConstVoxelView& words) {
  SYNTHOSCOPE_ASSERT(contains(image_, box), ==, true);
  SYNTHOSCOPE_ASSERT(words.extent(), ==, box.size);
  if (words.type() == PixelType::uint8) return add_rows(box, words.as<std::uint8_t>());
  add_rows(box, words.as<std::uint16_t>());
}

template <class Word>
void WordCounts::add_rows(const Box3& box, const HostView3<const Word>& words) {
  for (std::int64_t z = 0; z < box.size.z; ++z)
    for (std::int64_t y = 0; y < box.size.y; ++y) {
      const Word* const row = words.row(z, y);
      // This loop can be vectorised
      const auto most = std::int64_t{std::accumulate(
          row, row + box.size.x, Word{0}, [](Word a, Word b) { return std::max(a, b); })};
      if (most >= words_)
        throw InvalidInput(fmt::format(
            "histogram of words: word {} in plane {}, row {} of a map whose dictionary has {} "
            "words; take the map and the dictionary of the same model",
            most, box.origin.z + z, box.origin.y + y, words_));
      const std::int64_t cell_z = cell_at(box.origin.z + z, image_.z, cells_.z);
      const std::int64_t cell_y = cell_at(box.origin.y + y, image_.y, cells_.y);
      const std::int64_t end = box.origin.x + box.size.x;
      for (std::int64_t x = box.origin.x; x < end;) {
        const std::int64_t cell_x = cell_at(x, image_.x, cells_.x);
        const std::int64_t last = std::min(end, first_of_cell(cell_x + 1, image_.x, cells_.x));
        std::int64_t* const counts =
            counts_.data() + ((cell_z * cells_.y + cell_y) * cells_.x + cell_x) * words_;
        for (; x < last; ++x) ++counts[row[x - box.origin.x]];
      }
    }
}

void WordCounts::add(const WordCounts& other) {
  SYNTHOSCOPE_ASSERT(other.image_, ==, image_);
  SYNTHOSCOPE_ASSERT(other.counts_.size(), ==, counts_.size());
  std::ranges::transform(counts_, other.counts_, counts_.begin(), std::plus{});
}

std::int64_t WordCounts::total() const {
  return std::accumulate(counts_.begin(), counts_.end(), std::int64_t{0});
}

std::vector<float> WordCounts::histogram() const {
  const auto all = static_cast<double>(total());
  if (all == 0)
    throw InvalidSpec("histogram of words: no voxel was counted; add the boxes of a word map");

  // Level by level from the finest, which is stored last
  std::vector<float> histogram(as_index(histogram_length(image_, words_, levels_)));
  auto end = histogram.end();
  std::vector<std::int64_t> counts = counts_;
  for (int level = levels_;; --level) {
    const double weight = std::ldexp(1.0, level == 0 ? -levels_ : level - levels_ - 1);
    end -= std::ssize(counts);
    std::ranges::transform(counts, end, [&](std::int64_t count) {
      return static_cast<float>(weight * static_cast<double>(count) / all);
    });
    if (level == 0) return histogram;
    counts = folded(counts, cells_of(image_, level), cells_of(image_, level - 1), words_);
  }
}

}  // namespace synthoscope::kernels
