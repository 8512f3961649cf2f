// SPDX-License-Identifier: MIT
// placement_test.cpp — where nuclei lie: apart, inside, and as clustered as asked for.
#include "simulator/phantom/nuclei/placement.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include <string>
#include <vector>
#include "core/base/error.hpp"
#include "simulator/phantom/phantom.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

const Grid kWide{{200, 400, 400}, {0.25, 0.25, 0.25}};  // 50 x 100 x 100 um

NucleiSpec forty(double clustering) {
  NucleiSpec s;
  s.count = 40;
  s.radius_um = 3;
  s.gap_um = 0.2;
  s.clustering = clustering;
  return s;
}

/// Mean distance of a centre to the one nearest to it, over populations of many seeds.
double mean_nearest_um(const NucleiSpec& spec) {
  constexpr int kSeeds = 12;
  test::TestContext run;
  double sum = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Phantom phantom = make_phantom({spec}, kWide, seed, run.context);
    for (const Nucleus& a : phantom.nuclei) {
      double nearest = std::numeric_limits<double>::infinity();
      for (const Nucleus& b : phantom.nuclei) {
        const Vector3 between = b.centre() - a.centre();
        if (&a != &b) nearest = std::min(nearest, dot(between, between));
      }
      sum += std::sqrt(nearest);
    }
  }
  return sum / static_cast<double>(kSeeds * *spec.count);
}

TEST(Placement, WithoutClusteringIsAsDispersedAsAPoissonProcessWithAGap) {
  // Of points: 0.554 density^(-1/3) = 12.8 um; nuclei keep 6 um apart, and faces take neighbours
  const double expected = 0.55396 / std::cbrt(40.0 / (50.0 * 100 * 100));
  const double measured = mean_nearest_um(forty(0));
  EXPECT_GT(measured, expected);
  EXPECT_LT(measured, 1.25 * expected);
}

TEST(Placement, BringsNeighboursNearerTheMoreNucleiJoinClusters) {
  double before = std::numeric_limits<double>::infinity();
  for (const double clustering : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const double measured = mean_nearest_um(forty(clustering));
    EXPECT_LT(measured, 0.95 * before) << clustering;
    before = measured;
  }
  EXPECT_LT(before, 8.5);  // little more than the 6.2 um of nuclei that touch
}

TEST(Placement, GathersNucleiWithinTheWidthOfTheirCluster) {
  test::TestContext run;
  auto spec = forty(1);
  spec.count = 12;
  const auto spread = [&](double width) {
    spec.cluster_width_um = width;
    const Phantom phantom = make_phantom({spec}, kWide, 7, run.context);
    double sum = 0;
    for (const Nucleus& a : phantom.nuclei)
      for (const Nucleus& b : phantom.nuclei) {
        const Vector3 between = b.centre() - a.centre();
        sum += dot(between, between);
      }
    return std::sqrt(sum / (12.0 * 11));
  };
  EXPECT_LT(spread(6), 18);
  EXPECT_GT(spread(24), 1.3 * spread(6));
}

TEST(Placement, KeepsClusteredNucleiApartAndInside) {
  test::TestContext run;
  const auto spec = forty(1);
  const Phantom phantom = make_phantom({spec}, kWide, 3, run.context);
  for (std::size_t i = 0; i < phantom.nuclei.size(); ++i) {
    const Bounds bounds = phantom.nuclei[i].bounds();
    const Vector3 size{50, 100, 100};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_GE(bounds.low[axis], -1e-9);
      EXPECT_LE(bounds.high[axis], size[axis] + 1e-9);
    }
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_TRUE(are_apart(phantom.nuclei[i], phantom.nuclei[j], spec.gap_um)) << i << ", " << j;
  }
}

struct DenseCase {
  const char* name;
  Grid grid;
  std::int64_t count;
  double gap_um, clustering, cluster_width_um;
};
const Grid kCube{{50, 50, 50}, {1, 1, 1}}, kThin{{8, 100, 400}, {1, 1, 1}};
// None of them fits one after another
const DenseCase kDense[] = {
    {"30_percent_with_a_gap", kCube, 322, 0.3, 0, 6},
    {"40_percent_with_a_gap", kCube, 429, 0.3, 0, 6},
    {"45_percent_without", kCube, 483, 0, 0, 6},
    {"50_percent_that_overlap", kCube, 537, -0.8, 0, 6},
    {"one_narrow_cluster", kWide, 200, 0.3, 1, 0.5},
};
class DensePlacement : public testing::TestWithParam<DenseCase> {};

