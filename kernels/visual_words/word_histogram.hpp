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

/// Levels of a pyramid beyond the whole image, at most.
inline constexpr int kMostPyramidLevels = 5;

/// Words counted in the cells of the finest level of a pyramid. Level l has 2^l cells along every
/// axis that is longer than one voxel; voxel p of n is in cell floor(p 2^l / n).
class WordCounts {
 public:
  /// @param words   values of word maps are less
  /// @param levels  0: the whole image alone
  /// @throws InvalidSpec  levels are out of range, or an axis has fewer voxels than cells.
  WordCounts(const Extent3& image, std::int64_t words, int levels = 0);

  /// What one holds, in bytes. @throws InvalidSpec  also where these are more than 63 bits count
  static std::int64_t bytes(const Extent3& image, std::int64_t words, int levels);

  /// Counts the words of `box`, which is in the image: uint8 or uint16, of its size. Boxes may come
  /// in any order. By one thread at a time.
  /// @throws InvalidInput  a word is not of the dictionary; what was counted is of no use then.
  void add(const Box3& box, const ConstVoxelView& words);
  /// Counts what another counted of the same image.
  void add(const WordCounts& other);

  /// Of each cell, in the order z, y, x, its words.
  [[nodiscard]] std::span<const std::int64_t> counts() const { return counts_; }
  [[nodiscard]] std::int64_t total() const;

  /// The words of all cells of all levels, coarsest first, as shares of what was counted, times the
  /// level's weight: 2^-L for the whole image and 2^(l-L-1) for level l of 1..L. They add up to 1;
  /// of two, the sum of the smaller ones is the pyramid match kernel, equation (3).
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

/// Values of a histogram: of all cells of all levels. @throws InvalidSpec  as WordCounts.
std::int64_t histogram_length(const Extent3& image, std::int64_t words, int levels);

}  // namespace synthoscope::kernels
