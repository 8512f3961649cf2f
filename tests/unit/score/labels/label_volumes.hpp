// SPDX-License-Identifier: MIT
// tests/unit/score/labels/label_volumes.hpp — label images in memory, made voxel by voxel.
#pragma once
#include <cstdint>
#include "core/stream/memory_stream.hpp"
#include "score/labels/overlap.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::test {

/// @param label  label(z, y, x) of each voxel
template <class T, class Label>
Volume<T> made_labels(const Extent3& extent, Label&& label) {
  Volume<T> image{extent};
  std::size_t i = 0;
  for (std::int64_t z = 0; z < extent.z; ++z)
    for (std::int64_t y = 0; y < extent.y; ++y)
      for (std::int64_t x = 0; x < extent.x; ++x)
        image.voxels[i++] = static_cast<T>(label(z, y, x));
  return image;
}

template <class A, class B>
score::OverlapTable overlaps_of(const Volume<A>& truth, const Volume<B>& result, int threads = 2) {
  TestContext test{threads};
  MemorySource in_truth{ConstVoxelView{truth.view()}}, in_result{ConstVoxelView{result.view()}};
  auto table = overlap_of(score::LabelImage{in_truth, "truth.tif"},
                          score::LabelImage{in_result, "result.tif"}, test.context);
  table.counted = {};  // the budget ends here
  return table;
}

}  // namespace synthoscope::test
