// SPDX-License-Identifier: MIT
// textures/models/word_counter.hpp — takes a word map and counts its words.
#pragma once
#include <mutex>
#include "core/run/memory_budget.hpp"
#include "core/stream/stream.hpp"
#include "kernels/visual_words/word_histogram.hpp"

namespace synthoscope::textures {

class WordCounter final : public Sink {
 public:
  /// @throws InvalidSpec  as kernels::WordCounts.  @throws PlanError  no room for the counts.
  WordCounter(const Extent3& image, std::int64_t words, int levels, MemoryBudget& memory);
  [[nodiscard]] Extent3 extent() const override { return image_; }
  [[nodiscard]] PixelType pixel_type() const override { return type_; }
  [[nodiscard]] BoxOrder accepts() const override { return BoxOrder::any; }
  void write(const Box3& box, ConstVoxelView words) override;
  void close() override {}

  [[nodiscard]] const kernels::WordCounts& counts() const { return counts_; }

 private:
  Extent3 image_;
  PixelType type_;
  Reservation held_;
  std::mutex counting_;  ///< much less is done under it than was done to find words
  kernels::WordCounts counts_;
};

}  // namespace synthoscope::textures
