// SPDX-License-Identifier: MIT
#include "kernels/filters/named_filters.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numeric>
#include "tests/support/expect_failure.hpp"

namespace synthoscope::kernels {
namespace {

/// sum of weights[i] (i - r)^n
double moment(const std::vector<double>& weights, int n) {
  const double middle = static_cast<double>(weights.size() / 2);
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i)
    sum += weights[i] * std::pow(static_cast<double>(i) - middle, n);
  return sum;
}

TEST(NamedFilters, GaussianHasItsSumItsWidthAndItsRadius) {
  const auto weights = gaussian_weights(3, 6);
  EXPECT_EQ(weights.size(), 37U);
  EXPECT_NEAR(moment(weights, 0), 1, 1e-14);
  EXPECT_NEAR(moment(weights, 1), 0, 1e-13);
  EXPECT_NEAR(moment(weights, 2), 9, 1e-6);
  EXPECT_EQ(gaussian_weights(0, 4), std::vector<double>{1});
  EXPECT_EQ(gaussian_weights(0.1, 4), std::vector<double>{1});
}

TEST(NamedFilters, DerivativesOfGaussiansDerive) {
  // Correlated with x^n / n!, the derivative of order n gives 1
  double factorial = 1;
  for (int n = 1; n <= 4; ++n) {
    factorial *= n;
    EXPECT_NEAR(moment(gaussian_weights(3, 8, n), n) / factorial, 1, 1e-6) << n;
    EXPECT_NEAR(moment(gaussian_weights(3, 8, n), n - 1), 0, 1e-6) << n;
  }
}

TEST(NamedFilters, SlopesAreThoseOfTheirAuthors) {
  const PerAxis<bool> flat{false, true, true};
  EXPECT_EQ(product(slope(SlopeFilter::sobel, 2, flat)).weights,
            (std::vector<double>{-1, 0, 1, -2, 0, 2, -1, 0, 1}));
  EXPECT_EQ(product(slope(SlopeFilter::prewitt, 1, flat)).weights,
            (std::vector<double>{-1, -1, -1, 0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(product(slope(SlopeFilter::scharr, 2, flat)).weights,
            (std::vector<double>{-3, 0, 3, -10, 0, 10, -3, 0, 3}));
  EXPECT_EQ(laplacian(flat).weights, (std::vector<double>{0, 1, 0, 1, -4, 1, 0, 1, 0}));
  EXPECT_EQ(laplacian({true, true, true}).weights[13], -6);
}

TEST(NamedFilters, LaplacianOfGaussianIsAHatOfSumZero) {
  const auto hat = product(laplacian_of_gaussian({0, 2, 2}, 8));
  EXPECT_NEAR(std::accumulate(hat.weights.begin(), hat.weights.end(), 0.0), 0, 1e-9);
  // -1 / (pi sigma^4) in the middle
  EXPECT_NEAR(hat.weights[hat.weights.size() / 2], -1 / (M_PI * 16), 1e-6);
}

TEST(NamedFilters, DifferenceOfGaussiansHasItsFormula) {
  const auto sum = difference_of_gaussians({0, 1, 1}, 1.6, 4);
  const auto weights = product(sum).weights;
  EXPECT_EQ(sum.extent, (Extent3{1, 13, 13}));
  EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 0, 1e-14);
  EXPECT_NEAR(weights[weights.size() / 2], 1 / (2 * M_PI) * (1 - 1 / 2.56), 2e-4);
}

TEST(NamedFilters, GaborHasItsFormula) {
  const auto wave = gabor({.sigma = 2, .wavelength = 5, .orientation_degrees = 90}, 3);
  const std::int64_t size = wave.extent.x, middle = size / 2;
  const auto at = [&](std::int64_t y, std::int64_t x) {
    return wave.weights[static_cast<std::size_t>((middle + y) * size + middle + x)];
  };
  EXPECT_EQ(size, 25);
  EXPECT_DOUBLE_EQ(at(0, 0), 1);
  EXPECT_NEAR(at(3, 0), std::exp(-9 / 8.0) * std::cos(2 * M_PI * 3 / 5), 1e-12);
  EXPECT_NEAR(at(0, 3), std::exp(-9 / 4.0 / 8.0), 1e-12);
}

TEST(NamedFilters, RefuseWhatNoFormulaHas) {
  using test::expect_failure;
  expect_failure<InvalidSpec>([] { gaussian_weights(-1, 4); }, {"deviation", "-1"});
  expect_failure<InvalidSpec>([] { gaussian_weights(1, 0); }, {"--truncate"});
  expect_failure<InvalidSpec>([] { gaussian_weights(1, 4, 9); }, {"derivative 9", "0 to 8"});
  expect_failure<InvalidSpec>([] { gaussian_weights(0, 4, 1); }, {"derivative 1"});
  expect_failure<InvalidSpec>([] { gaussian_weights(1e6, 4); }, {"4000000", "100000"});
  expect_failure<InvalidSpec>([] { box({1, 0, 3}); }, {"0 voxels"});
  expect_failure<InvalidSpec>([] { gabor({.wavelength = 0}, 3); }, {"wavelength"});
  expect_failure<InvalidSpec>([] { gabor({.sigma = 1e6}, 3); }, {"1000"});
  expect_failure<InvalidSpec>([] { difference_of_gaussians({0, 1, 1}, -1, 4); }, {"ratio"});
  expect_failure<InvalidSpec>([] { laplacian_of_gaussian({0, 0, 0}, 4); }, {"every axis"});
}

}  // namespace
}  // namespace synthoscope::kernels
