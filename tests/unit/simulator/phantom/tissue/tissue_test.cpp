// SPDX-License-Identifier: MIT
#include "simulator/phantom/tissue/tissue.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include "core/stream/memory_stream.hpp"
#include "simulator/phantom/geometry/power_diagram.hpp"
#include "simulator/phantom/phantom.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

const Grid kGrid{{30, 80, 90}, {0.6, 0.3, 0.25}};
const double kGridUm3 = 18 * 24 * 22.5;

class Tissues : public testing::Test {
 protected:
  Tissues() {
    spec.nuclei.count = 0;
    spec.nuclei.texture = TextureKind::none;
    spec.tissue.count = 25;
  }
  Phantom make(std::uint64_t seed = 3) { return make_phantom(spec, kGrid, seed, run.context); }
  static double light_of(const Phantom& phantom) {
    Volume<float> out{kGrid.extent};
    PhantomSource{phantom}.read(whole(kGrid.extent), VoxelView{out.view()});
    return std::accumulate(out.voxels.begin(), out.voxels.end(), 0.0);
  }
  /// What lies `inset` below the sides of all cells, um^3, by cutting polyhedra again.
  static double um3_within(const Phantom& phantom, double inset) {
    double all = 0;
    for (const TissueCell& cell : phantom.tissue) {
      Polyhedron body{{{}, size_um(kGrid)}};
      for (const HalfSpace& side : cell.sides()) body.cut({side.normal, side.offset - inset}, 0);
      all += body.volume();
    }
    return all;
  }
  test::TestContext run;
  PhantomSpec spec;
};

TEST_F(Tissues, WithoutGapsFillTheGrid) {
  spec.tissue.gap_um = 0;
  const Phantom phantom = make();
  double all = 0;
  for (const TissueCell& cell : phantom.tissue) all += cell.volume_um3();
  EXPECT_NEAR(all / kGridUm3, 1, 1e-9);
  Volume<std::uint16_t> labels{kGrid.extent};
  LabelSource{phantom}.read(whole(kGrid.extent), VoxelView{labels.view()});
  EXPECT_EQ(std::count(labels.voxels.begin(), labels.voxels.end(), 0), 0);
}

TEST_F(Tissues, HaveNoMoreSidesThanAreCounted) {
  for (const std::int64_t count : {1, 2, 3, 5, 25, 200})
    for (const double spread : {0.0, 0.25}) {
      spec.tissue.count = count;
      spec.tissue.size_spread = spread;
      spec.tissue.regularity = 0;
      std::int64_t sides = 0;
      const Phantom phantom = make();
      for (const TissueCell& cell : phantom.tissue) {
        EXPECT_LE(std::ssize(cell.sides()), std::max<std::int64_t>(1, count - 1));
        sides += std::ssize(cell.sides());
      }
      EXPECT_LE(sides, most_sides_of(count));
    }
}

TEST_F(Tissues, LeaveGapsOfTheirWidthBetweenCells) {
  // How many pairs of sides face each other that far apart
  const auto facing = [&](double gap_um) {
    const Phantom phantom = make();
    std::int64_t count = 0;
    for (const TissueCell& cell : phantom.tissue)
      for (const HalfSpace& side : cell.sides())
        for (const TissueCell& other : phantom.tissue)
          for (const HalfSpace& opposite : other.sides()) {
            const Vector3 sum = side.normal + opposite.normal;
            count += dot(sum, sum) == 0 && std::abs(side.offset + opposite.offset + gap_um) < 1e-9;
          }
    return count;
  };
  spec.tissue.gap_um = 0;
  const std::int64_t all = facing(0);
  EXPECT_GT(all, 100);
  spec.tissue.gap_um = 1.5;
  EXPECT_EQ(facing(1.5), all);
  EXPECT_LT(um3_within(make(), 0), 0.8 * kGridUm3);
}

TEST_F(Tissues, OfWhichGapsLeaveNothingAreTold) {
  make();
  EXPECT_TRUE(run.log.warnings.empty());
  spec.tissue.gap_um = 9;
  make();
  ASSERT_EQ(run.log.warnings.size(), 1U);
  EXPECT_NE(run.log.warnings[0].find("of 25 cells do not fit at all; a smaller tissue.gap_um"),
            std::string::npos);
}

