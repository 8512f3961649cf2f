// SPDX-License-Identifier: MIT
// Folds of the envelope of nuclei: their form, their number, and what they leave of a body.
#include "simulator/phantom/lobes/fold.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include "simulator/phantom/geometry/body.hpp"
#include "simulator/phantom/geometry/sphere.hpp"
#include "simulator/phantom/lobes/outline.hpp"
#include "simulator/phantom/nuclei/nucleus.hpp"

namespace synthoscope::simulator {
namespace {

Vector3 direction(double degrees, double height) {
  const double angle = degrees * kPi / 180, level = std::sqrt(1 - height * height);
  return {height, level * std::sin(angle), level * std::cos(angle)};
}

TEST(Folds, AreDeepestInTheirMiddleAndEndAtTheirWidth) {
  const Fold fold{{0, 0, 1}, {0, 1, 0}, 0.4, 0.2, 0};
  EXPECT_EQ(fold({0, 0, 1}), 0.4);
  EXPECT_NEAR(fold(direction(std::asin(0.5412 * 0.2) * 180 / kPi, 0)), 0.2, 0.003);
  EXPECT_EQ(fold(direction(12, 0)), 0);
  // Along the arc: at 60 degrees e = 1/2, and 1/4 (3 - 1) = 1/2
  EXPECT_NEAR(fold({std::sqrt(0.75), 0, 0.5}), 0.2, 1e-12);
  EXPECT_EQ(fold({1, 0, 0}), 0);
  EXPECT_EQ(fold({0, 0, -1}), 0);
  EXPECT_EQ((Folds{2, {fold, {{0, 0, 1}, {1, 0, 0}, 0.1, 0.2, 0}}}({0, 0, 1})), 0.4);
}

TEST(Folds, AreNowhereSteeperThanTheirBound) {
  const Fold fold{{0, 0, 1}, {0, 1, 0}, 0.4, 0.15, 0.3};
  constexpr double kStep = 1e-5;
  double steepest = 0;
  for (const Vector3& u : spread_directions(20000)) {
    const Vector3 one = unit_vector(cross(u, {0.3, 0.5, 0.8})), other = cross(u, one);
    const auto slope = [&](const Vector3& way) {
      return (fold(unit_vector(u + kStep * way)) - fold(u)) / kStep;
    };
    steepest = std::max(steepest, std::hypot(slope(one), slope(other)));
  }
  EXPECT_LT(steepest, fold.steepness());
  EXPECT_GT(steepest, 0.8 * 0.4 * 1.54 / 0.15);
}

NucleiSpec folded(double folds) {
  NucleiSpec spec;
  set_typical(spec, NucleiKind::adherent);
  spec.radius_um = 3;
  spec.radius_spread = 0;
  spec.folds = folds;
  return spec;
}

TEST(Folds, AreAsManyAsAskedForOnTheAverage) {
  constexpr std::uint64_t kCount = 1000;
  const Vector3 semi_axes_um{1.5, 3, 5};
  for (const double mean : {0.0, 1.0, 4.0}) {
    double number = 0, depth = 0;
    for (std::uint64_t i = 0; i < kCount; ++i) {
      const Folds folds =
          draw_folds({mean, 0.3, 1}, {{3, RandomStage::phantom}, i}, 100, semi_axes_um);
      number += folds.count;
      for (int k = 0; k < folds.count; ++k) {
        const Fold& fold = folds.all[static_cast<std::size_t>(k)];
        EXPECT_NEAR(dot(fold.middle, fold.middle), 1, 1e-12);
        EXPECT_NEAR(dot(fold.across, fold.across), 1, 1e-12);
        EXPECT_NEAR(dot(fold.middle, fold.across), 0, 1e-12);
        EXPECT_LT(std::abs(fold.middle[0]), 0.3);
        // 1 um wide at half of its depth, on a surface whose axes across are 3 to 5 um
        EXPECT_GT(fold.half_width, 0.5 / 0.5412 / 5.001);
        EXPECT_LT(fold.half_width, 0.5 / 0.5412 / 2.8);
        depth += fold.depth;
      }
    }
    EXPECT_NEAR(number / kCount, mean, mean == 1 ? 0.1 : 0);
    if (mean > 0) {
      EXPECT_NEAR(depth / number, 0.3, 0.01);
    }
  }
}

TEST(Folds, LeaveTheRestOfANucleusAsItWas) {
  const Nucleus with = Nucleus::draw(folded(4), 3, 1), without = Nucleus::draw(folded(0), 3, 1);
  EXPECT_EQ(with.lobes().front().form().harmonics.coefficients(),
            without.lobes().front().form().harmonics.coefficients());
  EXPECT_EQ(with.own_axes(), without.own_axes());
  EXPECT_NEAR(with.volume_um3(), 4 * kPi / 3 * 27, 1e-9);
}

TEST(Folds, AreNotchesOfTheBodyWhoseVolumeIsKnown) {
  for (int number = 0; number < 2; ++number) {
    const Nucleus nucleus = Nucleus::draw(folded(4), 7, number);
    const Lobe& lobe = nucleus.lobes().front();
    ASSERT_EQ(lobe.form().folds.count, 4);
    for (const Fold& fold : lobe.form().folds.all) {
      const Vector3 bottom = lobe.surface_point(fold.middle);
      const double r = std::sqrt(dot(lobe.to_sphere(bottom), lobe.to_sphere(bottom)));
      EXPECT_FALSE(nucleus.contains(1.01 * bottom));
      EXPECT_TRUE(nucleus.contains(0.99 * bottom));
      EXPECT_LT(r, 1.4 * (1 - fold.depth));
    }
    const Vector3 pitch{0.25, 0.25, 0.25};
    const NucleusVoxel voxel = nucleus.voxel_shape(pitch);
    const Bounds bounds = nucleus.bounds();
    double covered = 0;
    int cut = 0;
    for (double z = bounds.low[0]; z < bounds.high[0] + 0.25; z += 0.25)
      for (double y = bounds.low[1]; y < bounds.high[1] + 0.25; y += 0.25)
        for (double x = bounds.low[2]; x < bounds.high[2] + 0.25; x += 0.25) {
          const Vector3 centre{z, y, x};
          const double share = nucleus.coverage(centre, voxel);
          covered += share;
          if (++cut % 7 == 0) {
            ASSERT_EQ(share, sampled_share(centre, pitch,
                                           [&](const Vector3& p) { return nucleus.contains(p); }));
          }
        }
    EXPECT_NEAR(covered / 64 / nucleus.volume_um3(), 1, 1e-3);
  }
}

}  // namespace
}  // namespace synthoscope::simulator
