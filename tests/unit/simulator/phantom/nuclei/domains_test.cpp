// SPDX-License-Identifier: MIT
// domains_test.cpp — chromatin with lacunae and clumps, and the warp of their borders.
#include <gtest/gtest.h>
#include <cmath>
#include <vector>
#include "simulator/base/normal_quantile.hpp"
#include "simulator/phantom/nuclei/nucleus_voxels.hpp"

namespace synthoscope::simulator {
namespace {

/// One large ball of domains alone.
NucleiSpec domains() {
  NucleiSpec s;
  s.radius_um = 30;
  s.radius_spread = 0;
  s.axis_ratios = {1, 1, 1};
  s.roughness = 0;
  s.texture = TextureKind::domains;
  s.texture_contrast = 0;
  s.lacuna_density = 0.3;
  s.clump_density = 1;
  s.domain_border = 0.05;
  return s;
}

/// Points of the ball on a lattice.
std::vector<Vector3> points() {
  std::vector<Vector3> all;
  for (double z = -15; z < 15; z += 1.13)
    for (double y = -15; y < 15; y += 1.07)
      for (double x = -15; x < 15; x += 1.01) all.push_back({z, y, x});
  return all;
}

TEST(Domains, FillTheirSharesOfTheVolume) {
  NucleiSpec spec = domains();
  spec.lacuna_share = 0.2;
  spec.clump_share = 0.1;
  double lacunae = 0, clumps = 0;
  const auto at = points();
  constexpr int kNuclei = 4;
  for (int i = 0; i < kNuclei; ++i) {
    const Nucleus nucleus = Nucleus::draw(spec, 4, i);
    Stain stain{nucleus, spec};
    for (const Vector3& p : at) {
      const double density = stain(p);
      ASSERT_GE(density, 0.3 - 1e-12);
      ASSERT_LE(density, 2 + 1e-12);
      lacunae += density < 0.65;
      clumps += density > 1.5;
    }
  }
  const auto count = static_cast<double>(kNuclei * at.size());
  EXPECT_NEAR(lacunae / count, 0.2, 0.025);
  EXPECT_NEAR(clumps / count, 0.1, 0.02);
}

TEST(Domains, AreAFormulaOfTheFieldOfChromatin) {
  NucleiSpec spec = domains();
  spec.warp_um = 0;
  spec.texture_contrast = 0.2;
  spec.domain_border = 1;
  const Nucleus nucleus = Nucleus::draw(spec, 4, 0);
  Stain stain{nucleus, spec};
  Texture field{nucleus.texture_seed(), spec.texture_wavelength_um, 4};
  const auto step = [](double w) {
    const double t = std::fmin(1, std::fmax(0, w));
    return 3 * t * t - 2 * t * t * t;
  };
  for (const Vector3& p : {Vector3{1, 2, 3}, Vector3{-4, 0.3, 9}, Vector3{8, -7, 0.1}}) {
    const double s = field.field(nucleus.shape().to_own_frame(p));
    const double expected = (1 + 0.2 * s / std::sqrt(1 + s * s)) *
                            (1 - 0.7 * step(normal_quantile(0.1) - s + 0.5)) *
                            (1 + step(s + normal_quantile(0.1) + 0.5));
    EXPECT_NEAR(stain(p), expected, 1e-12);
  }
}

TEST(Domains, OfNoShareAreEvenlyStained) {
  NucleiSpec spec = domains();
  spec.lacuna_share = spec.clump_share = 0;
  const Nucleus nucleus = Nucleus::draw(spec, 4, 0);
  Stain stain{nucleus, spec};
  for (const Vector3& p : points()) ASSERT_EQ(stain(p), 1);
}

TEST(Warps, HaveMeanNoughtAndVarianceOneAndDoNotDependOnEachOther) {
  double sums[4]{}, products[4][4]{};
  const auto at = points();
  constexpr int kSeeds = 6;
  for (int seed = 0; seed < kSeeds; ++seed) {
    WarpNoise noise{warp_field(static_cast<std::uint64_t>(seed), 3)};
    for (const Vector3& p : at) {
      const Warp warp = noise(p);
      for (std::size_t i = 0; i < 4; ++i) {
        sums[i] += warp[i];
        for (std::size_t j = 0; j < 4; ++j) products[i][j] += warp[i] * warp[j];
      }
    }
  }
  const auto count = static_cast<double>(kSeeds * at.size());
  for (int i = 0; i < 4; ++i) {
    EXPECT_NEAR(sums[i] / count, 0, 0.03);
    for (int j = 0; j < 4; ++j) EXPECT_NEAR(products[i][j] / count, i == j ? 1 : 0, 0.03);
  }
}

TEST(Warps, AreAsFarAsTheKeySaysAndSmooth) {
  NucleiSpec spec = domains();
  spec.warp_um = 0.5;
  const Nucleus nucleus = Nucleus::draw(spec, 4, 0);
  NucleiSpec still = spec;
  still.warp_um = 0;
  WarpNoise noise{warp_field(nucleus.texture_seed(), spec.warp_wavelength_um)};
  Stain bent{nucleus, spec}, straight{nucleus, still};
  const Matrix3 back = transposed(nucleus.own_axes());
  for (const Vector3& p : {Vector3{1, 2, 3}, Vector3{-4, 0.3, 9}, Vector3{8, -7, 0.1}}) {
    const Vector3 way = displacement(noise(nucleus.shape().to_own_frame(p)), 0.5);
    EXPECT_NEAR(bent(p), straight(p + back * way), 1e-9);
    const Vector3 near = displacement(noise(nucleus.shape().to_own_frame(p + 1e-6 * p)), 0.5);
    EXPECT_NEAR(way[0], near[0], 1e-4);
  }
}

}  // namespace
}  // namespace synthoscope::simulator
