// SPDX-License-Identifier: MIT
#include "kernels/correlate/product.hpp"
#include <gtest/gtest.h>
#include <cmath>

namespace synthoscope::kernels {
namespace {

Stencil stencil_of(const Extent3& e, double (*weight)(double, double, double)) {
  Stencil stencil{e, {}, {1, 0, 2}};
  for (std::int64_t z = 0; z < e.z; ++z)
    for (std::int64_t y = 0; y < e.y; ++y)
      for (std::int64_t x = 0; x < e.x; ++x)
        stencil.weights.push_back(weight(static_cast<double>(z - e.z / 2),
                                         static_cast<double>(y - e.y / 2),
                                         static_cast<double>(x - e.x / 2)));
  return stencil;
}

double gaussian(double z, double y, double x) {
  return std::exp(-(z * z / 2 + y * y / 7 + x * x / 5));
}

void expect_found(const Stencil& stencil) {
  const auto found = as_product(stencil);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->centre, stencil.centre);
  const Stencil again = product(*found);
  double all = 0, left = 0;
  for (std::size_t i = 0; i < again.weights.size(); ++i) {
    all += std::abs(stencil.weights[i]);
    left += std::abs(stencil.weights[i] - again.weights[i]);
  }
  EXPECT_LE(left, kProductTolerance * all);
}

TEST(Product, IsFoundInGaussiansBoxesAndDerivatives) {
  for (const Extent3& extent :
       {Extent3{1, 1, 1}, {1, 1, 9}, {1, 7, 1}, {5, 1, 1}, {1, 8, 9}, {5, 6, 7}, {9, 31, 33}}) {
    expect_found(stencil_of(extent, gaussian));
    expect_found(stencil_of(extent, [](double, double, double) { return 1.0; }));
    expect_found(stencil_of(
        extent, [](double z, double y, double x) { return x * std::exp(-(z * z + y * y) / 3); }));
  }
}

TEST(Product, IsFoundInWhatFloat32KeepsOfOne) {
  Stencil stencil = stencil_of({15, 17, 19}, gaussian);
  for (double& weight : stencil.weights) weight = static_cast<float>(weight);
  expect_found(stencil);
}

TEST(Product, LeavesNothingToDoAlongAxesOfOneWeight) {
  const auto found = as_product(stencil_of({1, 1, 5}, gaussian));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->terms[0].z, std::vector<double>{1});
  EXPECT_EQ(found->terms[0].planes[0].y, std::vector<double>{1});
}

TEST(Product, IsNotFoundWhereThereIsNone) {
  EXPECT_FALSE(as_product(stencil_of({1, 5, 5}, [](double, double y, double x) {
    return std::sqrt(y * y + x * x) < 2.5 ? 1.0 : 0.0;
  })));
  EXPECT_FALSE(as_product(stencil_of({3, 3, 3}, [](double z, double y, double x) {
    return z * z + y * y + x * x == 1 ? 1.0 : 0.0;
  })));
  Stencil nearly = stencil_of({1, 9, 9}, gaussian);
  nearly.weights[3] *= 1.001;
  EXPECT_FALSE(as_product(nearly));
}

TEST(Product, OfNothingIsNothing) {
  expect_found(stencil_of({2, 3, 4}, [](double, double, double) { return 0.0; }));
}

}  // namespace
}  // namespace synthoscope::kernels
