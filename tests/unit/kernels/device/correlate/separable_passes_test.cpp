// SPDX-License-Identifier: MIT
// Which passes sum along the axes on a device, and what they are expected to take. Needs no device.
#include "kernels/device/correlate/separable_passes.hpp"
#include <gtest/gtest.h>
#include <string>
#include "kernels/correlate/device_correlation.hpp"
#include "kernels/filters/named_filters.hpp"
#include "tests/support/case_name.hpp"

namespace synthoscope::kernels::device {
namespace {

struct PassesCase {
  const char* name;
  Extent3 weights;
  const char* fused;  ///< axes of each pass: "yx z"
  const char* plain;
  bool may_be_one;
};

const PassesCase kPassesCases[] = {
    {"nothing", {1, 1, 1}, "x", "x", false},
    {"rows", {1, 1, 9}, "yx", "x", false},
    {"columns", {1, 9, 1}, "y", "y", false},
    {"a_plane", {1, 9, 9}, "yx", "x y", false},
    {"a_volume", {5, 9, 9}, "yx z", "x y z", true},
    {"planes_and_rows", {5, 1, 9}, "yx z", "x z", true},
    {"wider_than_registers", {1, 9, 99}, "x y", "x y", false},
    {"deeper_than_registers", {99, 9, 9}, "yx z", "x y z", false},
};

std::string print_passes(const SeparablePasses& of) {
  std::string text;
  for (const Pass& pass : of.passes())
    text += std::string{text.empty() ? "" : " "} + (pass.z ? "z" : "") + (pass.y ? "y" : "") +
            (pass.x ? "x" : "");
  return text;
}

SeparableStencil ones(const Extent3& extent) {
  const auto axis = [](std::int64_t n) {
    return std::vector<double>(static_cast<std::size_t>(n), 1.0);
  };
  return separable_stencil(axis(extent.z), axis(extent.y), axis(extent.x));
}

class Passes : public testing::TestWithParam<PassesCase> {};

TEST_P(Passes, GoAlongTheAxesThatHaveWeights) {
  const PassesCase& c = GetParam();
  const SeparablePasses fused{ones(c.weights), SeparableStrategy::fused};
  EXPECT_EQ(print_passes(fused), c.fused);
  EXPECT_EQ(fused.may_be_one(), c.may_be_one);
  EXPECT_EQ(print_passes({ones(c.weights), SeparableStrategy::plain}), c.plain);
}

INSTANTIATE_TEST_SUITE_P(Table, Passes, testing::ValuesIn(kPassesCases), test::kCaseName);

TEST(PassesOfSums, HoldAllProductsWithTheWeightsOfAxesThatHaveNoPass) {
  SeparableStencil sum = ones({1, 3, 5});
  sum.terms[0].z = {2};
  sum.terms[0].planes.push_back({{1, 2, 3}, {5, 4, 3, 2, 1}});
  const SeparablePasses passes{sum, SeparableStrategy::fused};
  ASSERT_EQ(passes.products().size(), 2U);
  EXPECT_EQ(passes.products()[0].y, (std::vector<float>{2, 2, 2}));
  EXPECT_EQ(passes.products()[1].y, (std::vector<float>{2, 4, 6}));
  EXPECT_EQ(passes.products()[1].x, (std::vector<float>{5, 4, 3, 2, 1}));
  EXPECT_EQ(passes.weights(), 2 * (1 + 3 + 5));
  EXPECT_FALSE(passes.may_be_one());
}

TEST(PassesOfSums, KeepWhatLaterPassesReadAround) {
  const SeparablePasses passes{ones({3, 5, 7}), SeparableStrategy::fused};
  const Box3 window{{8, 18, 27}, {6, 14, 26}}, box{{9, 20, 30}, {4, 10, 20}};
  EXPECT_EQ(passes.made_by(0, window, box), (Box3{{8, 20, 30}, {6, 10, 20}}));
  EXPECT_EQ(passes.voxels_made_by(0, {4, 10, 20}), (4 + 2) * (10 + 4) * (20 + 6));
}

TEST(SumsOnADevice, AreExpectedToTakeWhatWasMeasuredOnAnH200) {
  // docs/benchmarks/crossover.md, 2048 x 2048 and 256 x 256 x 256
  struct Case {
    Extent3 weights;
    double direct_ms, separable_ms, voxels;
  };
  for (const Case& c : {Case{{1, 15, 15}, 0.074, 0.031, 2048. * 2048},
                        Case{{1, 45, 45}, 0.511, 0.068, 2048. * 2048},
                        Case{{1, 91, 91}, 19.044, 0.163, 2048. * 2048},
                        Case{{5, 5, 5}, 0.142, 0.061, 256. * 256 * 256},
                        Case{{17, 17, 17}, 5.759, 0.108, 256. * 256 * 256}}) {
    SCOPED_TRACE(testing::Message() << c.weights);
    EXPECT_NEAR(1e3 * c.voxels * device_direct_seconds(c.weights) / c.direct_ms, 1, 0.35);
    EXPECT_NEAR(1e3 * c.voxels * device_separable_seconds(c.weights) / c.separable_ms, 1, 0.35);
  }
  // Two products take a little longer than twice one
  const double one = device_separable_seconds({1, 9, 9});
  EXPECT_GT(device_separable_seconds({1, 9, 9}, 2), 2 * one);
  EXPECT_LT(device_separable_seconds({1, 9, 9}, 2), 2.5 * one);
}

}  // namespace
}  // namespace synthoscope::kernels::device
