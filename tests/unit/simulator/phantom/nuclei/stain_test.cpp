// SPDX-License-Identifier: MIT
// stain_test.cpp — chromatin is denser along the envelope by what the scene says.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include "core/stream/memory_stream.hpp"
#include "simulator/phantom/nuclei/nucleus_voxels.hpp"
#include "simulator/phantom/phantom.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

/// Balls without texture.
NucleiSpec balls() {
  NucleiSpec s;
  s.count = 1;
  s.radius_um = 3;
  s.radius_spread = 0;
  s.axis_ratios = {1, 1, 1};
  s.roughness = 0;
  s.texture = TextureKind::none;
  s.envelope_density = 0.8;
  s.envelope_um = 1.2;
  return s;
}

double expected_at(double depth_um) {
  const double d = std::min(1.0, std::max(0.0, depth_um / 1.2));
  return 1 + 0.8 * std::pow(1 - d * d, 2);
}

TEST(Stain, FallsFromTheEnvelopeToTheInside) {
  const NucleiSpec spec = balls();
  const Nucleus ball = Nucleus::draw(spec, 1, 0);
  Stain stain{ball, spec};
  const Vector3 way{0.48, -0.6, 0.64};
  for (const double depth : {-0.2, 0.0, 0.1, 0.6, 1.1, 1.19, 1.3, 2.9}) {
    const Vector3 point = ball.shape().centre + (3 - depth) * way;
    EXPECT_NEAR(stain(point), expected_at(depth), 1e-6) << depth;
  }
}

TEST(Stain, OfLobesThatHangTogetherKnowsNoEnvelopeBetweenThem) {
  NucleiSpec spec = balls();
  spec.fewest_lobes = spec.most_lobes = 3;
  spec.radius_um = 4;
  const Nucleus chain = Nucleus::draw(spec, 5, 0);
  Stain stain{chain, spec};
  // Where one lobe is deep nothing is stained more, though the surface of another may be near
  int lobes = 0;
  for (const Lobe& lobe : chain.lobes()) {
    const auto [z, y, x] = lobe.form().semi_axes_um;
    if (std::min({z, y, x}) < spec.envelope_um) continue;  // a bridge
    EXPECT_EQ(stain(chain.shape().centre + lobe.offset_um()), 1);
    ++lobes;
  }
  EXPECT_EQ(lobes, 3);
}

TEST(Stain, AlongTheEnvelopeAddsTheLightOfItsShell) {
  test::TestContext run;
  NucleiSpec spec = balls();
  spec.photons_per_um3 = 1000;
  const Grid grid{{40, 70, 80}, {0.2, 0.11, 0.1}};
  const Phantom phantom = make_phantom({spec}, grid, 6, run.context);
  PhantomSource source{phantom};
  Volume<float> light{grid.extent};
  source.read(whole(grid.extent), light.view());
  double found = 0, expected = 0;
  for (const float voxel : light.voxels) found += static_cast<double>(voxel);
  constexpr int kShells = 3000;
  for (int i = 0; i < kShells; ++i) {
    const double r = 3 * (i + 0.5) / kShells;
    expected += 1000 * expected_at(3 - r) * 4 * kPi * r * r * 3 / kShells;
  }
  EXPECT_NEAR(found / expected, 1, 2e-3);  // density is taken in the middles of voxels
}

TEST(Stain, WithoutAnEnvelopeIsAsItWas) {
  NucleiSpec plain, odd;
  odd.envelope_um = 0.3;
  const Nucleus nucleus = Nucleus::draw(plain, 3, 0);
  Stain one{nucleus, plain}, other{nucleus, odd};
  for (double x = -3; x < 3; x += 0.37)
    EXPECT_EQ(one(nucleus.shape().centre + Vector3{0.1, x, 0.5}),
              other(nucleus.shape().centre + Vector3{0.1, x, 0.5}));
}

}  // namespace
}  // namespace synthoscope::simulator
