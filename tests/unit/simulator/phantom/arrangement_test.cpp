// SPDX-License-Identifier: MIT
// arrangement_test.cpp — nuclei that are packed into a ball or onto a hollow one.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include "simulator/phantom/nuclei/placement.hpp"
#include "simulator/phantom/phantom.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

const Grid kGrid{{80, 160, 160}, {1, 0.5, 0.5}};

NucleiSpec arranged(Arrangement arrangement, std::int64_t count) {
  NucleiSpec s;
  s.count = count;
  s.radius_um = 2;
  s.gap_um = 0.2;
  s.orientation = Orientation::random;
  s.arrangement = arrangement;
  return s;
}

std::vector<Nucleus> placed(const NucleiSpec& spec, std::uint64_t seed = 3) {
  test::TestContext run;
  PhantomSpec all{.nuclei = spec};
  return make_phantom(all, kGrid, seed, run.context).nuclei;
}

double distance(const Nucleus& nucleus) {
  const Vector3 from = nucleus.centre() - Vector3{40, 40, 40};
  return std::sqrt(dot(from, from));
}

void expect_apart(const std::vector<Nucleus>& nuclei, double gap_um) {
  for (std::size_t i = 0; i < nuclei.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      ASSERT_TRUE(are_apart(nuclei[i], nuclei[j], gap_um)) << i << ' ' << j;
}

struct CountCase {
  const char* name;
  std::int64_t count;
};
constexpr CountCase kCounts[] = {{"one", 1}, {"two", 2}, {"few", 9}, {"many", 150}};
class Arranged : public testing::TestWithParam<CountCase> {};

TEST_P(Arranged, InASpheroidAllLieWithinItsBallAndApart) {
  NucleiSpec spec = arranged(Arrangement::spheroid, GetParam().count);
  spec.arrangement_radius_um = 19;
  const auto nuclei = placed(spec);
  expect_apart(nuclei, spec.gap_um);
  for (const Nucleus& nucleus : nuclei)
    EXPECT_LE(distance(nucleus) + nucleus.bounding_radius_um(), 19 * (1 + 1e-12));
}

TEST_P(Arranged, OnAShellTheCentresLieOnItsBallAndApart) {
  NucleiSpec spec = arranged(Arrangement::shell, GetParam().count);
  spec.arrangement_radius_um = 22;
  const auto nuclei = placed(spec);
  expect_apart(nuclei, spec.gap_um);
  for (const Nucleus& nucleus : nuclei) EXPECT_NEAR(distance(nucleus), 22, 1e-9);
}

TEST_P(Arranged, TheBallFollowsFromTheirNumber) {
  for (const Arrangement arrangement : {Arrangement::spheroid, Arrangement::shell}) {
    const NucleiSpec spec = arranged(arrangement, GetParam().count);
    const auto nuclei = placed(spec);
    expect_apart(nuclei, spec.gap_um);
    double farthest = 0;
    for (const Nucleus& nucleus : nuclei) farthest = std::max(farthest, distance(nucleus));
    EXPECT_LE(farthest, 4.5 * std::sqrt(static_cast<double>(GetParam().count)));
  }
}

INSTANTIATE_TEST_SUITE_P(Counts, Arranged, testing::ValuesIn(kCounts), test::kCaseName);

TEST(Shells, OfTwoLayersAreThickerThanOfOne) {
  NucleiSpec spec = arranged(Arrangement::shell, 120);
  spec.layers = 2;
  const auto nuclei = placed(spec);
  expect_apart(nuclei, spec.gap_um);
  const auto [least, most] =
      std::minmax_element(nuclei.begin(), nuclei.end(),
                          [](const auto& a, const auto& b) { return distance(a) < distance(b); });
  EXPECT_GT(distance(*most) - distance(*least), 2);
}

TEST_P(Arranged, InAMonolayerAllLieOnTheGlassAndApart) {
  NucleiSpec spec = arranged(Arrangement::monolayer, GetParam().count);
  spec.clustering = 0.5;
  spec.radius_um = 1.5;
  spec.glass_um = 21.5;
  const auto nuclei = placed(spec);
  expect_apart(nuclei, spec.gap_um);
  for (const Nucleus& nucleus : nuclei) EXPECT_NEAR(nucleus.bounds().low[0], 21.5, 1e-12);
}

TEST(Monolayers, WithoutAGlassLieAroundTheMiddleOfTheGrid) {
  const auto nuclei = placed(arranged(Arrangement::monolayer, 9));
  double height = 0;
  for (const Nucleus& nucleus : nuclei)
    height += (nucleus.bounds().high[0] - nucleus.bounds().low[0]) / 9;
  for (const Nucleus& nucleus : nuclei)
    EXPECT_NEAR(nucleus.bounds().low[0], 40 - height / 2, 1e-12);
}

TEST(Monolayers, WhoseGlassLeavesNoRoomAreRefused) {
  NucleiSpec spec = arranged(Arrangement::monolayer, 3);
  spec.glass_um = 78;
  test::expect_failure<InvalidSpec>([&] { placed(spec); },
                                    {"the glass at 78 um", "a smaller nuclei.glass_um"});
}

TEST(Arrangements, ThatCannotBeAreRefusedByName) {
  NucleiSpec spec = arranged(Arrangement::spheroid, 50);
  spec.clustering = 0.3;
  test::expect_failure<InvalidSpec>([&] { placed(spec); },
                                    {"nuclei.clustering is 0.3", "nuclei.arrangement"});
  spec.clustering = 0;
  spec.arrangement_radius_um = 5;
  test::expect_failure<InvalidSpec>([&] { placed(spec); },
                                    {"a larger nuclei.arrangement_radius_um"});
}

}  // namespace
}  // namespace synthoscope::simulator