TEST_F(Tissues, CountInTheMaskWhatGeometrySays) {
  const Phantom phantom = make();
  Volume<std::uint16_t> labels{kGrid.extent};
  LabelSource{phantom}.read(whole(kGrid.extent), VoxelView{labels.view()});
  std::vector<double> counted(26);
  for (const std::uint16_t label : labels.voxels) counted.at(label) += 0.6 * 0.3 * 0.25;
  for (std::size_t i = 0; i < phantom.tissue.size(); ++i)
    EXPECT_NEAR(counted[i + 1] / phantom.tissue[i].volume_um3(), 1, 0.02) << i;
}

struct PartCase {
  double membrane, cytoplasm, nucleus;
};
TEST_F(Tissues, GiveOffTheLightOfEachOfTheirParts) {
  spec.tissue.membrane_um = 0.4;
  for (const PartCase& part : {PartCase{100, 0, 0}, {0, 100, 0}, {0, 0, 100}}) {
    spec.tissue.membrane_photons_per_um3 = part.membrane;
    spec.tissue.cytoplasm_photons_per_um3 = part.cytoplasm;
    spec.nuclei.photons_per_um3 = part.nucleus;
    const Phantom phantom = make();
    double nuclei = 0;
    for (const TissueCell& cell : phantom.tissue)
      if (cell.nucleus) nuclei += cell.nucleus->volume_um3();
    const double whole = um3_within(phantom, 0), within = um3_within(phantom, 0.4);
    const double expected = part.membrane * (whole - within) + part.cytoplasm * (within - nuclei) +
                            part.nucleus * nuclei;
    EXPECT_NEAR(light_of(phantom) / expected, 1, 2e-3)
        << part.membrane << ' ' << part.cytoplasm << ' ' << part.nucleus;
  }
}

TEST_F(Tissues, HoldTheirNucleiWithinTheirMembranes) {
  spec.nuclei.radius_um = 30;  // all are shrunk
  spec.tissue.membrane_um = 0.3;
  const Phantom phantom = make();
  for (const TissueCell& cell : phantom.tissue) {
    if (!cell.nucleus) continue;
    for (const HalfSpace& side : cell.sides())
      EXPECT_GT(side.depth(cell.nucleus->centre()) - 0.3, cell.nucleus->bounding_radius_um());
  }
}

TEST_F(Tissues, AreMoreAlikeTheMoreRegular) {
  const auto spread = [&](std::int64_t turns) {
    spec.tissue.regularity = turns;
    spec.tissue.size_spread = 0;
    const Phantom phantom = make();
    double sum = 0, squares = 0;
    for (const TissueCell& cell : phantom.tissue) {
      sum += cell.volume_um3();
      squares += cell.volume_um3() * cell.volume_um3();
    }
    return std::sqrt(squares / 25 - sum * sum / 625) / (sum / 25);
  };
  EXPECT_GT(spread(0), 0.25);
  EXPECT_LT(spread(20), 0.15);
}

TEST_F(Tissues, AreLongAlongTheAxisThatIsToBeLong) {
  spec.tissue.count = 120;
  spec.tissue.axis_ratios = {1, 1, 4};
  Vector3 extent{};
  const Phantom phantom = make();
  for (const TissueCell& cell : phantom.tissue)
    extent = extent + (cell.bounds().high - cell.bounds().low);
  EXPECT_GT(extent[2], 2 * extent[1]);
}

TEST_F(Tissues, AreDrawnFromTheSeedAlone) {
  const Phantom one = make(7), same = make(7), other = make(8);
  EXPECT_EQ(one.tissue[3].centroid(), same.tissue[3].centroid());
  EXPECT_NE(one.tissue[3].centroid(), other.tissue[3].centroid());
}

TEST_F(Tissues, ThatAreWrongAreRefusedByName) {
  spec.tissue.density_per_mm3 = 1e5;
  test::expect_failure<InvalidSpec>([&] { make(); },
                                    {"tissue.count is 25", "tissue.density_per_mm3"});
  spec.tissue.density_per_mm3.reset();
  spec.tissue.size_spread = 0.4;
  test::expect_failure<InvalidSpec>([&] { make(); }, {"tissue.size_spread is 0.4", "0 to 0.25"});
}

}  // namespace
}  // namespace synthoscope::simulator
