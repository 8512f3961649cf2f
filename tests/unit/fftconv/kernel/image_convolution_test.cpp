// SPDX-License-Identifier: MIT
#include "fftconv/kernel/image_convolution.hpp"
#include <gtest/gtest.h>
#include "core/base/error.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"

namespace synthoscope::fftconv {
namespace {

struct TypeCase {
  const char* name;
  OutputType asked;
  Precision precision;
  KernelNormalization normalization;
  PixelType image, result;
};

// clang-format off
constexpr TypeCase kTypeCases[] = {
    {"a_scale_that_changes", OutputType::automatic, Precision::float32, KernelNormalization::none,
     PixelType::uint16, PixelType::float32},
    {"a_peak_keeps_no_scale", OutputType::automatic, Precision::float32, KernelNormalization::peak,
     PixelType::uint16, PixelType::float32},
    {"a_scale_that_stays", OutputType::automatic, Precision::float32, KernelNormalization::sum,
     PixelType::uint16, PixelType::uint16},
    {"an_image_of_floats", OutputType::automatic, Precision::float32, KernelNormalization::sum,
     PixelType::float64, PixelType::float32},
    {"double_precision", OutputType::automatic, Precision::float64, KernelNormalization::sum,
     PixelType::uint8, PixelType::float64},
    {"the_same", OutputType::same, Precision::float64, KernelNormalization::none,
     PixelType::int8, PixelType::int8},
    {"what_is_said", OutputType::uint32, Precision::float64, KernelNormalization::none,
     PixelType::float32, PixelType::uint32},
};
// clang-format on

class ResultsVoxels : public testing::TestWithParam<TypeCase> {};

TEST_P(ResultsVoxels, AreOfTheTypeThatHoldsThem) {
  const TypeCase& c = GetParam();
  ImageConvolution asked;
  asked.output_type = c.asked;
  asked.precision = c.precision;
  asked.kernel.normalization = c.normalization;
  EXPECT_EQ(name_of(output_type(asked, c.image)), name_of(c.result));
  const Problem problem = problem_of(asked, {3, 4, 5}, c.image, {}, BoxOrder::any);
  EXPECT_EQ(problem.result_voxel_bytes, size_of(c.result));
  EXPECT_EQ(problem.image_voxel_bytes, size_of(c.image));
}

INSTANTIATE_TEST_SUITE_P(Types, ResultsVoxels, testing::ValuesIn(kTypeCases), test::kCaseName);

TEST(ResultsThatAreNotFinite, AreRefusedUnlessTheyAreToBePropagated) {
  ImageConvolution asked;
  EXPECT_NO_THROW(require_finite_result(asked, "a.tif", 0));
  test::expect_failure<InvalidInput>([&] { require_finite_result(asked, "a.tif", 3); },
                                     {"convolve a.tif: 3 voxels", "single precision"});
  asked.precision = Precision::float64;
  test::expect_failure<InvalidInput>([&] { require_finite_result(asked, "a.tif", 3); },
                                     {"scale the image"});
  asked.non_finite = NonFinite::propagate;
  EXPECT_NO_THROW(require_finite_result(asked, "a.tif", 3));
}

}  // namespace
}  // namespace synthoscope::fftconv
