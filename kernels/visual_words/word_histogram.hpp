// SPDX-License-Identifier: MIT
// kernels/visual_words/word_histogram.hpp — how often each word occurs in an image, as a whole or
// in the cells of a spatial pyramid.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>
#include "core/volume/box.hpp"
#include "core/volume/view.hpp"

namespace synthoscope::kernels {

/// Most levels of a pyramid in addition to the whole image.
inline constexpr int kMaxPyramidLevels = 5;

/// Counts of words in the cells of the finest level of a pyramid. Level l has 2^l cells along every
/// axis that is longer than one voxel; voxel p of n is in cell floor(p 2^l / n).
class WordCounts {
 public:
  /// @param words   values of word maps are less than this
  /// @param levels  0: the whole image alone
  /// @throws InvalidSpec  words or levels are out of range, or an axis has fewer voxels than cells.
  WordCounts(const Extent3& image, std::int64_t words, int levels = 0);

  /// Returns the bytes that one holds.
  /// @throws InvalidSpec  as the constructor.
  static std::int64_t bytes(const Extent3& image, std::int64_t words, int levels);

  /// Counts the words of `box`, which is in the image: uint8 or uint16, of its size. Boxes may be
  /// added in any order, by one thread at a time.
  /// @throws InvalidInput  a word is not in the dictionary; the counts are then invalid.
  void add(const Box3& box, const ConstVoxelView& words);
  /// Adds the counts of another object for the same image.
  void add(const WordCounts& other);

  /// Returns the counts of words of each cell, cells in the order z, y, x.
  [[nodiscard]] std::span<const std::int64_t> counts() const { return counts_; }
  [[nodiscard]] std::int64_t total() const;

  /// Returns the counts of words of all cells of all levels, coarsest first, as shares of the
  /// total, times the level's weight: 2^-L for the whole image and 2^(l-L-1) for level l of 1..L.
  /// They add up to 1; for two histograms, the sum of the smaller values is the pyramid match
  /// kernel, equation (3).
  /// @source  Lazebnik, Schmid, Ponce, CVPR 2006, 2169, doi:10.1109/CVPR.2006.68, section 3.
  /// @throws InvalidSpec  nothing was counted.
  [[nodiscard]] std::vector<float> histogram() const;

 private:
  template <class Word>
  void add_rows(const Box3& box, const HostView3<const Word>& words);

  Extent3 image_;
  std::int64_t words_;
  int levels_;
  Extent3 cells_;
  std::vector<std::int64_t> counts_;
};

/// Returns the number of values of a histogram: all cells of all levels.
/// @throws InvalidSpec  as WordCounts.
std::int64_t histogram_length(const Extent3& image, std::int64_t words, int levels);

}  // namespace synthoscope::kernels
