// SPDX-License-Identifier: MIT
#include "kernels/filters/filter.hpp"
#include <gtest/gtest.h>
#include "kernels/correlate/correlation.hpp"
#include "kernels/filters/named_filters.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/operation_case.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::kernels {
namespace {

Stencil noise(const Extent3& extent) {
  return correlation_stencil(extent, test::pattern<double>(extent).voxels);
}

TEST(Filter, TakesTheCheaperWay) {
  const auto chosen = [](const FilterKernel& kernel) {
    return make_filter({{1, 50, 60}}, kernel).strategy;
  };
  EXPECT_EQ(chosen(noise({1, 3, 3})), FilterStrategy::registers);
  EXPECT_EQ(chosen(noise({1, 31, 31})), FilterStrategy::registers);
  EXPECT_EQ(chosen(product(gaussian({0, 2, 2}, 4))), FilterStrategy::separable);
  EXPECT_EQ(chosen(product(laplacian_of_gaussian({2, 2, 2}, 4))), FilterStrategy::separable);
  EXPECT_EQ(chosen(laplacian({true, true, true})), FilterStrategy::registers);
  EXPECT_EQ(chosen(box({1, 3, 3})), FilterStrategy::separable);
}

TEST(Filter, TakesTheWayOnADeviceThatIsCheaperThere) {
  const auto chosen = [](const FilterKernel& kernel,
                         FilterStrategy strategy = FilterStrategy::automatic) {
    return make_filter({{1, 50, 60}}, kernel, strategy).on_device;
  };
  EXPECT_EQ(chosen(noise({1, 3, 3})), FilterStrategy::registers);
  EXPECT_EQ(chosen(noise({1, 40, 40})), FilterStrategy::shared);
  EXPECT_EQ(chosen(box({1, 3, 3})), FilterStrategy::separable);
  // Two products: of few weights all are sooner summed at once, of many weights along the axes
  EXPECT_EQ(chosen(laplacian_of_gaussian({0, 0.5, 0.5}, 2)), FilterStrategy::registers);
  EXPECT_EQ(chosen(laplacian_of_gaussian({0, 4, 4}, 4)), FilterStrategy::separable);
  EXPECT_EQ(chosen(product(laplacian_of_gaussian({0, 4, 4}, 4))), FilterStrategy::separable);
  // Asked for, it is done; but what has no room there is done another way
  EXPECT_EQ(chosen(noise({1, 9, 9}), FilterStrategy::separable), FilterStrategy::separable);
  EXPECT_EQ(chosen(noise({1, 40, 40}), FilterStrategy::registers), FilterStrategy::shared);
  EXPECT_EQ(chosen(noise({1, 9, 9}), FilterStrategy::global), FilterStrategy::global);
}

TEST(Filter, GivesTheSameResultsByEveryStrategy) {
  const auto image = test::pattern<float>({9, 31, 45});
  const FilterKernel kernels[] = {noise({3, 4, 5}), laplacian_of_gaussian({1, 1, 1}, 4),
                                  product(difference_of_gaussians({1, 1.5, 1}, 1.6, 3))};
  for (const FilterKernel& kernel : kernels) {
    const auto run = [&](FilterStrategy strategy, PixelType type) {
      return make_filter({image.extent, Boundary::mirror, type}, kernel, strategy);
    };
    const auto plain = run(FilterStrategy::global, PixelType::float64);
    const auto expected = test::apply_whole<double>(*plain.operation, image)[0];
    double magnitudes = 0;
    const auto* stencil = std::get_if<Stencil>(&kernel);
    for (const double weight :
         (stencil ? *stencil : product(std::get<SeparableStencil>(kernel))).weights)
      magnitudes += std::abs(weight);
    for (const auto strategy : {FilterStrategy::automatic, FilterStrategy::shared,
                                FilterStrategy::registers, FilterStrategy::separable}) {
      const auto filter = run(strategy, PixelType::float32);
      EXPECT_LE(
          test::largest_difference(expected, test::apply_whole<float>(*filter.operation, image)[0]),
          2e-6 * magnitudes * test::largest_magnitude(image))
          << name_of(strategy);
    }
  }
}

}  // namespace
}  // namespace synthoscope::kernels
