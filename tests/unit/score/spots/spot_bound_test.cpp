// SPDX-License-Identifier: MIT
// Bounds of Gaussian spots have closed forms.
#include "score/spots/spot_bound.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include "core/base/error.hpp"
#include "score/spots/rendered_spot.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::score {
namespace {

/// A Gaussian whose voxels add up to 1, in voxels along z, y and x; one plane if sigma_z is 0.
Volume<float> gaussian(double sigma_z, double sigma, std::int64_t half) {
  const std::int64_t half_z = sigma_z > 0 ? half : 0;
  Volume<float> psf{{2 * half_z + 1, 2 * half + 1, 2 * half + 1}};
  const double height = (sigma_z > 0 ? std::sqrt(2 * std::numbers::pi) * sigma_z : 1) * 2 *
                        std::numbers::pi * sigma * sigma;
  std::size_t i = 0;
  for (std::int64_t z = -half_z; z <= half_z; ++z)
    for (std::int64_t y = -half; y <= half; ++y)
      for (std::int64_t x = -half; x <= half; ++x) {
        const double along = sigma_z > 0 ? static_cast<double>(z * z) / (sigma_z * sigma_z) : 0;
        const double across = static_cast<double>(y * y + x * x) / (sigma * sigma);
        psf.voxels[i++] = static_cast<float>(std::exp(-0.5 * (along + across)) / height);
      }
  return psf;
}

/// A camera without noise of its own, and without rounding that matters.
simulator::CameraSpec quiet(simulator::CameraKind kind) {
  simulator::CameraSpec camera = simulator::typical_camera(kind);
  camera.quantum_efficiency = 1;
  camera.dark_current_electrons_per_second = camera.clock_induced_charge_electrons = 0;
  camera.read_noise_electrons = camera.read_noise_spread = 0;
  camera.gain_spread = camera.offset_spread_dn = 0;
  camera.gain_dn_per_electron = 50;
  camera.full_well_electrons = camera.register_full_well_electrons = 1e9;
  camera.offset_dn = 0;
  return camera;
}

struct BoundCase {
  const char* name = "";
  double photons = 300, background = 0;
  double sigma_z = 0, sigma = 1.5;  ///< in voxels of the light
  simulator::CameraKind kind = simulator::CameraKind::scmos;
  double read_noise = 0, em_gain = 1;
  int binning = 1;
  std::int64_t oversample = 1;
  double level = 1;
};

/// Returns the bound of a point of light in the middle of a field, in voxels of the light.
SpotBound bound_in(const BoundCase& c) {
  constexpr std::int64_t kHalf = 24;
  test::TestContext run;
  Volume<float> psf = gaussian(c.sigma_z, c.sigma, kHalf);
  const std::int64_t side = (2 * kHalf + 2) / c.oversample / c.binning * c.binning;
  const Extent3 field{psf.extent.z, side, side};
  Volume<float> photons{field};
  const std::int64_t n = c.oversample;
  for (std::int64_t z = 0; z < field.z; ++z)
    for (std::int64_t y = 0; y < side * n; ++y)
      for (std::int64_t x = 0; x < side * n; ++x)
        if (y <= 2 * kHalf && x <= 2 * kHalf)
          photons.view()(z, y / n, x / n) +=
              static_cast<float>(c.level * c.photons) * psf.view()(z, y, x);
  for (float& pixel : photons.voxels) pixel += static_cast<float>(c.level * c.background);

  simulator::CameraSpec spec = quiet(c.kind);
  spec.read_noise_electrons = c.read_noise;
  spec.em_gain = c.em_gain;
  spec.gain_dn_per_electron /= c.em_gain;
  spec.binning = c.binning;
  const simulator::CameraEpilogue camera{spec, {}, field};
  const simulator::Illumination illumination{{}, field, c.level};
  MemorySource psf_source{ConstVoxelView{psf.view()}}, source{ConstVoxelView{photons.view()}};
  const PsfSlopes slopes = slopes_of(psf_source, {psf.extent.z / 2, kHalf, kHalf}, 0, run.context);
  const double pitch = static_cast<double>(n);
  const SpotImage image{source, camera, illumination, slopes, {field, {1, pitch, pitch}}, n};
  Spot spot;
  spot.photons = c.photons;
  spot.at_um = {static_cast<double>(psf.extent.z) / 2, kHalf + 0.5, kHalf + 0.5};
  return bounds_of({spot}, {0}, image, run.context).front();
}

/// Mortensen's variance of an estimate by maximum likelihood: sigma^2 / N over
/// 1 + integral of ln t / (1 + t / tau) for t from 0 to 1, with tau = 2 pi sigma^2 b / N.
double mortensen_sd(double sigma, double photons, double background) {
  if (background == 0) return sigma / std::sqrt(photons);
  const double tau = 2 * std::numbers::pi * sigma * sigma * background / photons;
  double integral = 0;
  constexpr int kSteps = 20000;
  for (int i = 0; i < kSteps; ++i) {
    // t = u^3 takes the edge off the logarithm
    const double u = (i + 0.5) / kSteps, t = u * u * u;
    integral += 3 * u * u * std::log(t) / (1 + t / tau) / kSteps;
  }
  return sigma / std::sqrt(photons * (1 + integral));
}

// The part of the PSF that is left out makes bounds up to 0.5 % larger

TEST(SpotBound, WithoutBackgroundIsSigmaOverTheRootOfPhotons) {
  const SpotBound bound = bound_in({.photons = 400});
  EXPECT_NEAR(bound.sd_um[1], 1.5 / 20, 3e-3 * 1.5 / 20);
  EXPECT_NEAR(bound.sd_um[2], 1.5 / 20, 3e-3 * 1.5 / 20);
  EXPECT_TRUE(std::isnan(bound.sd_um[0]));
  EXPECT_NEAR(bound.photons_sd, 20, 0.3);  // the background is an unknown, too
}

TEST(SpotBound, InThreeDimensionsIsTheSameAlongZ) {
  const SpotBound bound = bound_in({.photons = 400, .sigma_z = 2.5});
  EXPECT_NEAR(bound.sd_um[0], 2.5 / 20, 3e-3 * 2.5 / 20);
  EXPECT_NEAR(bound.sd_um[2], 1.5 / 20, 3e-3 * 1.5 / 20);
}

TEST(SpotBound, WithBackgroundIsMortensens) {
  for (const double background : {0.1, 1.0, 10.0, 100.0})
    for (const double photons : {100.0, 1000.0}) {
      const double expected = mortensen_sd(1.5, photons, background);
      const SpotBound bound = bound_in({.photons = photons, .background = background});
      EXPECT_NEAR(bound.sd_um[1], expected, 2e-3 * expected) << photons << ", " << background;
    }
}

TEST(SpotBound, OfWidePixelsHasTheWidthOfTheirBox) {
  // Adding up n x n pixels adds (n^2 - 1) / 12 to the square of sigma, and the background of all
  for (const auto& c :
       {BoundCase{.background = 1, .sigma = 4, .oversample = 3},
        BoundCase{.background = 1, .sigma = 4, .binning = 3},
        BoundCase{.background = 1, .sigma = 4, .kind = simulator::CameraKind::ccd, .binning = 3}}) {
    const double sigma = std::sqrt(16 + 8.0 / 12);
    // Per voxel of the light: an oversampled pixel has 1 for nine of them
    const double expected = mortensen_sd(sigma, 300, c.oversample == 3 ? 1.0 / 9 : 1);
    const SpotBound bound = bound_in(c);
    EXPECT_NEAR(bound.sd_um[1], expected, 0.01 * expected) << c.binning << ", " << c.oversample;
  }
}

TEST(SpotBound, TakesTheSquareOfReadNoiseAsBackground) {
  // Huang et al., 2013: a pixel with the variance r^2 is as one with r^2 more photons
  const SpotBound read = bound_in({.background = 1, .read_noise = 2});
  const SpotBound lit = bound_in({.background = 5});
  EXPECT_NEAR(read.sd_um[1], lit.sd_um[1], 1e-5 * lit.sd_um[1]);
}

TEST(SpotBound, IsWiderByTheExcessNoiseOfARegister) {
  const SpotBound plain = bound_in({.background = 1, .kind = simulator::CameraKind::ccd});
  const SpotBound multiplied =
      bound_in({.background = 1, .kind = simulator::CameraKind::emccd, .em_gain = 100});
  const double excess = std::sqrt(2 - 1.0 / 100);
  EXPECT_NEAR(multiplied.sd_um[1] / plain.sd_um[1], excess, 1e-4);
}

TEST(SpotBound, FallsWithTheRootOfTheLight) {
  const SpotBound once = bound_in({.background = 1}),
                  more = bound_in({.background = 1, .level = 4});
  EXPECT_NEAR(more.sd_um[2], once.sd_um[2] / 2, 1e-4 * once.sd_um[2]);
}

TEST(SpotBound, IsUnknownWithoutPhotons) {
  EXPECT_FALSE(bound_in({.photons = kUnknown}).is_known());
  EXPECT_TRUE(bound_in({.photons = 1}).is_known());
}

TEST(PsfSlopes, AreThoseOfAGaussian) {
  test::TestContext run;
  const Volume<float> psf = gaussian(1.6, 1.5, 12);
  MemorySource source{ConstVoxelView{psf.view()}};
  const PsfSlopes slopes = slopes_of(source, {12, 12, 12}, 1e-3, run.context);
  EXPECT_LT(slopes.psf.extent.x, 25);  // far from the centre nothing can be learned
  const Index3& c = slopes.centre;
  for (const std::int64_t far : {-2, 0, 1, 3}) {
    const auto value = static_cast<double>(slopes.psf.view()(c.z, c.y, c.x + far));
    EXPECT_NEAR(slopes.slopes[2].view()(c.z, c.y, c.x + far),
                -static_cast<double>(far) * value / 2.25, 2e-5);
    const auto above = static_cast<double>(slopes.psf.view()(c.z + far, c.y, c.x));
    EXPECT_NEAR(slopes.slopes[0].view()(c.z + far, c.y, c.x),
                -static_cast<double>(far) * above / 2.56, 2e-5);
  }
}

TEST(PsfSlopes, NeedLight) {
  test::TestContext run;
  const Volume<float> dark{{3, 3, 3}};
  MemorySource source{ConstVoxelView{dark.view()}};
  test::expect_failure<InvalidInput>(
      [&] {
        slopes_of(source, {1, 1, 1}, 0, run.context);
      },
      {"PSF", "no light"});
}

TEST(RenderedSpot, OfASmallBallIsOneVoxel) {
  Spot spot;
  spot.at_um = {0.3, 0.55, 0.44};
  spot.radius_um = 0.03;
  const RenderedSpot light = rendered(spot, {{9, 9, 9}, {0.25, 0.1, 0.1}});
  ASSERT_EQ(light.voxels.size(), 1u);
  EXPECT_EQ(light.voxels[0].voxel, (Index3{1, 5, 4}));
  EXPECT_NEAR(light.centre_um[0], 0.375, 1e-12);
  EXPECT_NEAR(light.centre_um[2], 0.45, 1e-12);
}

TEST(RenderedSpot, OfALargeBallIsCentredOnIt) {
  Spot spot;
  spot.at_um = {1.03, 0.94, 1.07};
  spot.radius_um = 0.5;
  const RenderedSpot light = rendered(spot, {{9, 9, 9}, {0.25, 0.1, 0.1}});
  double sum = 0;
  for (const LitVoxel& lit : light.voxels) sum += lit.share;
  EXPECT_NEAR(sum, 1, 1e-12);
  for (std::size_t axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(light.centre_um[axis], spot.at_um[axis], 2e-3) << axis;
}

}  // namespace
}  // namespace synthoscope::score
