// SPDX-License-Identifier: MIT
#include "textures/word_counter.hpp"
#include <utility>
#include "kernels/visual_words/word_map.hpp"

namespace synthoscope::textures {
namespace {

std::int64_t counted_bytes(const std::vector<Box3>& patches, std::int64_t words, int levels) {
  std::int64_t bytes = 0;
  for (const Box3& patch : patches) bytes += kernels::WordCounts::bytes(patch.size, words, levels);
  return bytes;
}

/// A part of a view, whose box holds it.
ConstVoxelView part_of(const ConstVoxelView& all, const Box3& box, const Box3& part) {
  const Index3 at{part.origin.z - box.origin.z, part.origin.y - box.origin.y,
                  part.origin.x - box.origin.x};
  const std::int64_t first = (at.z * box.size.y + at.y) * all.pitch() + at.x;
  return {all.data() + first * size_of(all.type()), all.type(), part.size, all.pitch()};
}

}  // namespace

WordCounter::WordCounter(const Extent3& image, std::vector<Box3> patches, std::int64_t words,
                         int levels, MemoryBudget& memory)
    : image_{image},
      patches_{std::move(patches)},
      type_{kernels::word_type(words)},
      held_{memory.reserve(counted_bytes(patches_, words, levels), "counts of words")} {
  counts_.reserve(patches_.size());
  for (const Box3& patch : patches_) counts_.emplace_back(patch.size, words, levels);
}

void WordCounter::write(const Box3& box, ConstVoxelView words) {
  const std::scoped_lock lock{counting_};
  for (std::size_t i = 0; i < patches_.size(); ++i) {
    Box3 common = intersection(box, patches_[i]);
    // Planes of a view lie back to back: a part of their rows is taken plane by plane
    const std::int64_t planes = volume(common.size) > 0 ? common.size.z : 0;
    common.size.z = 1;
    for (std::int64_t z = 0; z < planes; ++z, ++common.origin.z)
      counts_[i].add(shifted(common, patches_[i].origin, -1), part_of(words, box, common));
  }
}

void WordCounter::append_histograms(std::vector<float>& histograms) const {
  for (const kernels::WordCounts& one : counts_) {
    const std::vector<float> histogram = one.histogram();
    histograms.insert(histograms.end(), histogram.begin(), histogram.end());
  }
}

}  // namespace synthoscope::textures