NucleiSpec spec_of(const DenseCase& c) {
  NucleiSpec s;
  s.count = c.count;
  s.gap_um = c.gap_um;
  s.clustering = c.clustering;
  s.cluster_width_um = c.cluster_width_um;
  return s;
}

TEST_P(DensePlacement, PushesNucleiApartInsideTheGrid) {
  test::TestContext run;
  const NucleiSpec spec = spec_of(GetParam());
  const Phantom phantom = make_phantom({spec}, GetParam().grid, 1, run.context);
  const Vector3 size = size_um(GetParam().grid);
  ASSERT_EQ(std::ssize(phantom.nuclei), spec.count);
  for (std::size_t i = 0; i < phantom.nuclei.size(); ++i) {
    const Bounds bounds = phantom.nuclei[i].bounds();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_GE(bounds.low[axis], -1e-9);
      EXPECT_LE(bounds.high[axis], size[axis] + 1e-9);
    }
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_TRUE(are_apart(phantom.nuclei[i], phantom.nuclei[j], spec.gap_um)) << i << ", " << j;
  }
}

INSTANTIATE_TEST_SUITE_P(Dense, DensePlacement, testing::ValuesIn(kDense), test::kCaseName);

TEST(Placement, OfPushedNucleiIsAFunctionOfTheSeedWhateverTheThreads) {
  const auto centres = [](std::uint64_t seed, int threads) {
    test::TestContext run{threads};
    std::vector<Vector3> found;
    for (const Nucleus& n : make_phantom({spec_of(kDense[0])}, kCube, seed, run.context).nuclei)
      found.push_back(n.centre());
    return found;
  };
  const auto one = centres(1, 1);
  for (const int threads : {2, 7}) EXPECT_EQ(centres(1, threads), one);
  EXPECT_NE(centres(2, 1), one);
}

struct AdviceCase {
  const char* name;
  const Grid& grid;
  NucleiSpec spec;
  std::vector<const char*> said, unsaid;
};
NucleiSpec at_density(double per_mm3) {
  NucleiSpec s;
  s.density_per_mm3 = per_mm3;
  return s;
}
NucleiSpec with(std::int64_t count, double gap_um, double clustering = 0) {
  return spec_of({"", kCube, count, gap_um, clustering, 0.5});
}
const AdviceCase kAdvice[] = {
    {"count",
     kCube,
     with(700, 0.3),
     {"no room for 700 in 50.0 x 50.0 x 50.0 um", "nuclei.count or nuclei.radius_um",
      "larger grid"},
     {"gap_um", "clustering", "cluster_width", "density"}},
    {"density",
     kCube,
     at_density(5.6e6),
     {"no room for 700 in", "a smaller nuclei.density_per_mm3 or nuclei.radius_um"},
     {"gap_um", "clustering", "nuclei.count", "larger grid"}},
    {"gap",
     kWide,
     with(40, 25),
     {"no room for 40 in", "a smaller nuclei.gap_um (all fit with 0)"},
     {"clustering", "density"}},
    {"clustering",
     kThin,
     with(100, 0, 1),
     {"no room for 100 in", "a smaller nuclei.clustering (all fit with 0)",
      "nuclei.cluster_width_um"},
     {"gap_um", "density"}},
};
class PlacementAdvice : public testing::TestWithParam<AdviceCase> {};

TEST_P(PlacementAdvice, NamesWhatWouldMakeRoomAndNothingElse) {
  test::TestContext run;
  try {
    make_phantom({GetParam().spec}, GetParam().grid, 1, run.context);
    FAIL() << "accepted";
  } catch (const InvalidSpec& error) {
    const std::string text = error.what();
    for (const char* words : GetParam().said)
      EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
    for (const char* words : GetParam().unsaid)
      EXPECT_EQ(text.find(words), std::string::npos) << words << "\n" << text;
  }
}

INSTANTIATE_TEST_SUITE_P(Advice, PlacementAdvice, testing::ValuesIn(kAdvice), test::kCaseName);

}  // namespace
}  // namespace synthoscope::simulator
