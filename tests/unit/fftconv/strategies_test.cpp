// SPDX-License-Identifier: MIT
// Whatever strategy runs a request in single precision, the result is the same.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include "fftconv/host_executor.hpp"
#include "fftconv/layout.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/direct_convolution.hpp"
#include "tests/support/run_convolution.hpp"

namespace synthoscope::fftconv {
namespace {

constexpr Machine kLarge{std::int64_t{8} << 30};

struct SizeCase {
  const char* name;
  Extent3 image, kernel;
};

constexpr SizeCase kSizes[] = {
    {"line", {1, 1, 211}, {1, 1, 32}},
    {"flat", {1, 97, 101}, {1, 13, 8}},
    {"flat_as_large_as_its_kernel", {1, 61, 64}, {1, 61, 64}},
    {"stack_with_flat_kernel", {31, 40, 23}, {1, 7, 7}},
    {"column", {127, 2, 3}, {20, 1, 2}},
    {"primes", {43, 37, 41}, {11, 13, 7}},
    {"thin_and_wide", {2, 131, 127}, {3, 17, 16}},
    {"cube_as_large_as_its_kernel", {17, 18, 19}, {17, 18, 19}},
    {"smaller_than_its_kernel", {9, 20, 14}, {19, 11, 31}},
};

/// How requests on one pair of sizes differ.
struct Manner {
  Boundary boundary;
  Shape shape;
  bool correlate;
  PixelType type;
};

constexpr Manner kManners[] = {
    {Boundary::zero, Shape::same, false, PixelType::uint8},
    {Boundary::zero, Shape::full, true, PixelType::uint16},
    {Boundary::zero, Shape::valid, false, PixelType::float32},
    {Boundary::nearest, Shape::same, false, PixelType::uint16},
    {Boundary::reflect, Shape::same, true, PixelType::float32},
    {Boundary::mirror, Shape::same, false, PixelType::uint8},
    {Boundary::wrap, Shape::same, true, PixelType::uint16},
    {Boundary::wrap, Shape::valid, false, PixelType::float32},
};

bool is_defined(const SizeCase& sizes, const Manner& manner) {
  const Extent3 &f = sizes.image, &g = sizes.kernel;
  return manner.shape != Shape::valid || (g.z <= f.z && g.y <= f.y && g.x <= f.x);
}

double largest_difference(const Volume<double>& a, const Volume<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.voxels.size(); ++i)
    largest = std::max(largest, std::abs(a.voxels[i] - b.voxels[i]));
  return largest;
}

class AnyStrategy : public testing::TestWithParam<SizeCase> {};

TEST_P(AnyStrategy, GivesTheResultOfEveryOther) {
  const SizeCase& sizes = GetParam();
  int requests = 0, runs = 0;
  for (const Manner& manner : kManners) {
    if (!is_defined(sizes, manner)) continue;
    ++requests;
    // Whole numbers, so that every type holds them
    auto image = test::noise(sizes.image, 21, 0, 256);
    for (double& v : image.voxels) v = std::floor(v);
    const auto kernel = test::noise(sizes.kernel, 22, -0.2, 1);
    Problem problem;
    problem.image = sizes.image;
    problem.kernel = sizes.kernel;
    problem.center = {sizes.kernel.z / 2, sizes.kernel.y / 3, sizes.kernel.x - 1};
    problem.boundary = manner.boundary;
    problem.shape = manner.shape;
    problem.correlate = manner.correlate;
    const auto whole = test::run_plan(plan_convolution(problem, kLarge, Strategy::in_core), image,
                                      kernel, 2, manner.type);
    const auto peak = static_cast<double>(test::peak_of_absolutes(image, kernel, problem));
    std::vector<Volume<double>> results{whole.result};
    for (const auto strategy : {Strategy::ring, Strategy::tiles, Strategy::parts}) {
      Plan plan;
      try {
        plan = plan_convolution(problem, kLarge, strategy);
      } catch (const PlanError&) {
        continue;  // there is nothing to cut that way
      }
      results.push_back(test::run_plan(plan, image, kernel, 2, manner.type).result);
      for (const auto& other : results)
        EXPECT_LE(largest_difference(results.back(), other), 2e-6 * peak)
            << name_of(strategy) << " " << name_of(manner.boundary) << " " << name_of(manner.shape)
            << " " << name_of(manner.type);
      ++runs;
    }
  }
  EXPECT_GE(requests, 5);
  EXPECT_GE(runs, requests) << "at least one strategy besides in-core can run every request";
}

INSTANTIATE_TEST_SUITE_P(Table, AnyStrategy, testing::ValuesIn(kSizes), test::kCaseName);

}  // namespace
}  // namespace synthoscope::fftconv
