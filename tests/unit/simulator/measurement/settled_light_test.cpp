// SPDX-License-Identifier: MIT
// settled_light_test.cpp — widths of noisy PSFs are those of the PSF.
#include "simulator/measurement/settled_light.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <random>
#include "simulator/measurement/psf_figures.hpp"
#include "simulator/optics/psf.hpp"
#include "tests/support/case_name.hpp"

namespace synthoscope::simulator {
namespace {

TEST(LensPattern, IsTheAiryPatternInFocus) {
  const LensPattern pattern;
  EXPECT_NEAR(pattern.light(0, 0), 1, 1e-12);
  for (double v = 0.1; v < 11; v += 0.37)
    EXPECT_NEAR(pattern.light(0, v * v), std::pow(2 * std::cyl_bessel_j(1.0, v) / v, 2), 1e-5) << v;
  EXPECT_EQ(pattern.light(0, 1e4), 0);
  EXPECT_EQ(pattern.light(1e4, 0), 0);
}

TEST(LensPattern, HasTheCurvatureAlongTheAxisOfSmallAngles) {
  // Born and Wolf 8.8; u = 0.5
  EXPECT_NEAR(LensPattern{}.light(0.25, 0), std::pow(std::sin(0.125) / 0.125, 2), 1e-5);
}

/// The variance of light along z, y and x, in voxels.
AlongAxes variances_of(const Volume<float>& image) {
  const Extent3& e = image.extent;
  AlongAxes square{};
  double sum = 0;
  auto voxel = image.voxels.begin();
  for (std::int64_t z = 0; z < e.z; ++z)
    for (std::int64_t y = 0; y < e.y; ++y)
      for (std::int64_t x = 0; x < e.x; ++x) {
        const double light = static_cast<double>(*voxel++);
        const AlongAxes at{static_cast<double>(z - e.z / 2), static_cast<double>(y - e.y / 2),
                           static_cast<double>(x - e.x / 2)};
        for (std::size_t axis = 0; axis < 3; ++axis) square[axis] += light * at[axis] * at[axis];
        sum += light;
      }
  for (double& one : square) one /= sum;
  return square;
}

TEST(CoreImage, OfABeadHasTheVarianceOfABallMore) {
  const AlongAxes diameter{2, 3, 2.5};
  PsfCore core{1, {10, 12, 12}, {1.5, 1.8, 2}};
  core.power = 20;
  const auto variances = [&](const CoreImage& image) {
    Volume<float> light{{21, 25, 25}};
    image.add_to(light, core, 1);
    return variances_of(light);
  };
  const AlongAxes of_point = variances(CoreImage{}), of_bead = variances(CoreImage{diameter});
  for (std::size_t axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(of_bead[axis] - of_point[axis], diameter[axis] * diameter[axis] / 20, 0.005)
        << axis;
}

struct PsfCase {
  const char* name;
  PsfModel model;
  double na, immersion_index, depth_um;
  double largest_error;  ///< root mean square, relative, at a noise of 1 % of the peak
};
constexpr PsfCase kPsfs[] = {
    {"wide_field", PsfModel::gibson_lanni, 1.1, 1.333, 0, 0.0125},
    {"confocal", PsfModel::confocal, 1.2, 1.333, 0, 0.0125},
    {"light_sheet", PsfModel::light_sheet, 0.8, 1.333, 0, 0.0125},
    {"oil_deep_in_water", PsfModel::gibson_lanni, 1.3, 1.515, 8, 0.02},
};

class NoisyPsf : public testing::TestWithParam<PsfCase> {
 protected:
  static constexpr VoxelSize kVoxel{0.2, 0.09, 0.09};

  void SetUp() override {
    OpticsSpec optics;
    optics.model = GetParam().model;
    optics.na = GetParam().na;
    optics.immersion_index = GetParam().immersion_index;
    optics.sample_index = 1.333;
    optics.depth_um = GetParam().depth_um;
    optics.sheet_waist_um = 0.8;
    optics.pixel_integration = true;
    optics.normalization = PsfNormalization::peak;
    optics.size = Extent3{25, 31, 31};
    psf_.voxels = make_psf<float>(optics, kVoxel, {}, pool_).voxels.voxels;
    psf_.extent = *optics.size;
    true_ = widths_of(psf_, 0);
  }
  static AlongAxes widths_of(const Volume<float>& psf, double noise) {
    const PsfFigures figures = measure_psf(psf, kVoxel, {12, 15, 15}, noise);
    return {figures.fwhm_um[0].value(), figures.fwhm_um[1].value(), figures.fwhm_um[2].value()};
  }
  Volume<float> with_noise(double noise, std::uint32_t seed) const {
    std::mt19937 random{seed};
    std::normal_distribution<double> normal{0, noise};
    Volume<float> noisy = psf_;
    for (float& voxel : noisy.voxels) voxel += static_cast<float>(normal(random));
    return noisy;
  }
  TaskPool pool_{2};
  Volume<float> psf_;
  AlongAxes true_{};
};

TEST_P(NoisyPsf, KeepsItsWidthsWithoutNoise) {
  const double noise = noise_near_top(psf_);
  EXPECT_LT(noise, 4e-3);
  const AlongAxes widths = widths_of(psf_, noise);
  for (std::size_t axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(widths[axis] / true_[axis], 1, 0.005) << axis;
}

TEST_P(NoisyPsf, HasTheWidthsOfThePsf) {
  constexpr double kNoise = 0.01;
  constexpr std::uint32_t kDraws = 20;
  AlongAxes mean{}, square{};
  for (std::uint32_t seed = 0; seed < kDraws; ++seed) {
    const AlongAxes widths = widths_of(with_noise(kNoise, seed), kNoise);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double off = widths[axis] / true_[axis] - 1;
      mean[axis] += off / kDraws;
      square[axis] += off * off / kDraws;
    }
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(mean[axis], 0, 0.01) << axis;
    EXPECT_LT(std::sqrt(square[axis]), GetParam().largest_error) << axis;
  }
}

TEST_P(NoisyPsf, TellsItsNoise) {
  EXPECT_NEAR(noise_near_top(with_noise(0.01, 1)) / 2, 0.01, 5e-4);
}

INSTANTIATE_TEST_SUITE_P(Optics, NoisyPsf, testing::ValuesIn(kPsfs), test::kCaseName);

}  // namespace
}  // namespace synthoscope::simulator
