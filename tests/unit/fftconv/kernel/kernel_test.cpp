// SPDX-License-Identifier: MIT
#include "fftconv/kernel/kernel.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/checking_stream.hpp"

namespace synthoscope::fftconv {
namespace {

template <class T>
Volume<T> kernel_of(const Extent3& extent, std::vector<T> voxels) {
  Volume<T> kernel{extent};
  kernel.voxels = std::move(voxels);
  return kernel;
}

template <class T>
KernelSummary summary_of(const Volume<T>& kernel, double background = 0) {
  MemorySource source{kernel.view()};
  return summarize(source, StopFlag{}, background);
}

template <class T>
double median_of(const Volume<T>& kernel) {
  MemorySource source{kernel.view()};
  return border_median(source, StopFlag{});
}

TEST(Summarize, FindsSumPeakAndCentroidOfAFlatKernel) {
  const auto s = summary_of(kernel_of<std::uint16_t>({1, 3, 4}, {0, 0, 0, 0,  //
                                                                 0, 2, 6, 0,  //
                                                                 0, 0, 0, 0}));
  EXPECT_EQ(s.extent, (Extent3{1, 3, 4}));
  EXPECT_EQ(s.sum, 8);
  EXPECT_EQ(s.abs_sum, 8);
  EXPECT_EQ(s.peak, 6);
  EXPECT_EQ(s.peak_index, (Index3{0, 1, 2}));
  EXPECT_EQ(s.centroid_z, 0);
  EXPECT_EQ(s.centroid_y, 1);
  EXPECT_EQ(s.centroid_x, 1.75);
  EXPECT_EQ(s.border_share, 0);
  EXPECT_EQ(s.non_finite, 0);
}

TEST(Summarize, TakesTheBackgroundOffFirst) {
  const auto s = summary_of(kernel_of<std::uint8_t>({1, 1, 4}, {100, 101, 103, 99}), 100);
  EXPECT_EQ(s.background, 100);
  EXPECT_EQ(s.sum, 3);
  EXPECT_EQ(s.abs_sum, 5);
  EXPECT_EQ(s.peak, 3);
  EXPECT_EQ(s.peak_index, (Index3{0, 0, 2}));
  EXPECT_DOUBLE_EQ(s.centroid_x, (1 * 1 + 2 * 3) / 4.0);  // of the positive part
  EXPECT_DOUBLE_EQ(s.border_share, 1 / 5.0);
}

TEST(Summarize, KeepsTheFirstOfEqualPeaks) {
  const auto s = summary_of(kernel_of<float>({2, 1, 3}, {1, 5, 5, 5, 0, 0}));
  EXPECT_EQ(s.peak_index, (Index3{0, 0, 1}));
}

TEST(Summarize, FindsTheLargestOfNegativeVoxels) {
  const auto s = summary_of(kernel_of<double>({1, 1, 3}, {-4, -1, -3}));
  EXPECT_EQ(s.peak, -1);
  EXPECT_EQ(s.peak_index, (Index3{0, 0, 1}));
  EXPECT_EQ(s.sum, -8);
  EXPECT_EQ(s.abs_sum, 8);
}

TEST(Summarize, CountsTheOuterFacesOfAxesLongerThanOne) {
  Volume<float> ones{{3, 3, 3}};
  for (float& v : ones.voxels) v = 1;
  EXPECT_DOUBLE_EQ(summary_of(ones).border_share, 26.0 / 27);
  EXPECT_DOUBLE_EQ(summary_of(ones).lateral_border_share, 24.0 / 27);
  Volume<float> flat{{1, 4, 4}};
  for (float& v : flat.voxels) v = 1;
  EXPECT_DOUBLE_EQ(summary_of(flat).border_share, 12.0 / 16);
  EXPECT_EQ(summary_of(kernel_of<float>({1, 1, 1}, {1})).border_share, 0);
}

TEST(Summarize, CountsWhatIsNotFiniteAndLeavesItOut) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  const auto s = summary_of(kernel_of<float>({3, 1, 2}, {nan, 2, -infinity, infinity, 1, nan}));
  EXPECT_EQ(s.non_finite, 4);
  EXPECT_EQ(s.sum, 3);
  EXPECT_EQ(s.peak, 2);
}

TEST(BorderMedian, IsTheMiddleOfTheOuterFaces) {
  EXPECT_EQ(median_of(kernel_of<std::uint16_t>({1, 3, 3}, {7, 1, 8, 2, 999, 3, 9, 4, 5})), 4.5);
  EXPECT_EQ(median_of(kernel_of<std::int8_t>({1, 1, 5}, {-3, 100, 100, 100, 8})), 2.5);
  EXPECT_EQ(median_of(kernel_of<float>({3, 1, 1}, {2, 50, 4})), 3);
  EXPECT_EQ(median_of(kernel_of<float>({1, 1, 1}, {5})), 0) << "no face, no background";
}

TEST(BorderMedian, OfAnOddCountIsOneOfItsVoxels) {
  // The faces of 3 x 3 x 3 are 26 voxels, of which one is not a number
  Volume<float> kernel{{3, 3, 3}};
  for (std::size_t i = 0; i < 27; ++i) kernel.voxels[i] = static_cast<float>(i);
  kernel.voxels[13] = 1e9f;
  kernel.voxels[26] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(median_of(kernel), 12);
}

TEST(EstimateBackground, IsTheSmallerOfTheMediansOfTheBorderAndOfAll) {
  const auto estimate = [](const Volume<std::uint16_t>& kernel) {
    MemorySource source{kernel.view()};
    return estimate_background(source, StopFlag{});
  };
  // A dark border around light that fills most of it: the border tells
  Volume<std::uint16_t> bright{{5, 5, 5}};
  for (std::int64_t z = 0; z < 5; ++z)
    for (std::int64_t y = 0; y < 5; ++y)
      for (std::int64_t x = 0; x < 5; ++x) {
        const bool edge = z % 4 == 0 || y % 4 == 0 || x % 4 == 0;
        bright.view()(z, y, x) = edge ? 100 : 900;
      }
  EXPECT_EQ(estimate(bright), 100);
  // Edge rows that a camera made bright: all of the kernel tells
  Volume<std::uint16_t> edges{{1, 9, 9}};
  for (std::int64_t y = 0; y < 9; ++y)
    for (std::int64_t x = 0; x < 9; ++x)
      edges.view()(0, y, x) = y % 8 == 0 || x % 8 == 0 ? 500 : 100;
  EXPECT_EQ(estimate(edges), 100);
}

TEST(LooksAtKernels, StopBeforeTheNextWindowOnceAskedTo) {
  const Volume<float> kernel{{9, 3, 4}};
  const auto reads_after_a_stop_at = [&](int read, auto&& look) {
    StopFlag stop;
    MemorySource source{kernel.view()};
    test::StoppingSource stopping{source, stop, read};
    EXPECT_THROW(look(stopping, stop), Interrupted);
    return stopping.reads();
  };
  for (const int read : {1, 5}) {
    EXPECT_EQ(reads_after_a_stop_at(
                  read, [](Source& s, const StopFlag& stop) { (void)summarize(s, stop); }),
              read);
    EXPECT_EQ(reads_after_a_stop_at(
                  read, [](Source& s, const StopFlag& stop) { (void)border_median(s, stop); }),
              read);
    EXPECT_EQ(
        reads_after_a_stop_at(
            read, [](Source& s, const StopFlag& stop) { (void)estimate_background(s, stop); }),
        read);
  }
}

struct CenterCase {
  const char* name;
  CenterRule rule;
  Extent3 extent;
  bool correlate;
  Index3 center;
};

// The peak of the summary stands at (0, 1, 2), its centroid at (0.4, 0.6, 1.5).
constexpr CenterCase kCenterCases[] = {
    {"scipy_odd", CenterRule::scipy, {5, 7, 1}, false, {2, 3, 0}},
    {"scipy_even", CenterRule::scipy, {4, 6, 2}, false, {1, 2, 0}},
    {"scipy_odd_correlated", CenterRule::scipy, {5, 7, 1}, true, {2, 3, 0}},
    {"scipy_even_correlated", CenterRule::scipy, {4, 6, 2}, true, {2, 3, 1}},
    {"middle_odd", CenterRule::middle, {5, 7, 1}, false, {2, 3, 0}},
    {"middle_even", CenterRule::middle, {4, 6, 2}, false, {2, 3, 1}},
    {"middle_even_correlated", CenterRule::middle, {4, 6, 2}, true, {2, 3, 1}},
    {"peak", CenterRule::peak, {4, 6, 4}, false, {0, 1, 2}},
    {"peak_correlated", CenterRule::peak, {4, 6, 4}, true, {0, 1, 2}},
    {"centroid_to_the_nearest", CenterRule::centroid, {4, 6, 4}, false, {0, 1, 2}},
};

class Center : public testing::TestWithParam<CenterCase> {};

TEST_P(Center, FollowsItsRule) {
  KernelSummary s;
  s.extent = GetParam().extent;
  s.peak_index = {0, 1, 2};
  s.centroid_z = 0.4, s.centroid_y = 0.6, s.centroid_x = 1.5;
  EXPECT_EQ(kernel_center(GetParam().rule, s, GetParam().correlate), GetParam().center);
}

INSTANTIATE_TEST_SUITE_P(Table, Center, testing::ValuesIn(kCenterCases), test::kCaseName);

TEST(NormalizationScale, DividesBySumOrPeakOrNothing) {
  const auto s = summary_of(kernel_of<float>({1, 1, 3}, {1, 5, 2}));
  EXPECT_EQ(normalization_scale(KernelNormalization::none, s), 1);
  EXPECT_EQ(normalization_scale(KernelNormalization::sum, s), 1 / 8.0);
  EXPECT_EQ(normalization_scale(KernelNormalization::peak, s), 1 / 5.0);
}

struct RefusedCase {
  const char* name;
  std::vector<double> voxels;
  double background;
  KernelNormalization rule;
  const char* message;
};

const RefusedCase kRefusedCases[] = {
    {"a_sum_of_zero",
     {-1, 2, -1},
     0,
     KernelNormalization::sum,
     "normalise the kernel: its sum is 0, and dividing by that is not possible; use another "
     "normalisation or another background"},
    {"a_sum_that_is_rounding_noise",
     {-1, 2, -1 + 0x1p-40},
     0,
     KernelNormalization::sum,
     "normalise the kernel: its sum is 9.09e-13, and dividing by that is not possible; use another "
     "normalisation or another background"},
    {"a_peak_of_zero",
     {7, 5, 7},
     7,
     KernelNormalization::peak,
     "normalise the kernel: its peak is 0, and dividing by that is not possible; use another "
     "normalisation or another background"},
};

class Refused : public testing::TestWithParam<RefusedCase> {};

TEST_P(Refused, SaysWhatCannotBeDividedBy) {
  const auto s = summary_of(kernel_of<double>({1, 1, 3}, GetParam().voxels), GetParam().background);
  try {
    (void)normalization_scale(GetParam().rule, s);
    FAIL() << "it was accepted";
  } catch (const InvalidInput& failure) {
    EXPECT_STREQ(failure.what(), GetParam().message);
  }
}

INSTANTIATE_TEST_SUITE_P(Table, Refused, testing::ValuesIn(kRefusedCases), test::kCaseName);

template <class Body>
std::string message_of(Body&& body) {
  try {
    body();
  } catch (const InvalidInput& failure) {
    return failure.what();
  }
  return "it was accepted";
}

TEST(RequireUsable, RefusesNanWithItsNumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message_of([&] {
              require_usable(summary_of(kernel_of<double>({1, 1, 3}, {1, nan, nan})), "k.tif");
            }),
            "use kernel k.tif: 2 of its 3 voxels are NaN or infinite; replace them by numbers");
}

