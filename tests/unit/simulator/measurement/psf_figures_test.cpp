// SPDX-License-Identifier: MIT
#include "simulator/measurement/psf_figures.hpp"
#include <gtest/gtest.h>
#include "simulator/measurement/gaussian_fit.hpp"
#include "simulator/measurement/second_spot.hpp"
#include "tests/unit/simulator/measurement/bead_stack.hpp"

namespace synthoscope::simulator {
namespace {

constexpr AlongAxes kSigma{2.1, 1.3, 1.7};
constexpr VoxelPosition kCentre{14.3, 15.8, 16.1};

Volume<float> plain_gaussian(const Extent3& extent = {30, 33, 35}) {
  Volume<float> stack = bead_stack(extent, kSigma, {{kCentre, 1}}, 0);
  for (float& value : stack.voxels) value -= 100;
  return stack;
}

TEST(PsfFigures, OfAGaussianBetweenVoxelsAreThoseOfItsFormula) {
  const PsfFigures figures = measure_psf(plain_gaussian(), kPitch, kCentre);
  EXPECT_NEAR(figures.peak, 1, 2e-3);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    ASSERT_TRUE(figures.fwhm_um[axis] && figures.asymmetry[axis]);
    EXPECT_NEAR(*figures.fwhm_um[axis] / (kWidthOfSigma * kSigma[axis] * pitches_of(kPitch)[axis]),
                1, 2e-3)
        << axis;
    EXPECT_NEAR(*figures.asymmetry[axis], 0, 0.02) << axis;
  }
  // The light of a normal distribution within 2.3548 standard deviations in three dimensions
  EXPECT_NEAR(*figures.energy_in_focus, 0.8642, 0.01);
  EXPECT_NEAR(figures.peak_share, 1 / (2 * M_PI * kSigma[1] * kSigma[2]), 3e-3);
}

TEST(PsfFigures, TellOnWhichSideMoreLightIs) {
  Volume<float> psf = plain_gaussian();
  for (std::int64_t z = 15; z < 30; ++z)
    for (std::int64_t i = 0; i < 33 * 35; ++i)
      psf.voxels[static_cast<std::size_t>(z * 33 * 35 + i)] *= 1.5F;
  const PsfFigures figures = measure_psf(psf, kPitch, kCentre);
  EXPECT_GT(*figures.asymmetry[0], 0.1);
  EXPECT_NEAR(*figures.asymmetry[1], 0, 0.02);
}

TEST(PsfFigures, HaveNoWidthWhereTheLightIsCut) {
  const Volume<float> cut = bead_stack({3, 33, 35}, {6, 1.3, 1.7}, {{{1, 15.8, 16.1}, 1000}}, 0);
  const PsfFigures figures = measure_psf(cut, kPitch, {1, 15.8, 16.1});
  EXPECT_FALSE(figures.fwhm_um[0]);
  EXPECT_TRUE(figures.fwhm_um[1] && figures.fwhm_um[2]);
  EXPECT_FALSE(figures.energy_in_focus);
}

TEST(PsfFigures, OfOnePlaneHaveNoWidthAlongZ) {
  Volume<float> plane = bead_stack({1, 33, 35}, {1, 1.3, 1.7}, {{{0, 15.8, 16.1}, 1}}, 0);
  for (float& value : plane.voxels) value -= 100;
  const PsfFigures figures = measure_psf(plane, kPitch, {0, 15.8, 16.1});
  EXPECT_FALSE(figures.fwhm_um[0]);
  EXPECT_NEAR(*figures.fwhm_um[1], kWidthOfSigma * 0.13, 1e-3);
  EXPECT_TRUE(figures.energy_in_focus);
}

TEST(GaussianFit, FindsWhatWasAdded) {
  const Volume<float> stack = bead_stack({30, 33, 35}, kSigma, {{kCentre, 500}}, 0);
  const auto fit = fit_gaussian(stack, {90, 300, {14, 16, 16}, {1.5, 1.5, 1.5}});
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->background, 100, 1e-3);
  EXPECT_NEAR(fit->amplitude, 500, 1e-2);
  EXPECT_NEAR(fit->centre.z, kCentre.z, 1e-5);
  EXPECT_NEAR(fit->centre.y, kCentre.y, 1e-5);
  EXPECT_NEAR(fit->centre.x, kCentre.x, 1e-5);
  for (std::size_t axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(fit->sigma[axis], kSigma[axis], 1e-5) << axis;
}

TEST(GaussianFit, OfNothingIsNone) {
  const Volume<float> dark = bead_stack({30, 33, 35}, kSigma, {{kCentre, -500}}, 0);
  EXPECT_FALSE(fit_gaussian(dark, {90, 300, {14, 16, 16}, {1.5, 1.5, 1.5}}));
  EXPECT_FALSE(fit_gaussian(bead_stack({1, 3, 3}, kSigma, {}, 0),
                            {100, 1, {0, 1, 1}, {1, 0.3, 0.3}}));  // too few voxels
}

TEST(SecondSpot, IsThatOfAnotherBeadAndNoSideLobe) {
  const auto spot_of = [](const std::vector<PlacedBead>& beads) {
    return second_spot(bead_stack({11, 64, 64}, kSigma, beads), kPitch, 100);
  };
  EXPECT_FALSE(spot_of({{{5, 20, 20}, 1000}}));
  EXPECT_FALSE(spot_of({{{5, 20, 20}, 1000}, {{5, 20, 28}, 500}}));  // near: a lobe
  EXPECT_FALSE(spot_of({{{5, 20, 20}, 1000}, {{5, 20, 50}, 150}}));  // dim
  const auto second = spot_of({{{5, 20, 20}, 1000}, {{5, 20, 55}, 500}});
  ASSERT_TRUE(second);
  EXPECT_EQ(*second, (Index3{5, 20, 55}));
}

}  // namespace
}  // namespace synthoscope::simulator
