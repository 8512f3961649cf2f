// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include <numeric>
#include <ostream>
#include "core/stream/memory_stream.hpp"
#include "simulator/phantom/beads/beads_kind.hpp"
#include "simulator/phantom/geometry/sphere.hpp"
#include "simulator/phantom/phantom.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

const Grid kGrid{{40, 60, 70}, {0.5, 0.3, 0.25}};

Phantom beads_alone(const BeadsSpec& beads, const Grid& grid = kGrid) {
  test::TestContext run;
  PhantomSpec spec{.beads = beads};
  spec.nuclei.count = 0;
  return make_phantom(spec, grid, 7, run.context);
}

double all_photons(const Phantom& phantom) {
  PhantomSource light{phantom};
  Volume<float> out{phantom.grid.extent};
  light.read(whole(phantom.grid.extent), VoxelView{out.view()});
  return std::accumulate(out.voxels.begin(), out.voxels.end(), 0.0);
}

struct SizeCase {
  const char* name;
  double diameter_um;
  friend std::ostream& operator<<(std::ostream& out, const SizeCase& c) { return out << c.name; }
};
constexpr SizeCase kSizes[] = {{"far_below_a_voxel", 0.01},
                               {"below_a_voxel", 0.2},
                               {"of_a_voxel", 0.4},
                               {"of_several", 1.1},
                               {"of_many", 4}};
class BeadOfSize : public testing::TestWithParam<SizeCase> {};

TEST_P(BeadOfSize, GivesOffItsPhotonsWithinOneInAThousand) {
  BeadsSpec spec;
  spec.diameter_um = GetParam().diameter_um;
  spec.diameter_spread = 0;
  spec.photons = 5000;
  for (spec.count = 1; *spec.count < 9; spec.count = *spec.count * 2)
    EXPECT_NEAR(all_photons(beads_alone(spec)) / (5000.0 * static_cast<double>(*spec.count)), 1,
                1e-3);
}

TEST_P(BeadOfSize, HasTheVolumeOfABall) {
  const Bead bead{{1, 2, 3}, GetParam().diameter_um / 2, 1};
  const double r = GetParam().diameter_um / 2;
  EXPECT_NEAR(bead.volume_um3() / (4 * std::numbers::pi / 3 * r * r * r), 1, 1e-15);
}

INSTANTIATE_TEST_SUITE_P(Sizes, BeadOfSize, testing::ValuesIn(kSizes), test::kCaseName);

TEST(BallShare, AgreesWithCountingPoints) {
  const Vector3 middle{0.13, -0.21, 0.08}, pitch{0.5, 0.3, 0.2};
  for (const double radius : {0.1, 0.45, 1.2})
    for (const Vector3& voxel : {Vector3{0, 0, 0}, {0.5, -0.3, 0.2}, {-0.5, 0, 0.4}, {1, 0.3, 0}}) {
      constexpr int kParts = 40;
      int inside = 0;
      const auto part = [](int i) { return (2 * i + 1 - kParts) / (2.0 * kParts); };
      for (int i = 0; i < kParts; ++i)
        for (int j = 0; j < kParts; ++j)
          for (int k = 0; k < kParts; ++k) {
            const Vector3 from =
                voxel - middle +
                Vector3{part(i) * pitch[0], part(j) * pitch[1], part(k) * pitch[2]};
            inside += dot(from, from) <= radius * radius;
          }
      EXPECT_NEAR(ball_share(middle, radius, voxel, pitch),
                  inside / static_cast<double>(kParts * kParts * kParts), 3e-3)
          << radius << " at " << voxel[0] << ", " << voxel[1];
    }
}

TEST(Beads, KeepTheirDistanceFromNucleiAndFromEachOther) {
  test::TestContext run;
  PhantomSpec spec;
  spec.nuclei.count = 6;
  spec.nuclei.radius_um = 2;
  spec.beads = {.count = 200, .diameter_um = 0.5, .diameter_spread = 0.2, .gap_um = 0.4};
  const auto phantom = make_phantom(spec, kGrid, 2, run.context);
  ASSERT_EQ(phantom.beads.size(), 200u);
  for (std::size_t i = 0; i < 200; ++i) {
    const Bead& a = phantom.beads[i];
    for (std::size_t j = 0; j < i; ++j) {
      const Vector3 between = a.centre - phantom.beads[j].centre;
      EXPECT_GE(std::sqrt(dot(between, between)), a.radius_um + phantom.beads[j].radius_um + 0.4);
    }
    // Points of the sphere that no nucleus may reach
    for (const auto& [u, weight] : sphere_quadrature())
      for (const Nucleus& nucleus : phantom.nuclei)
        ASSERT_FALSE(nucleus.contains(a.centre + (a.radius_um + 0.39) * u));
  }
}

TEST(Beads, LieWhollyInsideUnlessTheyMayBeCut) {
  const auto beyond = [](BorderRule border) {
    int count = 0;
    for (const Bead& bead :
         beads_alone({.count = 60, .diameter_um = 2, .gap_um = 0, .border = border}).beads)
      for (std::size_t axis = 0; axis < 3; ++axis)
        count += bead.bounds().low[axis] < -1e-12 ||
                 bead.bounds().high[axis] > size_um(kGrid)[axis] + 1e-12;
    return count;
  };
  EXPECT_EQ(beyond(BorderRule::inside), 0);
  EXPECT_GT(beyond(BorderRule::cut), 0);
}

TEST(Beads, OfADensityAreAsManyAsTheVolumeHolds) {
  // 20 x 18 x 17.5 um = 6.3e-6 mm^3
  EXPECT_EQ(beads_alone({.density_per_mm3 = 1e7}).beads.size(), 63u);
  EXPECT_EQ(beads_alone({.density_per_mm3 = 1.03e7}).beads.size(), 65u);  // 64.89
  EXPECT_EQ(beads_alone({.density_per_mm3 = 0}).beads.size(), 0u);
}

TEST(Beads, DiametersHaveTheSpreadThatIsAskedFor) {
  double sum = 0, squares = 0;
  const auto phantom = beads_alone({.count = 500, .diameter_um = 0.2, .diameter_spread = 0.1});
  for (const Bead& bead : phantom.beads) {
    sum += 2 * bead.radius_um;
    squares += 4 * bead.radius_um * bead.radius_um;
  }
  const double mean = sum / 500;
  EXPECT_NEAR(mean, 0.2, 0.005);
  EXPECT_NEAR(std::sqrt(squares / 500 - mean * mean), 0.02, 0.003);
}

TEST(Beads, LieBetweenTheCellsOfATissue) {
  test::TestContext run;
  PhantomSpec spec;
  spec.nuclei.count = 0;
  spec.tissue.count = 4;
  spec.tissue.gap_um = 3;
  spec.beads.count = 10;
  spec.beads.diameter_um = 0.6;
  const Phantom phantom = make_phantom(spec, kGrid, 7, run.context);
  for (const Bead& bead : phantom.beads)
    for (const TissueCell& cell : phantom.tissue)
      for (const Vector3& u : separating_directions())
        EXPECT_FALSE(cell.contains(bead.centre + bead.radius_um * u));
  spec.tissue.gap_um = 0.2;
  try {
    (void)make_phantom(spec, kGrid, 7, run.context);
    FAIL();
  } catch (const InvalidSpec& problem) {
    EXPECT_NE(std::string{problem.what()}.find("and 4 cells of a tissue"), std::string::npos);
    EXPECT_NE(std::string{problem.what()}.find("a larger tissue.gap_um"), std::string::npos);
  }
}

}  // namespace
}  // namespace synthoscope::simulator
