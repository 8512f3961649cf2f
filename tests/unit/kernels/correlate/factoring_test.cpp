// SPDX-License-Identifier: MIT
#include "kernels/correlate/factoring.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include "kernels/filters/named_filters.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::kernels {
namespace {

Stencil noise(const Extent3& extent) {
  return correlation_stencil(extent, test::pattern<double>(extent).voxels);
}

/// Magnitudes of what a sum leaves out, as a share of those of all weights.
double share_left_out(const Stencil& stencil, const SeparableStencil& sum) {
  const Stencil made = product(sum);
  double left = 0, all = 0;
  for (std::size_t i = 0; i < made.weights.size(); ++i) {
    left += std::abs(made.weights[i] - stencil.weights[i]);
    all += std::abs(stencil.weights[i]);
  }
  return left / all;
}

std::int64_t products(const SeparableStencil& stencil) {
  std::int64_t count = 0;
  for (const auto& term : stencil.terms) count += static_cast<std::int64_t>(term.planes.size());
  return count;
}

struct FactoringCase {
  const char* name;
  Stencil stencil;
  std::int64_t products;  ///< with the default tolerance
};

const FactoringCase kCases[] = {
    {"one_weight", noise({1, 1, 1}), 1},
    {"a_row", noise({1, 1, 9}), 1},
    {"a_column", noise({1, 9, 1}), 1},
    {"along_z", noise({9, 1, 1}), 1},
    {"noise", noise({1, 5, 7}), 5},
    {"noise_upright", noise({1, 7, 5}), 5},
    {"noise_in_space", noise({3, 4, 5}), 12},
    {"more_planes_than_weights", noise({9, 2, 2}), 8},
    {"gaussian", product(gaussian({1, 2, 3}, 4)), 1},
    {"laplacian", laplacian({false, true, true}), 2},
    {"laplacian_of_gaussian", product(laplacian_of_gaussian({0, 2, 2}, 4)), 2},
    {"laplacian_of_gaussian_in_space", product(laplacian_of_gaussian({2, 2, 2}, 4)), 4},
    {"gabor_along_x", gabor({.orientation_degrees = 0}, 3), 1},
};

class Factoring : public testing::TestWithParam<FactoringCase> {};
INSTANTIATE_TEST_SUITE_P(Kernels, Factoring, testing::ValuesIn(kCases), test::kCaseName);

TEST_P(Factoring, LeavesOutNoMoreThanItMay) {
  const FactoringCase& c = GetParam();
  const auto sum = as_sum_of_products(c.stencil);
  EXPECT_EQ(sum.extent, c.stencil.extent);
  EXPECT_EQ(sum.centre, c.stencil.centre);
  EXPECT_LE(share_left_out(c.stencil, sum), kFactorTolerance);
  EXPECT_LE(products(sum), c.products);
  // Nothing but rounding is left out of all products
  EXPECT_LE(share_left_out(c.stencil, as_sum_of_products(c.stencil, 0)), 1e-14);
}

TEST(Factoring, HasOneProductOfZeros) {
  const auto sum = as_sum_of_products(correlation_stencil({2, 3, 3}, std::vector<double>(18)));
  EXPECT_EQ(products(sum), 1);
  EXPECT_EQ(product(sum).weights, std::vector<double>(18));
}

TEST(Factoring, TakesFewerProductsWhereMoreMayBeLeftOut) {
  const Stencil turned = gabor({.orientation_degrees = 30}, 3);
  std::int64_t before = 1000;
  for (const double tolerance : {1e-12, 1e-6, 1e-2, 0.99}) {
    const auto sum = as_sum_of_products(turned, tolerance);
    EXPECT_LE(share_left_out(turned, sum), tolerance);
    EXPECT_LT(products(sum), before);
    before = products(sum);
  }
}

TEST(Factoring, RefusesATolerance) {
  for (const double tolerance : {-1e-9, 1.0, std::numeric_limits<double>::quiet_NaN()})
    test::expect_failure<InvalidSpec>(
        [&] {
          as_sum_of_products(noise({1, 3, 3}), tolerance);
        },
        {"share", "5e-07"});
}

}  // namespace
}  // namespace synthoscope::kernels
