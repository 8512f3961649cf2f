// SPDX-License-Identifier: MIT
#include "deconvolution/image/halves.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "core/math/random.hpp"
#include "deconvolution/iteration/peak_search.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/deconvolution/blurred_field.hpp"

namespace synthoscope::deconvolution {
namespace {

/// Mean and variance of many draws.
struct Moments {
  double mean = 0, variance = 0;
  explicit Moments(const std::vector<double>& values) {
    for (const double v : values) mean += v / static_cast<double>(values.size());
    for (const double v : values)
      variance += (v - mean) * (v - mean) / static_cast<double>(values.size());
  }
};

TEST(Halves, AreBinomialNumbers) {
  constexpr std::int64_t kVoxels = 40000;
  for (const std::int64_t count : {0, 1, 2, 31, 32, 33, 128, 1000, 1024, 1025, 70000}) {
    std::vector<double> halves;
    for (std::int64_t voxel = 0; voxel < kVoxels; ++voxel) {
      const std::int64_t half = first_half(count, 5, voxel);
      ASSERT_GE(half, 0);
      ASSERT_LE(half, count);
      halves.push_back(static_cast<double>(half));
    }
    const Moments found{halves};
    const auto n = static_cast<double>(count);
    // Five standard errors of each
    EXPECT_NEAR(found.mean, n / 2, 5 * std::sqrt(n / 4 / kVoxels)) << count;
    EXPECT_NEAR(found.variance, n / 4, 5 * n / 4 * std::sqrt(2.0 / kVoxels) + 1e-12) << count;
  }
}

/// A Poisson number, by the times between its events.
float poisson_number(double mean, const RandomStream& draws, std::uint64_t voxel) {
  double passed = 0;
  int events = -1;
  for (std::uint16_t i = 0; passed <= mean; ++i, ++events)
    passed -= std::log(uniform32(draws.block(voxel, i)[0]));
  return static_cast<float>(events);
}

TEST(Halves, OfAFlatImageAreIndependent) {
  constexpr double kMean = 12;
  synthoscope::test::TestContext test;
  Volume<float> flat{{4, 100, 100}};
  const RandomStream draws{8, RandomStage::shot_noise};
  for (std::size_t i = 0; i < flat.voxels.size(); ++i)
    flat.voxels[i] = poisson_number(kMean, draws, i);
  MemorySource image{ConstVoxelView{std::as_const(flat).view()}};
  ScratchVolume half{flat.extent, PixelType::float32, test.memory, "half"};
  divide(image, half, 1, test.context);
  OtherHalf other{image, half};
  const auto a = read_all<float>(half), b = read_all<float>(other);
  const std::vector<double> first(a.voxels.begin(), a.voxels.end()),
      second(b.voxels.begin(), b.voxels.end());
  std::vector<double> products;
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i] + second[i], static_cast<double>(flat.voxels[i]));
    products.push_back((first[i] - kMean / 2) * (second[i] - kMean / 2));
  }
  const auto n = static_cast<double>(first.size());
  for (const auto& one : {first, second}) {
    const Moments found{one};
    EXPECT_NEAR(found.mean, kMean / 2, 5 * std::sqrt(kMean / 2 / n));
    EXPECT_NEAR(found.variance, kMean / 2, 5 * kMean / 2 * std::sqrt(2 / n));
  }
  EXPECT_NEAR(Moments{products}.mean, 0, 5 * kMean / 2 / std::sqrt(n));
}

TEST(PeakSearch, IsOverSomeTimeAfterThePeak) {
  PeakSearch short_one, long_one;
  for (int i = 0; i < 6; ++i) {
    EXPECT_FALSE(short_one.is_over()) << i;
    short_one.add(-std::abs(i - 2.1));
  }
  EXPECT_TRUE(short_one.is_over());
  EXPECT_EQ(short_one.peak(), 2);
  for (int i = 0; i < 50; ++i) {
    EXPECT_FALSE(long_one.is_over()) << i;
    long_one.add(-std::abs(i - 40));
  }
  long_one.add(-10);
  EXPECT_TRUE(long_one.is_over());
  EXPECT_EQ(long_one.peak(), 40);
}

}  // namespace
}  // namespace synthoscope::deconvolution
