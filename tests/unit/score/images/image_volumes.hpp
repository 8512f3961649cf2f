// SPDX-License-Identifier: MIT
// tests/unit/score/images/image_volumes.hpp — a truth and a result in memory, made voxel by voxel.
#pragma once
#include <cmath>
#include <cstdint>
#include "core/stream/memory_stream.hpp"
#include "score/images/image_pair.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::test {

/// @param value  value(z, y, x) of each voxel
template <class T, class Value>
Volume<T> made_image(const Extent3& extent, Value&& value) {
  Volume<T> image{extent};
  std::size_t i = 0;
  for (std::int64_t z = 0; z < extent.z; ++z)
    for (std::int64_t y = 0; y < extent.y; ++y)
      for (std::int64_t x = 0; x < extent.x; ++x)
        image.voxels[i++] = static_cast<T>(value(z, y, x));
  return image;
}

/// The truth of golden values: 100 + 60 sin(0.35 x + 0.2 z) cos(0.27 y).
inline Volume<double> wavy_truth(const Extent3& extent) {
  return made_image<double>(extent, [](std::int64_t z, std::int64_t y, std::int64_t x) {
    return 100 + 60 * std::sin(0.35 * static_cast<double>(x) + 0.2 * static_cast<double>(z)) *
                     std::cos(0.27 * static_cast<double>(y));
  });
}

/// The result of golden values: 0.8 truth + 12 + (7 x + 13 y + 29 z + x y) mod 17 - 8.
inline Volume<double> wavy_result(const Extent3& extent) {
  const Volume<double> truth = wavy_truth(extent);
  std::size_t i = 0;
  return made_image<double>(extent, [&](std::int64_t z, std::int64_t y, std::int64_t x) {
    return 0.8 * truth.voxels[i++] + 12 +
           static_cast<double>((7 * x + 13 * y + 29 * z + x * y) % 17 - 8);
  });
}

/// Calls `body(truth, result, context)` and returns what it returns.
template <class A, class B, class Body>
auto with_pair(const Volume<A>& truth, const Volume<B>& result, Body&& body, int threads = 2,
               std::int64_t memory = std::int64_t{1} << 30) {
  TestContext test{threads, memory};
  MemorySource in_truth{ConstVoxelView{truth.view()}}, in_result{ConstVoxelView{result.view()}};
  return body(score::ScoredImage{in_truth, "truth.tif"},
              score::ScoredImage{in_result, "result.tif"}, test.context);
}

}  // namespace synthoscope::test
