// SPDX-License-Identifier: MIT
#include "score/labels/overlap.hpp"
#include <gtest/gtest.h>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <utility>
#include "core/base/error.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/score/labels/label_volumes.hpp"

namespace synthoscope::score {
namespace {

using test::expect_failure;
using test::overlaps_of;
using test::TestContext;

template <class T>
Volume<T> random_blocks(const Extent3& extent, std::int64_t block, std::vector<T> ids,
                        unsigned seed) {
  std::mt19937 random{seed};
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, T> chosen;
  return test::made_labels<T>(extent, [&](std::int64_t z, std::int64_t y, std::int64_t x) {
    const auto [at, is_new] = chosen.try_emplace({z / block, y / block, x / block});
    if (is_new) at->second = ids[random() % ids.size()];
    return at->second;
  });
}

/// Compares a table with counts of every voxel.
template <class A, class B>
void expect_exact(const Volume<A>& truth, const Volume<B>& result, const OverlapTable& table) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> shared;
  std::map<std::int64_t, std::int64_t> in_truth, in_result;
  for (std::size_t i = 0; i < truth.voxels.size(); ++i) {
    const auto a = static_cast<std::int64_t>(truth.voxels[i]);
    const auto b = static_cast<std::int64_t>(result.voxels[i]);
    if (a != 0) ++in_truth[a];
    if (b != 0) ++in_result[b];
    if (a != 0 && b != 0) ++shared[{a, b}];
  }
  ASSERT_EQ(table.truth.size(), in_truth.size());
  ASSERT_EQ(table.results.size(), in_result.size());
  ASSERT_EQ(table.overlaps.size(), shared.size());
  for (const LabelledObject& object : table.truth) EXPECT_EQ(object.voxels, in_truth[object.id]);
  for (const LabelledObject& object : table.results) EXPECT_EQ(object.voxels, in_result[object.id]);
  for (const Overlap& overlap : table.overlaps) {
    const std::pair ids{table.truth[overlap.truth].id, table.results[overlap.result].id};
    EXPECT_EQ(overlap.voxels, shared[ids]);
  }
}

TEST(Overlap, CountsTheVoxelsOfEveryPairInAllTypes) {
  const Extent3 extent{3, 40, 133};
  const auto truth = random_blocks<std::uint16_t>(extent, 7, {0, 0, 1, 2, 65535}, 1);
  const auto check = [&]<class T>(std::vector<T> ids) {
    const auto result = random_blocks<T>(extent, 5, std::move(ids), 2);
    expect_exact(truth, result, overlaps_of(truth, result));
    expect_exact(result, truth, overlaps_of(result, truth));
  };
  check(std::vector<std::uint8_t>{0, 1, 255});
  check(std::vector<std::int16_t>{0, -1, 3});
  check(std::vector<std::uint32_t>{0, 70000, 4294967295u});
  check(std::vector<std::int32_t>{0, -70000, 2});
  check(std::vector<float>{0, -0.0f, 7, 16777216});
  check(std::vector<double>{0, -0.0, -5, 9007199254740992.0});
}

TEST(Overlap, KnowsWhereObjectsLie) {
  const auto image = test::made_labels<std::uint16_t>(
      {4, 6, 8}, [](std::int64_t z, std::int64_t y, std::int64_t x) {
        if (z == 1 && y >= 2 && y <= 3 && x >= 4 && x <= 6) return std::uint16_t{9};
        return std::uint16_t(z == 3 && y == 2 && x == 2 ? 4 : 0);
      });
  const OverlapTable table = overlaps_of(image, image);
  ASSERT_EQ(table.truth.size(), 2u);
  const LabelledObject &dot = table.truth[0], &block = table.truth[1];
  EXPECT_EQ(block.id, 9);
  EXPECT_EQ(block.low, (Index3{1, 2, 4}));
  EXPECT_EQ(block.high, (Index3{1, 3, 6}));
  EXPECT_EQ(block.mean(block.sum_z), 1);
  EXPECT_EQ(block.mean(block.sum_y), 2.5);
  EXPECT_EQ(block.mean(block.sum_x), 5);
  EXPECT_FALSE(block.touches_border(table.extent));
  EXPECT_TRUE(dot.touches_border(table.extent));
  EXPECT_EQ(table.iou(table.overlaps[0]), 1);
}

TEST(Overlap, IsTheSameForAnyNumberOfThreads) {
  const Extent3 extent{20, 300, 400};
  const auto truth = random_blocks<std::uint16_t>(extent, 11, {0, 1, 2, 3, 4, 5}, 3);
  const auto result = random_blocks<std::uint16_t>(extent, 13, {0, 9, 8, 7}, 4);
  const OverlapTable one = overlaps_of(truth, result, 1), four = overlaps_of(truth, result, 4);
  ASSERT_EQ(one.overlaps.size(), four.overlaps.size());
  for (std::size_t i = 0; i < one.overlaps.size(); ++i)
    EXPECT_EQ(one.overlaps[i].voxels, four.overlaps[i].voxels);
}

TEST(Overlap, OfEmptyImagesIsEmpty) {
  const auto empty = Volume<std::uint16_t>{Extent3{2, 3, 4}};
  const OverlapTable table = overlaps_of(empty, empty);
  EXPECT_TRUE(table.truth.empty() && table.results.empty() && table.overlaps.empty());
}

TEST(Overlap, RefusesWhatIsNoLabel) {
  const Volume<std::uint16_t> truth{Extent3{1, 2, 5}};
  for (const float value : {2.5f, std::numeric_limits<float>::quiet_NaN(), 1e30f}) {
    Volume<float> result{truth.extent};
    result.voxels[7] = value;
    expect_failure<InvalidInput>(
        [&] { overlaps_of(truth, result); },
        {"score result.tif", "(0, 1, 2)", "whole numbers", "--kind image"});
  }
}

TEST(Overlap, RefusesAnotherGrid) {
  const Volume<std::uint16_t> truth{Extent3{1, 2, 5}}, result{Extent3{1, 5, 2}};
  expect_failure<InvalidSpec>([&] { overlaps_of(truth, result); },
                              {"score result.tif", "1x5x2", "truth.tif has 1x2x5"});
}

}  // namespace
}  // namespace synthoscope::score
