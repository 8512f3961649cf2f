// SPDX-License-Identifier: MIT
// glare_test.cpp — light that lens and sample scatter into a halo.
#include "simulator/optics/glare.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include "core/base/error.hpp"
#include "simulator/optics/psf.hpp"

namespace synthoscope::simulator {
namespace {

constexpr VoxelSize kPitch{0.5, 0.25, 0.2};

OpticsSpec lens_with_glare(PsfModel model, double share, double um) {
  OpticsSpec optics;
  optics.model = model;
  optics.na = 0.75;
  optics.immersion_index = 1;
  optics.glare_share = share;
  optics.glare_um = um;
  return optics;
}

double sum_of_plane(const BasicPsf<double>& psf, std::int64_t z) {
  double sum = 0;
  for (std::int64_t y = 0; y < psf.voxels.extent.y; ++y)
    for (std::int64_t x = 0; x < psf.voxels.extent.x; ++x) sum += psf.voxels.view()(z, y, x);
  return sum;
}

class Glare : public testing::Test {
 protected:
  BasicPsf<double> make(const OpticsSpec& optics, const PsfSizing& sizing = {}) {
    return make_psf<double>(optics, kPitch, sizing, pool);
  }
  TaskPool pool{2};
};

TEST_F(Glare, NoShareLeavesEveryVoxelAsItIs) {
  const auto plain = make(lens_with_glare(PsfModel::born_wolf, 0, 2));
  const auto other = make(lens_with_glare(PsfModel::born_wolf, 0, 50));
  EXPECT_EQ(plain.voxels.extent, other.voxels.extent);
  EXPECT_TRUE(plain.voxels.voxels == other.voxels.voxels);
}

TEST_F(Glare, EveryPlaneKeepsItsLightAndTheWindowGrowsForIt) {
  const PsfSizing of_five_planes{Extent3{5, 400, 400}};
  const auto plain = make(lens_with_glare(PsfModel::born_wolf, 0, 1.5), of_five_planes);
  const auto psf = make(lens_with_glare(PsfModel::born_wolf, 0.3, 1.5), of_five_planes);
  EXPECT_EQ(psf.voxels.extent.y, plain.voxels.extent.y + 2 * 36);  // 6 x 1.5 um of 0.25 um
  EXPECT_EQ(psf.voxels.extent.x, plain.voxels.extent.x + 2 * 45);
  for (std::int64_t z = 0; z < psf.voxels.extent.z; ++z) {
    EXPECT_NEAR(sum_of_plane(psf, z), sum_of_plane(plain, z), 0.01);
    EXPECT_NEAR(psf.captured[static_cast<std::size_t>(z)], sum_of_plane(psf, z), 1e-3);
  }
}

TEST_F(Glare, FarFromThePointItFollowsTheExponential) {
  const double share = 0.25, um = 2;
  auto optics = lens_with_glare(PsfModel::gaussian, share, um);
  optics.size = Extent3{1, 201, 201};
  const auto psf = make(optics);
  // A Gaussian of variance v before the halo multiplies its far values by about exp(v / 2 L^2)
  for (const std::int64_t x : {10, 15, 20, 30, 40}) {
    const double r = kPitch.x_um * static_cast<double>(x);
    const double expected =
        share * std::exp(-r / um) / (2 * std::numbers::pi * um * um) * kPitch.y_um * kPitch.x_um;
    EXPECT_NEAR(psf.voxels.view()(0, 100, 100 + x), expected, 0.11 * expected) << r;
    EXPECT_NEAR(psf.voxels.view()(0, 100, 100 - x), psf.voxels.view()(0, 100, 100 + x), 1e-15);
  }
}

TEST_F(Glare, AddsSixSquaredLengthsToTheMeanSquareDistance) {
  const auto mean_square = [&](double share) {
    auto optics = lens_with_glare(PsfModel::gaussian, share, 0.8);
    optics.size = Extent3{1, 181, 221};
    const auto psf = make(optics);
    double light = 0, moment = 0;
    for (std::int64_t y = 0; y < 181; ++y)
      for (std::int64_t x = 0; x < 221; ++x) {
        const double value = psf.voxels.view()(0, y, x);
        light += value;
        moment += value * (std::pow(static_cast<double>(y - 90) * kPitch.y_um, 2) +
                           std::pow(static_cast<double>(x - 110) * kPitch.x_um, 2));
      }
    return moment / light;
  };
  EXPECT_NEAR(mean_square(0.4) - mean_square(0), 0.4 * 6 * 0.8 * 0.8, 1e-3);
}

TEST_F(Glare, ThePlannedSizeIsThatOfThePsfForEveryModel) {
  for (const PsfModel model : {PsfModel::born_wolf, PsfModel::gibson_lanni, PsfModel::gaussian}) {
    for (const PsfSizing& sizing : {PsfSizing{Extent3{3, 64, 300}}, PsfSizing{Extent3{2, 9, 5}},
                                    PsfSizing{std::nullopt, 101}}) {
      const auto optics = lens_with_glare(model, 0.2, 3);
      const auto psf = make(optics, sizing);
      const auto planned = psf_size(optics, kPitch, sizing, pool);
      EXPECT_EQ(planned.size, psf.voxels.extent);
      EXPECT_EQ(planned.centre, psf.centre);
      EXPECT_LE(psf.voxels.extent.x, sizing.volume ? 2 * sizing.volume->x - 1 : 101);
    }
  }
}

TEST_F(Glare, NormalisedPsfsAreNormalisedWithTheirHalo) {
  auto optics = lens_with_glare(PsfModel::born_wolf, 0.5, 1);
  optics.size = Extent3{3, 31, 31};
  optics.normalization = PsfNormalization::sum;
  const auto summed = make(optics);
  EXPECT_EQ(summed.voxels.extent, *optics.size);
  EXPECT_NEAR(sum_of_plane(summed, 0) + sum_of_plane(summed, 1) + sum_of_plane(summed, 2), 1,
              1e-12);
  optics.normalization = PsfNormalization::peak;
  EXPECT_DOUBLE_EQ(make(optics).voxels.view()(1, 15, 15), 1);
}

TEST_F(Glare, ThreadsChangeNothing) {
  const auto optics = lens_with_glare(PsfModel::born_wolf, 0.3, 1);
  TaskPool alone{1};
  const PsfSizing sizing{Extent3{4, 60, 60}};
  EXPECT_TRUE(make(optics, sizing).voxels.voxels ==
              make_psf<double>(optics, kPitch, sizing, alone).voxels.voxels);
}

TEST_F(Glare, RefusesSharesAndLengthsOutOfRange) {
  struct Case {
    double share, um;
    bool is_valid;
  };
  for (const auto& [share, um, is_valid] : std::initializer_list<Case>{{-0.01, 2, false},
                                                                       {0, 2, true},
                                                                       {0.9, 2, true},
                                                                       {0.91, 2, false},
                                                                       {0.1, 0, false},
                                                                       {0.1, 0.01, true},
                                                                       {0.1, 1000, true},
                                                                       {0.1, 1001, false}}) {
    auto optics = lens_with_glare(PsfModel::gaussian, share, um);
    optics.size = Extent3{1, 9, 9};
    if (is_valid)
      EXPECT_NO_THROW(make(optics)) << share << ' ' << um;
    else
      EXPECT_THROW(make(optics), InvalidSpec) << share << ' ' << um;
  }
}

}  // namespace
}  // namespace synthoscope::simulator
