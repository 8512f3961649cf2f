// SPDX-License-Identifier: MIT
#include "fftconv/host/executor.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include "tests/support/case_name.hpp"
#include "tests/support/direct_convolution.hpp"
#include "tests/support/run_convolution.hpp"

namespace synthoscope::fftconv {
namespace {

using test::noise;
using test::run_convolution;

struct ShapeCase {
  const char* name;
  Extent3 image, kernel;
};

// Every pair is run with every boundary, every shape it allows, convolution and correlation, two
// kernel centres and both precisions, against the definition.
constexpr ShapeCase kShapeCases[] = {
    {"one_voxel", {1, 1, 1}, {1, 1, 1}},
    {"one_voxel_image", {1, 1, 1}, {3, 4, 5}},
    {"one_voxel_kernel", {4, 5, 6}, {1, 1, 1}},
    {"line_x", {1, 1, 17}, {1, 1, 4}},
    {"line_x_prime", {1, 1, 97}, {1, 1, 13}},
    {"line_x_long_kernel", {1, 1, 10}, {1, 1, 41}},
    {"line_y", {1, 19, 1}, {1, 6, 1}},
    {"line_y_long_kernel", {1, 5, 1}, {1, 16, 1}},
    {"line_z", {23, 1, 1}, {5, 1, 1}},
    {"line_z_long_kernel", {6, 1, 1}, {15, 1, 1}},
    {"line_x_crossed_with_y", {1, 1, 12}, {1, 5, 1}},
    {"line_z_crossed_with_x", {9, 1, 1}, {1, 1, 8}},
    {"flat", {1, 12, 15}, {1, 5, 4}},
    {"flat_prime", {1, 31, 37}, {1, 7, 11}},
    {"flat_wide_kernel", {1, 6, 7}, {1, 13, 20}},
    {"flat_with_deep_kernel", {1, 9, 8}, {4, 3, 3}},
    {"flat_more_rows_than_lanes", {1, 70, 33}, {1, 4, 5}},
    {"flat_more_rows_than_a_slab", {1, 200, 5}, {1, 3, 3}},
    {"upright_zx", {14, 1, 11}, {4, 1, 3}},
    {"upright_zy", {11, 10, 1}, {3, 6, 1}},
    {"cube_odd", {9, 9, 9}, {3, 3, 3}},
    {"cube_even_kernel", {8, 8, 8}, {4, 4, 4}},
    {"cube_two_kernel", {5, 6, 7}, {2, 2, 2}},
    {"primes", {7, 11, 13}, {5, 3, 7}},
    {"kernel_as_large", {6, 7, 8}, {6, 7, 8}},
    {"kernel_larger", {4, 5, 6}, {9, 8, 11}},
    {"kernel_larger_in_z", {3, 12, 12}, {10, 3, 3}},
    {"kernel_larger_in_x", {10, 9, 4}, {3, 3, 9}},
    {"thin_planes", {40, 3, 3}, {7, 2, 2}},
    {"few_planes", {2, 21, 22}, {3, 5, 6}},
    {"tall_planes", {3, 66, 5}, {3, 9, 2}},
    {"wide_rows", {3, 4, 70}, {2, 3, 19}},
    {"mixed", {12, 17, 19}, {5, 8, 6}},
};

class AnyShape : public testing::TestWithParam<ShapeCase> {
 protected:
  /// Runs one variant in both precisions and compares with the definition.
  void expect_right(const Problem& problem, const Volume<double>& image,
                    const Volume<double>& kernel) {
    const auto expected = test::direct_convolution(image, kernel, problem);
    const auto peak = test::peak_of_absolutes(image, kernel, problem);
    for (const auto& [precision, tolerance] :
         {std::pair{Precision::float32, 1e-6L}, std::pair{Precision::float64, 1e-14L}}) {
      Problem precise = problem;
      precise.precision = precision;
      const auto ran = run_convolution(image, kernel, precise);
      ASSERT_EQ(ran.result.extent, expected.extent);
      long double worst = 0;
      for (std::size_t i = 0; i < expected.voxels.size(); ++i)
        worst = std::max(worst, std::abs(expected.voxels[i] - ran.result.voxels[i]));
      EXPECT_LE(worst, tolerance * peak)
          << name_of(precision) << " " << name_of(problem.boundary) << " " << name_of(problem.shape)
          << (problem.correlate ? " correlation" : " convolution") << " centre " << problem.center.z
          << "," << problem.center.y << "," << problem.center.x << " transform "
          << ran.plan.transform;
    }
  }
};

TEST_P(AnyShape, EqualsTheDefinition) {
  const auto [name, image_extent, kernel_extent] = GetParam();
  // Voxels that single precision holds exactly, so that the error is the convolution's own
  auto image = noise(image_extent, 1, -1, 1), kernel = noise(kernel_extent, 2, -0.5, 1);
  for (auto* v : {&image, &kernel})
    for (double& x : v->voxels) x = static_cast<float>(x);

  const auto last = [](std::int64_t k) { return k - 1; };
  const Extent3 k = kernel_extent;
  const Index3 centers[] = {{last(k.z) / 2, last(k.y) / 2, last(k.x) / 2},
                            {k.z / 2, k.y / 2, k.x / 2},
                            {last(k.z), 0, last(k.x) / 3}};
  for (const bool correlate : {false, true})
    for (const Index3& center : centers)
      for (const auto shape : {Shape::same, Shape::full, Shape::valid})
        for (const auto boundary : {Boundary::zero, Boundary::nearest, Boundary::reflect,
                                    Boundary::mirror, Boundary::wrap}) {
          if (shape == Shape::full && boundary != Boundary::zero) continue;
          if (shape == Shape::valid && (boundary != Boundary::zero || k.z > image_extent.z ||
                                        k.y > image_extent.y || k.x > image_extent.x))
            continue;
          Problem problem;
          problem.image = image_extent;
          problem.kernel = kernel_extent;
          problem.center = center;
          problem.boundary = boundary;
          problem.shape = shape;
          problem.correlate = correlate;
          expect_right(problem, image, kernel);
        }
}

INSTANTIATE_TEST_SUITE_P(Convolution, AnyShape, testing::ValuesIn(kShapeCases), test::kCaseName);

}  // namespace
}  // namespace synthoscope::fftconv
