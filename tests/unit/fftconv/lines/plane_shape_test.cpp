// SPDX-License-Identifier: MIT
// Shapes of planes that clusters of blocks transform are possible where they are chosen, and are
// refused elsewhere.
#include "fftconv/lines/plane_shape.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "tests/support/case_name.hpp"
#include "tests/support/plan_case.hpp"

namespace synthoscope::fftconv::device {
namespace {

using test::kH200;

const PlaneShape kPossible{{32, 1, {8, 4}}, {8, 1, {8}}, 4, 2, 32, 2};

TEST(PlaneShape, OfTheTableArePossibleOnDevicesWithClustersOnly) {
  BlockLimits older = kH200;
  older.clusters = false;
  ASSERT_FALSE(tuned_planes().empty());
  for (const PlaneShape& shape : tuned_planes()) {
    const PlaneSize plane{shape.rows_of_plane(), shape.rows.length};
    EXPECT_TRUE(has_tuned_plane(plane));
    const bool alone = shape.classes == 1;
    for (const std::int64_t length_z : {0, 64, 512}) {
      const auto tuned = [&](const BlockLimits& limits) {
        return alone ? tuned_passes_alone(plane, limits)
                     : tuned_plane_passes(plane, length_z, limits);
      };
      const PlanePasses passes = tuned(kH200);
      ASSERT_TRUE(passes.any()) << plane.rows;
      EXPECT_EQ(passes.planes, shape) << plane.rows;
      EXPECT_EQ(passes.columns_z.classes, passes.planes.classes);
      EXPECT_FALSE(tuned(older).any());
    }
    const PlaneFactors factors = plane_factors_of(shape);
    EXPECT_LE(static_cast<std::int64_t>(factors.rows.size() + factors.columns.size() +
                                        factors.turns.size() + factors.class_turns.size()),
              most_plane_factor_floats(plane));
  }
}

TEST(PlaneShape, OfPrimesAndOfOneRowAreNotInTheTable) {
  for (const PlaneSize& plane : {PlaneSize{509, 256}, {512, 251}, {1, 256}, {512, 1}})
    EXPECT_FALSE(tuned_plane_passes(plane, 64, kH200).any() ||
                 tuned_passes_alone(plane, kH200).any() || has_tuned_plane(plane))
        << plane.rows << "x" << plane.half;
}

TEST(PlaneShape, NeedsColumnsAlongZThatABlockHolds) {
  EXPECT_TRUE(plane_passes(kPossible, 1024, kH200).any());
  EXPECT_FALSE(plane_passes(kPossible, 2048, kH200).any()) << "sixteen columns do not fit";
  EXPECT_FALSE(plane_passes(kPossible, 3, kH200).any()) << "one stage";
  PlaneShape whole = kPossible;
  whole.classes = 1;
  EXPECT_TRUE(plane_passes(whole, 2048, kH200).any());
}

struct Refused {
  const char* name;
  PlaneShape shape;
};

class RefusedShape : public testing::TestWithParam<Refused> {};

TEST_P(RefusedShape, IsNotPossible) {
  EXPECT_FALSE(is_possible(GetParam().shape, kH200));
}

PlaneShape with(void (*change)(PlaneShape&)) {
  PlaneShape shape = kPossible;
  change(shape);
  return shape;
}

INSTANTIATE_TEST_SUITE_P(
    Table, RefusedShape,
    testing::Values(Refused{"one_block", with([](PlaneShape& s) { s.cluster = 1; })},
                    Refused{"odd_cluster", with([](PlaneShape& s) { s.cluster = 3; })},
                    Refused{"more_than_sixteen_blocks",
                            with([](PlaneShape& s) { s.cluster = 32; })},
                    Refused{"rows_of_several_warps", with([](PlaneShape& s) {
                              s.rows = {512, 1, {8, 64}};
                            })},
                    Refused{"part_of_a_warp", with([](PlaneShape& s) { s.threads = 48; })},
                    Refused{"more_than_shared_memory", with([](PlaneShape& s) {
                              s.rows = {1024, 1, {32, 32}}, s.columns = {32, 1, {32}};
                            })},
                    Refused{"no_rows", PlaneShape{}}),
    synthoscope::test::kCaseName);

TEST(PlaneFactors, AreTheirFormulae) {
  const PlaneFactors factors = plane_factors_of(kPossible);
  const auto expect_turn = [](const std::vector<float>& table, std::size_t at, double turns) {
    constexpr double kTwoPi = 6.283185307179586;
    EXPECT_NEAR(table.at(2 * at), std::cos(-kTwoPi * turns), 1e-7);
    EXPECT_NEAR(table.at(2 * at + 1), std::sin(-kTwoPi * turns), 1e-7);
  };
  expect_turn(factors.rows, 3 * 4 + 2, (2 * 3 + 0.25 * 2) / 32);  // m = 3, j = 2
  expect_turn(factors.turns, 5 * 4 + 3, 5.0 * 3 / 32);            // position 5 is frequency 5
  expect_turn(factors.class_turns, 11 * 2 + 1, 11.0 / 64);        // row 11, class 1
  EXPECT_EQ(factors.class_turns.size(), 2u * 32 * 2);
}

}  // namespace
}  // namespace synthoscope::fftconv::device
