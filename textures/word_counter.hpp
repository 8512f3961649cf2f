// SPDX-License-Identifier: MIT
// textures/word_counter.hpp — takes a word map and counts the words of its patches.
#pragma once
#include <mutex>
#include <vector>
#include "core/memory_budget.hpp"
#include "core/stream.hpp"
#include "kernels/visual_words/word_histogram.hpp"

namespace synthoscope::textures {

/// Words of every patch of an image, which need not cover it, in the cells of a pyramid each.
class WordCounter final : public Sink {
 public:
  /// @param patches  disjoint
  /// @throws InvalidSpec  as kernels::WordCounts.  @throws PlanError  no room for the counts.
  WordCounter(const Extent3& image, std::vector<Box3> patches, std::int64_t words, int levels,
              MemoryBudget& memory);
  [[nodiscard]] Extent3 extent() const override { return image_; }
  [[nodiscard]] PixelType pixel_type() const override { return type_; }
  [[nodiscard]] BoxOrder accepts() const override { return BoxOrder::any; }
  void write(const Box3& box, ConstVoxelView words) override;
  void close() override {}

  [[nodiscard]] const std::vector<Box3>& patches() const { return patches_; }
  /// The histogram of every patch behind those of `histograms`.
  void append_histograms(std::vector<float>& histograms) const;

 private:
  Extent3 image_;
  std::vector<Box3> patches_;
  PixelType type_;
  Reservation held_;
  std::mutex counting_;  ///< much less is done under it than was done to find words
  std::vector<kernels::WordCounts> counts_;
};

}  // namespace synthoscope::textures
