// SPDX-License-Identifier: MIT
#include "fftconv/certify/by_library.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include "core/base/error.hpp"
#include "core/stream/store_as.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/checking_stream.hpp"
#include "tests/support/convolution_case.hpp"
#include "tests/support/direct_convolution.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/run_convolution.hpp"
#include "tests/support/test_context.hpp"
#include "tests/support/work_case.hpp"

namespace synthoscope::fftconv {
namespace {

class ByFftw : public testing::Test {
 protected:
  void SetUp() override {
    if (!is_here(FftLibrary::fftw)) GTEST_SKIP() << "this build has no FFTW";
  }

  template <class T>
  static Certificate certificate_of(const test::WorkCase& work, const Volume<T>& result,
                                    int threads = 2) {
    test::TestContext machine{threads};
    MemorySource source{result.view()};
    return certify_by_library({FftLibrary::fftw, {}}, work.problem, work.term, source,
                              machine.context);
  }
};

struct ShapeCase {
  const char* name;
  Extent3 image, kernel;
};

class ByFftwOf : public ByFftw, public testing::WithParamInterface<ShapeCase> {};

TEST_P(ByFftwOf, EqualsTheDefinitionInEveryShapeAndBoundary) {
  for (const auto boundary :
       {Boundary::zero, Boundary::nearest, Boundary::reflect, Boundary::mirror, Boundary::wrap})
    for (const auto shape : {Shape::same, Shape::full, Shape::valid})
      for (const bool correlate : {false, true}) {
        const auto [name, image, kernel] = GetParam();
        if (shape != Shape::same && boundary != Boundary::zero) continue;
        if (shape == Shape::valid &&
            (kernel.z > image.z || kernel.y > image.y || kernel.x > image.x))
          continue;
        test::WorkCase work{test::noise(image, 1, -1, 1), test::noise(kernel, 2, -0.5, 1)};
        work.problem.boundary = boundary;
        work.problem.shape = shape;
        work.problem.correlate = correlate;
        work.problem.center = {kernel.z - 1, 0, kernel.x / 3};
        work.problem.precision = Precision::float64;
        if (correlate)
          work.problem.part = test::part_of(output_extent(work.problem), test::Wanted::some);
        const auto exact = test::direct_convolution(work.image, work.kernel, work.problem);
        Volume<double> result{exact.extent};
        std::transform(exact.voxels.begin(), exact.voxels.end(), result.voxels.begin(),
                       [](long double v) { return static_cast<double>(v); });
        const Certificate c = certificate_of(work, result);
        const auto peak =
            static_cast<double>(test::peak_of_absolutes(work.image, work.kernel, work.problem));
        EXPECT_LE(c.largest_error, 1e-14 * peak) << name_of(boundary) << " " << name_of(shape);
        EXPECT_NEAR(c.peak, peak, 1e-12 * peak);
        EXPECT_EQ(c.voxels, volume(result.extent));
        EXPECT_TRUE(c.holds());
      }
}

constexpr ShapeCase kShapeCases[] = {{"one_voxel", {1, 1, 1}, {1, 1, 1}},
                                     {"line", {1, 1, 23}, {1, 1, 6}},
                                     {"flat", {1, 15, 12}, {1, 4, 5}},
                                     {"cube", {9, 8, 7}, {3, 4, 2}},
                                     {"kernel_larger", {4, 5, 6}, {9, 8, 11}}};
INSTANTIATE_TEST_SUITE_P(Table, ByFftwOf, testing::ValuesIn(kShapeCases), test::kCaseName);

/// Counts up to 200 blurred by a kernel whose sum is about one.
struct Blur : test::WorkCase {
  Blur() : WorkCase{test::noise({9, 14, 15}, 1, 0, 200), test::noise({3, 4, 5}, 2, 0, 1 / 30.0)} {}
  [[nodiscard]] Volume<double> result() const {
    return test::run_convolution(image, kernel, problem).result;
  }
};

TEST_F(ByFftw, HoldsForOurResultInBothPrecisions) {
  for (const auto precision : {Precision::float32, Precision::float64}) {
    Blur blur;
    blur.problem.precision = precision;
    const Certificate c = certificate_of(blur, blur.result());
    EXPECT_TRUE(c.holds()) << c.largest_error << " of " << c.tolerance;
    EXPECT_GT(c.largest_error, 0) << "another library rounds in another way";
    EXPECT_EQ(c.by, version_of(FftLibrary::fftw));
  }
}

TEST_F(ByFftw, FindsTheOneVoxelThatIsWrong) {
  const Blur blur;
  auto result = blur.result();
  const Index3 at{8, 3, 14};
  double& voxel = result.view()(at.z, at.y, at.x);
  const double right = voxel;
  for (const double wrong : {right * 1.0001, std::numeric_limits<double>::quiet_NaN()}) {
    voxel = wrong;
    const Certificate c = certificate_of(blur, result);
    EXPECT_FALSE(c.holds());
    EXPECT_EQ(c.worst, at);
    EXPECT_NEAR(c.recomputed, right, 1e-6 * right);
  }
}

TEST_F(ByFftw, ComparesIntegersAfterRoundingAndClipping) {
  Blur blur;
  blur.term.kernel.scale = 3;  // beyond 255
  Volume<std::uint8_t> stored{blur.image.extent};
  auto result = blur.result();
  for (double& v : result.voxels) v *= 3;
  StoreAs store{PixelType::uint8};
  store.apply(whole(result.extent), result.view(), VoxelView{stored.view()});
  EXPECT_GT(store.clipped(), 0);
  const Certificate c = certificate_of(blur, stored);
  EXPECT_TRUE(c.holds()) << c.largest_error;
  EXPECT_LE(c.largest_error, 0.51);
  stored.voxels[100] ^= 1;
  stored.voxels[100] ^= 2;
  EXPECT_FALSE(certificate_of(blur, stored).holds());
}

TEST_F(ByFftw, IsTheSameForAnyNumberOfThreads) {
  const Blur blur;
  const auto result = blur.result();
  const Certificate one = certificate_of(blur, result, 1);
  for (const int threads : {2, 5}) {
    const Certificate more = certificate_of(blur, result, threads);
    EXPECT_NEAR(more.largest_error, one.largest_error, 1e-12 * one.peak);
    EXPECT_EQ(more.peak, one.peak);
  }
}

TEST_F(ByFftw, HoldsNoMoreThanItSaysAndIsRefusedWithLess) {
  const Blur blur;
  const auto result = blur.result();
  MemorySource source{result.view()};
  const std::int64_t bytes = certify_by_library_bytes(blur.problem, 2);
  test::TestContext enough{2, bytes}, less{2, bytes - 1};
  EXPECT_TRUE(
      certify_by_library({FftLibrary::fftw, {}}, blur.problem, blur.term, source, enough.context)
          .holds());
  EXPECT_EQ(enough.memory.peak(), bytes);
  EXPECT_THROW((void)certify_by_library({FftLibrary::fftw, {}}, blur.problem, blur.term, source,
                                        less.context),
               PlanError);
}

TEST_F(ByFftw, RefusesAResultOfAnotherExtent) {
  const Blur blur;
  test::expect_failure<InvalidSpec>(
      [&] {
        (void)certificate_of(blur, Volume<float>{{9, 14, 16}});
      },
      {"9x14x16", "9x14x15"});
}

TEST_F(ByFftw, StopsWhileItReads) {
  const Blur blur;
  const auto result = blur.result();
  test::TestContext machine;
  MemorySource source{result.view()};
  test::StoppingSource stopping{source, machine.stop, 3};
  EXPECT_THROW((void)certify_by_library({FftLibrary::fftw, {}}, blur.problem, blur.term, stopping,
                                        machine.context),
               Interrupted);
}

}  // namespace
}  // namespace synthoscope::fftconv
