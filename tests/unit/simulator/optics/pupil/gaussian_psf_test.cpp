// SPDX-License-Identifier: MIT
// gaussian_psf_test.cpp — widths of the Gaussian approximation, and its profiles.
#include "simulator/optics/pupil/gaussian_psf.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include "tests/support/case_name.hpp"

namespace synthoscope::simulator {
namespace {

struct WidthCase {
  const char* name;
  double na, index, wavelength_nm;
};
constexpr WidthCase kWidths[] = {
    {"air_dry", 0.5, 1.0, 520}, {"water", 1.2, 1.33, 610}, {"oil", 1.4, 1.515, 520}};

class GaussianWidth : public testing::TestWithParam<WidthCase> {};

TEST_P(GaussianWidth, EqualsTheEquationsAsPublished) {
  OpticsSpec s;
  s.na = GetParam().na;
  s.immersion_index = GetParam().index;
  s.wavelength_nm = GetParam().wavelength_nm;
  const long double n = s.immersion_index,
                    k = 2 * std::numbers::pi_v<long double> / (s.wavelength_nm / 1000.0L);
  const long double c = std::cos(std::asin(s.na / n));
  const auto power = [&](long double p) { return std::pow(c, p); };
  const long double lateral =
      1 / (n * k) *
      std::pow((4 - 7 * power(1.5L) + 3 * power(3.5L)) / (7 * (1 - power(1.5L))), -0.5L);
  const long double axial =
      5 * std::sqrt(7.0L) * (1 - power(1.5L)) /
      (std::sqrt(6.0L) * n * k *
       std::sqrt(4 * power(5) - 25 * power(3.5L) + 42 * power(2.5L) - 25 * power(1.5L) + 4));
  const GaussianWidths w = gaussian_widths(s);
  EXPECT_NEAR(w.lateral_um / static_cast<double>(lateral), 1, 1e-12);
  EXPECT_NEAR(w.axial_um / static_cast<double>(axial), 1, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Objectives, GaussianWidth, testing::ValuesIn(kWidths), test::kCaseName);

TEST(GaussianWidthLimit, IsTheParaxialTextbookFormAtSmallAperture) {
  OpticsSpec s;
  s.na = 0.02;
  s.immersion_index = 1;
  const double k = 2 * std::numbers::pi / (s.wavelength_nm * 1e-3);
  const GaussianWidths w = gaussian_widths(s);
  EXPECT_NEAR(w.lateral_um * k * s.na, std::numbers::sqrt2, 1e-3);
  EXPECT_NEAR(w.axial_um * k * s.na * s.na, 2 * std::sqrt(6.0), 1e-2);
}

TEST(GaussianProfile, AddsUpToTheWholeIntegralWhenIntegrated) {
  double sum = 0;
  for (const double g : gaussian_profile(41, 0.3, 0.1, 0.5, true)) sum += 0.3 * g;
  EXPECT_NEAR(sum, 0.5 * std::sqrt(2 * std::numbers::pi), 1e-14);
}

TEST(GaussianProfile, ApproachesTheSampledOneOnAFineGrid) {
  const auto sampled = gaussian_profile(101, 0.001, 0, 0.5, false);
  const auto integrated = gaussian_profile(101, 0.001, 0, 0.5, true);
  for (std::size_t i = 0; i < sampled.size(); ++i) EXPECT_NEAR(sampled[i], integrated[i], 1e-6);
  EXPECT_EQ(sampled[50], 1);
}

}  // namespace
}  // namespace synthoscope::simulator
