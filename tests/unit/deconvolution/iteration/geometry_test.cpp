// SPDX-License-Identifier: MIT
#include "deconvolution/iteration/geometry.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "tests/unit/deconvolution/blurred_field.hpp"

namespace synthoscope::deconvolution {
namespace {

double product(const Volume<double>& a, const Volume<double>& b) {
  return std::inner_product(a.voxels.begin(), a.voxels.end(), b.voxels.begin(), 0.0);
}

TEST(Geometry, BlurAndAdjointAreAdjoint) {
  for (const Geometry& geometry : test::kGeometries) {
    const auto kernel = test::weights(geometry.kernel, 1);
    const auto x = test::noise(estimate_extent(geometry), 2, -1, 1),
               y = test::noise(geometry.field, 3, -1, 1);
    const auto blurred = test::run_convolution(x, kernel, blur_problem(geometry)).result,
               back = test::run_convolution(y, kernel, adjoint_problem(geometry)).result;
    ASSERT_EQ(blurred.extent, geometry.field);
    ASSERT_EQ(back.extent, estimate_extent(geometry));
    const double scale = std::sqrt(product(blurred, blurred) * product(y, y));
    EXPECT_NEAR(product(blurred, y), product(x, back), 1e-6 * scale)
        << geometry.field.z << 'x' << geometry.field.y << 'x' << geometry.field.x;
  }
}

TEST(Geometry, APointShinesOnTheFieldWhereItLies) {
  for (const Geometry& geometry : test::kGeometries) {
    Volume<double> light{estimate_extent(geometry)};
    const Index3 at = field_in_estimate(geometry).origin;
    light.view()(at.z, at.y, at.x) = 1;  // the first voxel of the field
    const auto kernel = test::weights(geometry.kernel, 4);
    const auto seen = test::blurred(geometry, light, kernel);
    const Index3& c = geometry.center;
    EXPECT_NEAR(seen.view()(0, 0, 0), kernel.view()(c.z, c.y, c.x), 1e-12);
  }
}

}  // namespace
}  // namespace synthoscope::deconvolution
