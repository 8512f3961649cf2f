// SPDX-License-Identifier: MIT
#include "deconvolution/filters/back_projector.hpp"
#include <gtest/gtest.h>
#include <limits>
#include "deconvolution/iteration/richardson_lucy.hpp"
#include "fftconv/host/executor.hpp"
#include "tests/support/machine_with.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/deconvolution/blurred_field.hpp"
#include "tests/unit/deconvolution/gaussian_psf.hpp"

namespace synthoscope::deconvolution {
namespace {

/// Spots and an edge on dim light, without detail finer than a voxel.
Volume<double> smooth_light(const Extent3& extent) {
  Volume<double> light{extent};
  for (std::int64_t y = 0; y < extent.y; ++y)
    for (std::int64_t x = 0; x < extent.x; ++x) {
      double sum = 20;
      for (int spot = 0; spot < 6; ++spot) {
        const double dy = static_cast<double>(y) - 9.0 * (spot + 1),
                     dx = static_cast<double>(x) - (13 * spot + 11) % 60;
        sum += 1000 * std::exp(-(dy * dy + dx * dx) / 12);
      }
      light.view()(0, y, x) = sum + (x > 45 ? 300 : 0);
    }
  return light;
}

/// Light, a PSF of sigma 1.8, and its noise-free image.
struct Scene {
  Geometry geometry{{1, 64, 64}, {1, 15, 15}, {0, 7, 7}};
  Volume<double> psf = test::gaussian_psf(geometry.kernel, 1.8);
  Volume<double> light = smooth_light(estimate_extent(geometry));
  Volume<float> image = test::in_single(test::blurred(geometry, light, psf));
};

/// Returns the estimate after `iterations`, with a back projector if there is a specification.
Volume<float> estimated(const Scene& scene, int iterations,
                        const std::optional<BackProjectorSpec>& spec, int threads = 2,
                        bool has_momentum = false) {
  synthoscope::test::TestContext run{threads};
  MemorySource image{ConstVoxelView{scene.image.view()}}, psf{ConstVoxelView{scene.psf.view()}};
  const Geometry& geometry = scene.geometry;
  const auto new_estimate = [&](const Extent3& extent) {
    return std::make_unique<ScratchVolume>(extent, PixelType::float32, run.memory, "estimate");
  };
  const auto estimate = new_estimate(estimate_extent(geometry)),
             last = new_estimate(estimate_extent(geometry)),
             residual = new_estimate(geometry.field);
  Model model{geometry, {&psf, 0, 1}, 0, {}};
  FilterKernel back;
  std::optional<MemorySource> back_source;
  if (spec) {
    back = make_back_projector(model.kernel, geometry.center, *spec, run.context);
    back_source.emplace(back.source());
    model.back = fftconv::Kernel{&*back_source, 0, 1};
  }
  const auto executor =
      fftconv::make_host_executor(synthoscope::test::machine_with(std::int64_t{1} << 30));
  RichardsonLucy lucy{model,
                      {image},
                      {*estimate, *residual, has_momentum ? last.get() : nullptr},
                      plan_steps(geometry, executor->machine()),
                      *executor,
                      run.context};
  lucy.begin();
  for (int i = 0; i < iterations; ++i) lucy.iterate();
  return read_all<float>(lucy.result());
}

/// Root of the mean square of what is wrong within the field.
double error_of(const Scene& scene, const Volume<float>& estimate) {
  const Box3 field = field_in_estimate(scene.geometry);
  double sum = 0;
  for (std::int64_t y = field.origin.y; y < field.origin.y + field.size.y; ++y)
    for (std::int64_t x = field.origin.x; x < field.origin.x + field.size.x; ++x)
      sum +=
          std::pow(static_cast<double>(estimate.view()(0, y, x)) - scene.light.view()(0, y, x), 2);
  return std::sqrt(sum / static_cast<double>(volume(field.size)));
}

TEST(BackProjector, ReachesInTwoIterationsWhatThePsfNeedsEightFor) {
  const Scene scene;
  const double of_two = error_of(scene, estimated(scene, 2, BackProjectorSpec{}));
  EXPECT_LT(of_two, error_of(scene, estimated(scene, 8, {})));
  EXPECT_LT(of_two, 0.7 * error_of(scene, estimated(scene, 2, {})));
}

TEST(BackProjector, StaysAtLightThatExplainsTheImage) {
  // Even light is its own image, but for what the field hardly sees, which is taken to be dark
  Scene scene;
  for (float& voxel : scene.image.voxels) voxel = 50;
  const Volume<float> found = estimated(scene, 3, BackProjectorSpec{});
  const Box3 field = field_in_estimate(scene.geometry);
  for (std::int64_t y = 0; y < field.size.y; ++y)
    for (std::int64_t x = 0; x < field.size.x; ++x)
      EXPECT_NEAR(found.view()(0, field.origin.y + y, field.origin.x + x), 50, 0.25);
}

TEST(BackProjector, HasTheSameBitsWithOtherThreads) {
  const Scene scene;
  EXPECT_EQ(estimated(scene, 2, BackProjectorSpec{}, 1).voxels,
            estimated(scene, 2, BackProjectorSpec{}, 3).voxels);
}

TEST(BackProjector, RefusesMomentum) {
  EXPECT_THROW(estimated(Scene{}, 1, BackProjectorSpec{}, 2, true), InvalidSpec);
}

TEST(BackProjector, HasItsTransferFunction) {
  const double sigma = 2;
  const Extent3 extent{1, 1, 61};
  const Volume<double> psf = test::gaussian_psf(extent, sigma);
  MemorySource source{ConstVoxelView{psf.view()}};
  synthoscope::test::TestContext run;
  const BackProjectorSpec spec{0.05, 4, 0.2, {0, 0, 5}};
  const FilterKernel kernel =
      make_back_projector({&source, 0, 1}, test::middle_of(extent), spec, run.context);
  EXPECT_NEAR(sum_of(kernel), 1, 1e-6);
  for (const double f : {0.02, 0.1, 0.2, 0.3, 0.45}) {
    double got = 0;
    for (std::int64_t x = 0; x < extent.x; ++x)
      got += static_cast<double>(kernel.weights.data()[x]) *
             std::cos(2 * std::numbers::pi * f * static_cast<double>(x - 30));
    const double k = test::gaussian_transfer(sigma, f), rho = 5 * f;
    const double wanted = 1.05 * k / (k * k + 0.05) / std::sqrt(1 + 24 * std::pow(rho, 8));
    EXPECT_NEAR(got, wanted, 2e-3) << f;
  }
}

TEST(HalfWidths, AreThoseOfAGaussian) {
  const Volume<double> psf = test::gaussian_psf({1, 21, 25}, 3);
  MemorySource source{ConstVoxelView{psf.view()}};
  synthoscope::test::TestContext run;
  const auto widths = half_widths({&source, 0, 1}, run.context);
  EXPECT_EQ(widths[0], 1);
  EXPECT_NEAR(widths[1], 2.3548 * 3, 0.03);
  EXPECT_NEAR(widths[2], 2.3548 * 3, 0.03);
}

TEST(BackProjector, RefusesNumbersOutsideTheirRanges) {
  const Volume<double> psf = test::gaussian_psf({1, 5, 5}, 1);
  MemorySource source{ConstVoxelView{psf.view()}};
  synthoscope::test::TestContext run;
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const BackProjectorSpec refused[] = {
      {0},          {-1},         {kNan},          {0.1, 0},
      {0.1, 10, 0}, {0.1, 10, 1}, {0.1, 10, kNan}, {0.1, 10, 0.1, {0, -1, 0}}};
  for (const BackProjectorSpec& spec : refused)
    EXPECT_THROW(make_back_projector({&source, 0, 1}, {0, 2, 2}, spec, run.context), InvalidSpec);
}

}  // namespace
}  // namespace synthoscope::deconvolution
