// SPDX-License-Identifier: MIT
#include "deconvolution/filters/wiener.hpp"
#include <gtest/gtest.h>
#include <limits>
#include "tests/support/run_convolution.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/deconvolution/gaussian_psf.hpp"

namespace synthoscope::deconvolution {
namespace {

WienerKernel wiener_of(const Volume<double>& psf, const Index3& center, double lambda,
                       int threads = 2) {
  MemorySource source{ConstVoxelView{psf.view()}};
  static synthoscope::test::TestContext one{1}, two{2};
  return make_wiener({&source, 0, 1}, center, lambda, (threads == 1 ? one : two).context);
}

Volume<double> in_double(const FilterKernel& kernel) {
  Volume<double> volume{kernel.extent};
  std::copy_n(kernel.weights.data(), kernel.weights.count(), volume.voxels.begin());
  return volume;
}

TEST(Wiener, UndoesABlurThatLosesNothing) {
  // Without symmetry, and off its centre; half of the light stays where it is
  Volume<double> psf{{3, 4, 5}};
  psf.voxels = synthoscope::test::noise(psf.extent, 1).voxels;
  const Index3 center{1, 2, 1};
  double sum = 0;
  for (const double voxel : psf.voxels) sum += voxel;
  psf.view()(1, 2, 1) += 1.5 * sum;
  const WienerKernel wiener = wiener_of(psf, center, 1e-9);
  fftconv::Problem problem = wiener_problem(psf.extent, wiener);
  problem.boundary = Boundary::zero;
  problem.shape = fftconv::Shape::full;
  const auto both =
      synthoscope::test::run_convolution(psf, in_double(wiener.kernel), problem).result;
  const Index3& c = wiener.kernel.center;
  for (std::int64_t z = 0; z < both.extent.z; ++z)
    for (std::int64_t y = 0; y < both.extent.y; ++y)
      for (std::int64_t x = 0; x < both.extent.x; ++x) {
        const bool is_middle = Index3{z - c.z, y - c.y, x - c.x} == center;
        EXPECT_NEAR(both.view()(z, y, x) / (2.5 * sum), is_middle ? 1 : 0, 0.02);
      }
}

TEST(Wiener, OfAGaussianHasItsClosedForm) {
  const double sigma = 1.5;
  for (const double lambda : {0.1, 0.01}) {
    const Volume<double> psf = test::gaussian_psf({1, 1, 41}, sigma);
    const WienerKernel wiener = wiener_of(psf, {0, 0, 20}, lambda);
    const FilterKernel& w = wiener.kernel;
    EXPECT_LE(wiener.cut_off, 1e-4);
    for (std::int64_t x = 0; x < w.extent.x; ++x) {
      // The integral of W over all frequencies, within the window
      const auto distance = static_cast<double>(x - w.center.x);
      constexpr int kSteps = 2000;
      double integral = 0;
      for (int i = 0; i < kSteps; ++i) {
        const double f = (i + 0.5) / kSteps - 0.5, k = test::gaussian_transfer(sigma, f);
        integral += (1 + lambda) * k / (k * k + lambda) *
                    std::cos(2 * std::numbers::pi * f * distance) / kSteps;
      }
      const double window = std::pow(std::cos(0.5 * std::numbers::pi * distance / 41), 2);
      EXPECT_NEAR(static_cast<double>(w.weights.data()[x]), integral * window, 1e-2) << distance;
    }
  }
}

TEST(Wiener, LeavesAnEvenImageAsItIs) {
  const Volume<double> psf = test::gaussian_psf({3, 7, 9}, 1.2);
  for (const double lambda : {1e-4, 1e-2, 1.0, 100.0}) {
    const WienerKernel wiener = wiener_of(psf, test::middle_of(psf.extent), lambda);
    EXPECT_NEAR(sum_of(wiener.kernel), 1, 3e-6) << lambda;
    const auto even = synthoscope::test::noise({4, 20, 12}, 1, 7, 7);
    const auto filtered = synthoscope::test::run_convolution(even, in_double(wiener.kernel),
                                                             wiener_problem(even.extent, wiener));
    for (const double voxel : filtered.result.voxels) EXPECT_NEAR(voxel, 7, 1e-3);
  }
}

TEST(Wiener, IsThePsfTurnedAroundWhereNoiseIsAll) {
  Volume<double> psf{{1, 1, 3}};
  psf.voxels = {0.1, 0.6, 0.3};
  const WienerKernel wiener = wiener_of(psf, {0, 0, 1}, 1e6);
  ASSERT_EQ(wiener.kernel.extent, (Extent3{1, 1, 3}));
  // 0.3, 0.6, 0.1 times the window, which is 3 / 4 beside the middle; a symmetric part is put back
  const float* const w = wiener.kernel.weights.data();
  EXPECT_NEAR(static_cast<double>(w[0] - w[2]), 0.75 * (0.3 - 0.1), 1e-5);
}

TEST(Wiener, HasTheSameBitsWithOtherThreads) {
  const Volume<double> psf = synthoscope::test::noise({5, 6, 7}, 3);
  const WienerKernel a = wiener_of(psf, {2, 3, 3}, 0.01, 1), b = wiener_of(psf, {2, 3, 3}, 0.01, 2);
  ASSERT_EQ(a.kernel.extent, b.kernel.extent);
  EXPECT_TRUE(std::equal(a.kernel.weights.data(),
                         a.kernel.weights.data() + a.kernel.weights.count(),
                         b.kernel.weights.data()));
}

TEST(Wiener, RefusesWhatIsNoRatioOfPowers) {
  const Volume<double> psf = test::gaussian_psf({1, 5, 5}, 1);
  for (const double lambda : {0.0, -0.1, std::numeric_limits<double>::quiet_NaN(),
                              std::numeric_limits<double>::infinity()})
    EXPECT_THROW(wiener_of(psf, {0, 2, 2}, lambda), InvalidSpec) << lambda;
}

TEST(Wiener, RefusesWhatIsNoPsf) {
  Volume<double> psf{{1, 1, 3}};
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& voxels :
       {std::vector{0.0, 0.0, 0.0}, {1.0, -2.0, 1.0}, {0.0, -1.0, 0.5}, {1.0, kNan, 1.0}}) {
    psf.voxels = voxels;
    EXPECT_THROW(wiener_of(psf, {0, 0, 1}, 0.1), InvalidInput) << voxels[1];
  }
}

}  // namespace
}  // namespace synthoscope::deconvolution
