// SPDX-License-Identifier: MIT
// nucleoli_test.cpp — nucleoli of a given height: size, parts, darkness and rims.
#include "simulator/phantom/nuclei/nucleoli.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <map>
#include "simulator/phantom/nuclei/nuclei_kind.hpp"

namespace synthoscope::simulator {
namespace {

/// Flat nuclei with nucleoli alone.
NucleiSpec flat_nuclei() {
  NucleiSpec s;
  s.radius_um = 6;
  s.radius_spread = 0;
  s.axis_ratios = {0.4, 1, 1.5};
  s.roughness = 0;
  s.texture = TextureKind::none;
  s.nucleoli = 3;
  s.nucleolus_radius = 0.15;
  s.nucleolus_height = 2;
  s.nucleolus_density = 0.2;
  return s;
}

double semi_axis_z(const NucleiSpec& s) {
  return s.radius_um * 0.4 / std::cbrt(0.4 * 1.5);
}

TEST(RoundNucleoli, AreAsHighAsTheKeySaysAndNoHigherThanTheNucleus) {
  for (const double height : {0.5, 2.0, 10.0}) {
    NucleiSpec spec = flat_nuclei();
    spec.nucleolus_height = height;
    for (int i = 0; i < 20; ++i) {
      const Nucleus nucleus = Nucleus::draw(spec, 1, i);
      ASSERT_EQ(nucleus.nucleoli().size(), 3u);
      for (const Nucleolus& n : nucleus.nucleoli()) {
        EXPECT_NEAR(n.radius_um, 0.9, 1e-9);
        EXPECT_NEAR(n.own_semi_axes_um[0], std::fmin(0.9 * height, semi_axis_z(spec)), 1e-9);
        EXPECT_EQ(n.own_semi_axes_um[1], n.own_semi_axes_um[2]);
      }
    }
  }
}

TEST(RoundNucleoli, LieInsideAndKeepApart) {
  const NucleiSpec spec = flat_nuclei();
  for (int i = 0; i < 20; ++i) {
    const Nucleus nucleus = Nucleus::draw(spec, 1, i);
    const auto& all = nucleus.nucleoli();
    for (std::size_t a = 0; a < all.size(); ++a) {
      EXPECT_TRUE(nucleus.contains(transposed(nucleus.own_axes()) * all[a].own_middle_um));
      for (std::size_t b = 0; b < a; ++b) {
        const Vector3 way = all[a].own_middle_um - all[b].own_middle_um;
        EXPECT_GE(std::hypot(way[1], way[2]), 2 * 0.9 + 0.4 - 1e-9);
      }
    }
  }
}

TEST(RoundNucleoli, DifferInSizeAsTheKeySays) {
  NucleiSpec spec = flat_nuclei();
  spec.nucleolus_spread = 0.3;
  double mean = 0, square = 0;
  constexpr int kCount = 150;
  for (int i = 0; i < kCount; ++i) {
    const double r = Nucleus::draw(spec, 1, i).nucleoli().front().radius_um;
    mean += r / kCount;
    square += r * r / kCount;
  }
  EXPECT_NEAR(mean, 0.9, 0.05);
  EXPECT_NEAR(std::sqrt(square - mean * mean) / mean, 0.29, 0.04);  // the smallest are cut off
}

TEST(RoundNucleoli, HaveOneToTheMostPartsThatTouch) {
  NucleiSpec spec = flat_nuclei();
  spec.nucleoli = 1;
  spec.nucleolus_radius = 0.05;  // chains stay inside
  spec.nucleolus_parts = 4;
  std::map<std::size_t, int> seen;
  for (int i = 0; i < 200; ++i) {
    const Nucleus nucleus = Nucleus::draw(spec, 1, i);
    const auto& parts = nucleus.nucleoli();
    ++seen[parts.size()];
    for (std::size_t p = 1; p < parts.size(); ++p) {
      const Vector3 way = parts[p].own_middle_um - parts[p - 1].own_middle_um;
      EXPECT_NEAR(std::sqrt(dot(way, way)), 1.1 * parts[0].radius_um, 1e-9);
      EXPECT_GE(parts[p].radius_um, 0.6 * parts[0].radius_um);
    }
  }
  ASSERT_EQ(seen.size(), 4u);
  for (const auto& [parts, count] : seen) EXPECT_NEAR(count, 50, 25) << parts;
  EXPECT_EQ(seen.begin()->first, 1u);
}

TEST(RoundNucleoli, AreDarkInTheMiddleAndRimmedByChromatin) {
  NucleiSpec spec = flat_nuclei();
  spec.nucleolus_rim = 0.5;
  spec.nucleolus_rim_um = 0.6;
  double brightest = 0;
  for (int i = 0; i < 10; ++i) {
    const Nucleus nucleus = Nucleus::draw(spec, 1, i);
    Stain stain{nucleus, spec};
    const Vector3 middle = transposed(nucleus.own_axes()) * nucleus.nucleoli()[0].own_middle_um;
    EXPECT_LE(stain(middle), 0.2 * 1.5);
    EXPECT_GE(stain(middle), 0.2 - 1e-12);
    for (double x = 0; x < 3; x += 0.02)
      brightest = std::fmax(brightest, stain(middle + Vector3{0, 0, x}));
  }
  EXPECT_GT(brightest, 1.2);
  EXPECT_LE(brightest, 1.5);
}

TEST(RoundNucleoli, AreTheSameForStainAndStructures) {
  NucleiSpec spec = flat_nuclei();
  spec.nucleolus_roughness = 0.4;
  const Nucleus nucleus = Nucleus::draw(spec, 1, 0);
  Stain stain{nucleus, spec};
  int inside = 0;
  for (double z = -2; z < 2; z += 0.4)
    for (double y = -5; y < 5; y += 0.3)
      for (double x = -5; x < 5; x += 0.3) {
        const Vector3 p{z, y, x};
        // Density falls through the middle of its range at a distance of 1
        const bool dark = stain(p) < 0.6;
        ASSERT_EQ(structure_at(nucleus, p) == Structure::nucleolus, dark);
        inside += dark;
      }
  EXPECT_GT(inside, 100);
}

TEST(RoundNucleoli, TurnAndGrowWithTheirNucleus) {
  NucleiSpec spec = flat_nuclei();
  spec.nucleolus_roughness = 0.4;
  const Nucleus drawn = Nucleus::draw(spec, 1, 0);
  const Matrix3 turn = random_turn({{5, RandomStage::phantom}, 1}, 0);
  const Pose pose{{7, -3, 2}, turn, 1.3, 1};
  const Nucleus moved = drawn.posed(pose);
  for (const Vector3& own : {Vector3{0.3, 1, 2}, Vector3{-1, -2, 3}, Vector3{0, 0.5, -4}}) {
    const Vector3 before = transposed(drawn.own_axes()) * own;
    const Vector3 after = pose.centre + 1.3 * (transposed(turn) * own);
    EXPECT_NEAR(drawn.shape().nucleolus_distance(before), moved.shape().nucleolus_distance(after),
                1e-9);
  }
}

}  // namespace
}  // namespace synthoscope::simulator
