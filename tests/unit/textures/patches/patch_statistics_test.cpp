// SPDX-License-Identifier: MIT
#include "textures/patches/patch_statistics.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>

namespace synthoscope::textures {
namespace {

/// Waves and a grain of 17 levels.
GreyPlane made_patch(std::int64_t side, double amplitude, double grain) {
  GreyPlane patch{side, side};
  for (std::int64_t y = 0; y < side; ++y)
    for (std::int64_t x = 0; x < side; ++x) {
      const auto down = static_cast<double>(y), across = static_cast<double>(x);
      patch.at(y, x) =
          1 + amplitude * std::sin(0.7 * down + 0.3 * across) * std::cos(0.15 * across) +
          grain * static_cast<double>((7919 * y * y + 104729 * x + 31 * x * y) % 17) / 17;
    }
  return patch;
}

GreyPlane wave_along_x(double period) {
  GreyPlane patch{32, 32};
  for (std::int64_t y = 0; y < 32; ++y)
    for (std::int64_t x = 0; x < 32; ++x)
      patch.at(y, x) = 1 + 0.3 * std::sin(2 * std::numbers::pi * static_cast<double>(x) / period);
  return patch;
}

double statistic(const GreyPlane& patch, std::string_view name) {
  const PatchStatistics all = patch_statistics(patch);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (kPatchStatistics[i].name == name) return all[i];
  ADD_FAILURE() << "no statistic " << name;
  return 0;
}

struct PeerRow {
  std::string_view name;
  double values[3];  // of sides 32, 32 and 17
};

// By numpy 2.2.6 and scipy 1.17.1, to nine digits
constexpr PeerRow kPeer[] = {
    {"mean", {1.02262671, 1.18567174, 0.995315883}},
    {"log_sd", {-0.992414543, -0.949250431, -0.636261882}},
    {"skewness", {0.00676274094, 0.04423574, 0.0418402567}},
    {"kurtosis", {-0.715514788, -1.08607042, -0.507828447}},
    {"p05", {-0.170211819, -0.169075966, -0.410151584}},
    {"p95", {0.17140413, 0.185757126, 0.392089367}},
    {"log_gradient_1", {-1.33642107, -1.65154448, -1.01958393}},
    {"log_gradient_3", {-2.22226053, -2.62578832, -1.73940444}},
    {"concentration_1", {2.3138609, 1.86630794, 3.00925595}},
    {"concentration_3", {2.72502546, 1.97386082, 3.05635247}},
    {"log_power_corner", {-3.699412, -1.89337009, -7.2189513}},
    {"log_power_0", {-3.61500182, -1.80899364, -5.74992675}},
    {"log_power_1", {-3.86893597, -2.06303731, -4.38299509}},
    {"log_power_2", {-3.15334639, -1.95344976, -1.71380247}},
    {"log_power_3", {-0.970949322, -1.81810298, -0.595627627}},
    {"log_power_4", {-0.724426529, -1.9019942, -0.331837654}},
    {"log_power_5", {-2.14344886, -2.0936681, -0.762922916}},
    {"log_power_6", {-2.75665291, -2.47964139, -0.766588889}},
    {"coherence", {0.932090928, 0.13753982, 0.872550897}},
    {"rows_columns", {-0.530952878, -0.00655247714, -0.601419982}},
    {"log_local_sd_5", {-1.08485344, -0.955365368, -0.79087887}},
    {"log_local_sd_9", {-1.00609229, -0.948947999, -0.724937344}},
    {"local_sd_cv_5", {0.375891713, 0.0894409851, 0.4625026}},
    {"local_sd_cv_9", {0.263196074, 0.0433978398, 0.278453559}},
    {"correlation_1", {0.838984471, -0.0676548723, 0.837694211}},
    {"correlation_2", {0.473592855, 0.00621376811, 0.446430435}},
    {"correlation_length", {0.9469024, -1.09444536, 0.897694119}},
    {"dark_2", {0.0490644709, 0.0134662846, 0.124806317}},
    {"bright_2", {0.048337158, 0.0193642846, 0.123295096}},
    {"dark_4", {0.016797176, 0.00600368541, 0.0547606311}},
    {"bright_4", {0.0149152995, 0.00536563966, 0.0568939859}},
    {"count_dark", {7, 19, 0}},
    {"count_bright", {8, 9, 0}},
    {"log_noise", {-1.87142058, -1.00459421, -2.39587815}},
    {"noise_kurtosis", {0.427086362, 0.428167674, 0.185736688}},
    {"noise_with_light", {-0.0067189921, 0.0100498038, 0.0128403034}},
    {"equal_neighbours", {0, 0, 0}},
};

TEST(PatchStatistics, AreThoseOfScipy) {
  const PatchStatistics found[] = {patch_statistics(made_patch(32, 0.2, 0.05)),
                                   patch_statistics(made_patch(32, 0.02, 0.4)),
                                   patch_statistics(made_patch(17, 0.5, 0))};
  ASSERT_EQ(std::size(kPeer), kPatchStatisticCount);
  for (std::size_t i = 0; i < kPatchStatisticCount; ++i) {
    EXPECT_EQ(kPatchStatistics[i].name, kPeer[i].name);
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_NEAR(found[j][i], kPeer[i].values[j], 1e-7 * std::max(1.0, std::abs(found[j][i])))
          << kPeer[i].name << " of patch " << j;
  }
}

TEST(PatchStatistics, OfAConstantPatchAreFinite) {
  GreyPlane flat{32, 32};
  for (double& value : flat.values) value = 0.7;
  for (const double value : patch_statistics(flat)) EXPECT_TRUE(std::isfinite(value));
  EXPECT_NEAR(statistic(flat, "mean"), 0.7, 1e-12);
  EXPECT_EQ(statistic(flat, "equal_neighbours"), 1);
  EXPECT_EQ(statistic(flat, "log_power_6"), -8);
}

TEST(PatchStatistics, FindAWaveInTheBandOfItsLength) {
  // No frequency of 32 pixels along x alone lies between 11.3 and 16 pixels
  const struct {
    double period;
    std::string_view band;
  } rows[] = {{2.5, "log_power_0"}, {3.4, "log_power_1"}, {5, "log_power_2"},
              {7, "log_power_3"},   {9.5, "log_power_4"}, {20, "log_power_6"}};
  for (const auto& [period, band] : rows) {
    const PatchStatistics all = patch_statistics(wave_along_x(period));
    std::size_t best = 10;
    for (std::size_t i = 10; i <= 17; ++i)
      if (all[i] > all[best]) best = i;
    EXPECT_EQ(kPatchStatistics[best].name, band) << period;
  }
}

TEST(PatchStatistics, TellDirectionsApart) {
  const GreyPlane wave = wave_along_x(8);
  GreyPlane turned = wave;
  for (std::int64_t y = 0; y < 32; ++y)
    for (std::int64_t x = 0; x < 32; ++x) turned.at(y, x) = wave.at(x, y);
  EXPECT_GT(statistic(wave, "rows_columns"), 3);
  EXPECT_NEAR(statistic(turned, "rows_columns"), -statistic(wave, "rows_columns"), 1e-9);
  EXPECT_NEAR(statistic(wave, "coherence"), 1, 1e-9);
  for (const std::string_view name : {"log_sd", "log_power_3", "log_noise", "correlation_1"})
    EXPECT_NEAR(statistic(turned, name), statistic(wave, name), 1e-9) << name;
}

TEST(WordsOf, SayLengthsInTheUnitThatIsKnown) {
  const auto words = [](std::string_view name, bool is_more, std::optional<double> pixel_um) {
    for (const PatchStatistic& one : kPatchStatistics)
      if (one.name == name) return words_of(one, is_more, pixel_um);
    return std::string{};
  };
  EXPECT_EQ(words("log_power_2", true, 0.1), "more power in waves of 0.4 to 0.57 um");
  EXPECT_EQ(words("log_power_2", false, {}), "less power in waves of 4 to 5.7 px");
  EXPECT_EQ(words("log_power_6", true, 0.1), "more power in waves over 1.6 um");
  EXPECT_EQ(words("mean", false, 0.1), "darker");
  EXPECT_EQ(words("dark_2", true, {}), "deeper dark spots (scale 6 px)");
}

}  // namespace
}  // namespace synthoscope::textures
