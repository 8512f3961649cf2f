// SPDX-License-Identifier: MIT
// tests/support/operation_case.hpp — runs operations on neighbourhoods, at once and cut small.
#pragma once
#include <gtest/gtest.h>
#include <memory>
#include <vector>
#include "kernels/operation/run_bricks.hpp"
#include "tests/support/checking_stream.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::test {

/// Result volumes of one operation, all of them of type T.
template <class T>
using Results = std::vector<Volume<T>>;

/// All results at once, of an image in memory.
template <class T, class Pixel>
Results<T> apply_whole(kernels::Operation& operation, const Volume<Pixel>& image, int threads = 1) {
  Results<T> results(operation.types().size(), Volume<T>{operation.extent()});
  std::vector<VoxelView> views;
  for (auto& result : results) views.emplace_back(result.view());
  TaskPool pool{threads};
  operation.apply(kernels::whole_window(image.view()), whole(operation.extent()), views, pool);
  return results;
}

/// The same through bricks of at most `brick_bytes` with their windows, whose sinks take boxes in
/// `order`. Says how often the image was held by `voxels_held`.
template <class T, class Pixel>
Results<T> apply_in_bricks(kernels::Operation& operation, const Volume<Pixel>& image,
                           BoxOrder order, std::int64_t brick_bytes,
                           kernels::BrickPlan* plan_made = nullptr) {
  TestContext test;
  MemorySource memory{image.view()};
  CountingSource source{memory};
  const auto plan = kernels::plan_bricks(operation, image.extent, pixel_type_of<Pixel>(), order,
                                         {test.memory.limit()}, test.pool.threads(), brick_bytes);
  if (plan_made) *plan_made = plan;
  std::vector<std::unique_ptr<CheckingSink<T>>> kept;
  std::vector<Sink*> sinks;
  for (std::size_t i = 0; i < operation.types().size(); ++i) {
    kept.push_back(std::make_unique<CheckingSink<T>>(operation.extent(), order));
    sinks.push_back(kept.back().get());
  }
  kernels::run_bricks(plan, operation, source, sinks, test.context);
  EXPECT_LE(test.memory.peak(), plan.bytes());
  Results<T> results;
  for (const auto& sink : kept) {
    EXPECT_TRUE(sink->whole());
    results.push_back(std::move(sink->kept));
  }
  return results;
}

/// Results are the same to the last bit however they are cut, and by one thread and by three.
template <class T, class Pixel>
void expect_same_in_bricks(kernels::Operation& operation, const Volume<Pixel>& image) {
  const Results<T> expected = apply_whole<T>(operation, image);
  const auto expect_same = [&](const Results<T>& got) {
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_TRUE(std::ranges::equal(expected[i].voxels, got[i].voxels,
                                     [](T a, T b) { return a == b || (a != a && b != b); }))
          << "result " << i;
  };
  expect_same(apply_whole<T>(operation, image, 3));
  for (const BoxOrder order : {BoxOrder::any, BoxOrder::planes_in_order})
    for (const std::int64_t parts : {2, 7, 40}) {
      SCOPED_TRACE(testing::Message() << "about " << parts << " bricks");
      const std::int64_t bytes = volume(image.extent) * std::int64_t{sizeof(Pixel)} +
                                 volume(operation.extent()) * std::int64_t{sizeof(T)};
      expect_same(apply_in_bricks<T>(operation, image, order, bytes / parts));
    }
}

}  // namespace synthoscope::test
