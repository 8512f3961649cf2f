// SPDX-License-Identifier: MIT
#include "textures/models/word_counter.hpp"
#include "kernels/visual_words/word_map.hpp"

namespace synthoscope::textures {

WordCounter::WordCounter(const Extent3& image, std::int64_t words, int levels, MemoryBudget& memory)
    : image_{image},
      type_{kernels::word_type(words)},
      held_{memory.reserve(kernels::WordCounts::bytes(image, words, levels), "counts of words")},
      counts_{image, words, levels} {}

void WordCounter::write(const Box3& box, ConstVoxelView words) {
  const std::scoped_lock lock{counting_};
  counts_.add(box, words);
}

}  // namespace synthoscope::textures
