// SPDX-License-Identifier: MIT
// Whatever strategy runs a request in single precision, the result is the same.
#include <gtest/gtest.h>
#include "fftconv/host/executor.hpp"
#include "fftconv/plan/cuts/layout.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/convolution_case.hpp"
#include "tests/support/machine_with.hpp"

namespace synthoscope::fftconv {
namespace {

const Machine kLarge = test::machine_with(std::int64_t{8} << 30);

constexpr test::Manner kManners[] = {
    {Boundary::zero, Shape::same, false, false, PixelType::uint8},
    {Boundary::zero, Shape::full, true, false, PixelType::uint16},
    {Boundary::zero, Shape::valid, false, false, PixelType::float32},
    {Boundary::nearest, Shape::same, false, false, PixelType::uint16},
    {Boundary::reflect, Shape::same, true, false, PixelType::float32},
    {Boundary::mirror, Shape::same, false, false, PixelType::uint8},
    {Boundary::wrap, Shape::same, true, false, PixelType::uint16},
    {Boundary::wrap, Shape::valid, false, false, PixelType::float32},
    {Boundary::zero, Shape::same, false, false, PixelType::uint8, test::Wanted::plane},
    {Boundary::reflect, Shape::same, true, false, PixelType::float32, test::Wanted::plane},
    {Boundary::zero, Shape::full, false, false, PixelType::float32, test::Wanted::some},
    {Boundary::wrap, Shape::same, false, false, PixelType::uint16, test::Wanted::some},
};

class AnyStrategy : public testing::TestWithParam<test::SizeCase> {};

TEST_P(AnyStrategy, GivesTheResultOfEveryOther) {
  const test::SizeCase& sizes = GetParam();
  int requests = 0, runs = 0;
  for (const test::Manner& manner : kManners) {
    if (!test::is_defined(sizes.image, sizes.kernel, manner.shape)) continue;
    ++requests;
    const auto image = test::whole_numbers(sizes.image, 21, 256);
    const auto kernel = test::noise(sizes.kernel, 22, -0.2, 1);
    Problem problem = test::problem_of(sizes.image, sizes.kernel, manner);
    problem.may_sum = true;
    const auto whole = test::run_plan(plan_convolution(problem, kLarge, Strategy::in_core), image,
                                      kernel, 2, manner.type);
    const auto peak = static_cast<double>(test::peak_of_absolutes(image, kernel, problem));
    std::vector<Volume<double>> results{whole.result};
    for (const auto strategy :
         {Strategy::ring, Strategy::tiles, Strategy::parts, Strategy::direct}) {
      if (kLarge.fft && strategy == Strategy::direct) continue;  // it has no transforms
      Plan plan;
      try {
        plan = plan_convolution(problem, kLarge, strategy);
      } catch (const PlanError&) {
        continue;  // there is nothing to cut that way
      }
      results.push_back(test::run_plan(plan, image, kernel, 2, manner.type).result);
      for (const auto& other : results)
        EXPECT_LE(test::largest_difference(results.back(), other), 2e-6 * peak)
            << name_of(strategy) << " " << name_of(manner.boundary) << " " << name_of(manner.shape)
            << " " << name_of(manner.type);
      ++runs;
    }
  }
  EXPECT_GE(requests, 5);
  EXPECT_GE(runs, requests) << "at least one strategy besides in-core can run every request";
}

INSTANTIATE_TEST_SUITE_P(Table, AnyStrategy, testing::ValuesIn(test::kAwkwardSizes),
                         test::kCaseName);

}  // namespace
}  // namespace synthoscope::fftconv
