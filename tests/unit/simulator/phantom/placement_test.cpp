// SPDX-License-Identifier: MIT
// placement_test.cpp — where nuclei lie: apart, inside, and as clustered as asked for.
#include "simulator/phantom/placement.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include "core/error.hpp"
#include "simulator/phantom/phantom.hpp"
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

TEST(Placement, SaysHowManyNucleiFit) {
  test::TestContext run;
  auto spec = forty(0);
  try {
    make_phantom({spec}, {{40, 60, 60}, {0.25, 0.25, 0.25}}, 1, run.context);
    FAIL() << "accepted";
  } catch (const InvalidSpec& error) {
    EXPECT_NE(std::string{error.what()}.find("of 40 fit into 10.0 x 15.0 x 15.0 um"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace synthoscope::simulator