TEST(RequireUsable, RefusesZeros) {
  EXPECT_EQ(message_of([] {
              require_usable(summary_of(Volume<float>{{2, 3, 4}}), "k.tif");
            }),
            "use kernel k.tif: all of its 24 voxels are zero; give one with a signal");
  EXPECT_EQ(
      message_of([] {
        require_usable(summary_of(kernel_of<std::uint16_t>({1, 1, 2}, {100, 100}), 100), "k.tif");
      }),
      "use kernel k.tif: all of its 2 voxels are zero after subtracting its background of 100; "
      "give one with a signal");
}

TEST(RequireUsable, AcceptsZeroSumsAndNegativeVoxels) {
  EXPECT_NO_THROW(require_usable(summary_of(kernel_of<double>({1, 1, 3}, {-1, 2, -1})), "k.tif"));
  EXPECT_NO_THROW(require_usable(summary_of(kernel_of<double>({1, 1, 1}, {-3})), "k.tif"));
}

TEST(NearlyCancels, TellsLaplaciansFromPsfs) {
  EXPECT_TRUE(nearly_cancels(summary_of(kernel_of<float>({1, 1, 3}, {-1, 2, -1}))));
  EXPECT_TRUE(nearly_cancels(summary_of(kernel_of<float>({1, 1, 3}, {-9, 20, -10}))));
  EXPECT_FALSE(nearly_cancels(summary_of(kernel_of<float>({1, 1, 3}, {1, 2, 1}))));
  EXPECT_FALSE(nearly_cancels(summary_of(kernel_of<float>({1, 1, 3}, {-1, -2, -1}))));
}

TEST(KernelNames, AreFoundAndOthersAreNot) {
  EXPECT_EQ(center_rule_named("centroid"), CenterRule::centroid);
  EXPECT_EQ(center_rule_named("center"), std::nullopt);
  EXPECT_EQ(name_of(KernelNormalization::peak), "peak");
}

}  // namespace
}  // namespace synthoscope::fftconv
