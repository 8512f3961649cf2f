// SPDX-License-Identifier: MIT
#include "fit/edges/signed_bins.hpp"
#include <gtest/gtest.h>
#include <cmath>

namespace synthoscope::fit {
namespace {

/// A step from 100 to 20, `shift` outside of its label's border, blurred by a Gaussian.
SignedBins blurred_step(double sigma, double shift, double reach) {
  SignedBins bins{reach};
  for (double at = -30; at <= 30; at += 1) {
    const double share = 0.5 * std::erfc((at - shift) / (std::sqrt(2.0) * sigma));
    bins.add(at, 20 + 80 * share);
  }
  return bins;
}

EdgeProfile profile_of(const SignedBins& bins, double outside_from) {
  return mean_edge({bins.edge(outside_from).value()}).value().levels;
}

TEST(SignedBins, AnEdgeFallsAsTheErrorFunctionOfItsBlur) {
  const double sigma = 4, reach = 8;
  const EdgeProfile edge = profile_of(blurred_step(sigma, 0, reach), 2 * reach);
  for (int k = -kEdgeSamples; k <= kEdgeSamples; ++k) {
    const double exact = 0.5 * std::erfc(reach * k / kEdgeSamples / (std::sqrt(2.0) * sigma));
    EXPECT_NEAR(edge[static_cast<std::size_t>(k + kEdgeSamples)], exact, 0.003) << k;
  }
}

TEST(SignedBins, RiseOfAGaussianEdgeIs2Point56Sigma) {
  // Phi^-1(0.9) - Phi^-1(0.1) = 2 * 1.28155; lines between samples add 3 %
  const double sigma = 4, reach = 8;
  EXPECT_NEAR(rise_of(profile_of(blurred_step(sigma, 0, reach), 2 * reach), reach),
              2 * 1.28155 * sigma, 0.1 * sigma);
}

TEST(SignedBins, ALabelThatIsTooSmallGivesTheSameEdge) {
  const EdgeProfile right = profile_of(blurred_step(3, 0, 6), 12);
  const EdgeProfile shifted = profile_of(blurred_step(3, 2, 6), 12);
  for (std::size_t i = 0; i < right.size(); ++i) EXPECT_NEAR(shifted[i], right[i], 0.01) << i;
}

TEST(SignedBins, WithoutAStepThereIsNoEdge) {
  SignedBins bins{4};
  for (double at = -20; at <= 12; at += 1) bins.add(at, 50);
  EXPECT_FALSE(bins.edge(8).has_value());
}

TEST(SignedBins, LevelsBetweenBinsAreInterpolated) {
  SignedBins bins{4};
  bins.add(1, 10);
  bins.add(2, 30);
  EXPECT_EQ(bins.level(1.25), 15.0);
  EXPECT_FALSE(bins.level(2.5).has_value());
}

}  // namespace
}  // namespace synthoscope::fit
