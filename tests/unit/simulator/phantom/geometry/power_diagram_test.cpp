// SPDX-License-Identifier: MIT
#include "simulator/phantom/geometry/power_diagram.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "core/math/random.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

const Bounds kBox{{1, 2, 3}, {9, 12, 18}};
constexpr double kBoxUm3 = 8 * 10 * 15;

TEST(Polyhedra, HaveTheVolumeAndCentroidOfWhatIsLeftOfABox) {
  // x + y + z <= 1 of the unit cube is a tetrahedron
  Polyhedron body{{{0, 0, 0}, {1, 1, 1}}};
  const double n = 1 / std::sqrt(3.0);
  body.cut({{n, n, n}, n}, 7);
  EXPECT_NEAR(body.volume(), 1.0 / 6, 1e-15);
  for (const double c : body.centroid()) EXPECT_NEAR(c, 0.25, 1e-15);
  EXPECT_EQ(body.cuts(), std::vector<int>{7});
  body.cut({{1, 0, 0}, -0.1}, 8);
  EXPECT_TRUE(body.empty());
  EXPECT_EQ(body.volume(), 0);
}

TEST(Polyhedra, LeaveTheOtherPartBehind) {
  const RandomStream stream{5, RandomStage::certificate};
  for (std::uint64_t i = 0; i < 200; ++i) {
    Vector3 normal{};
    const auto words = stream.block(i);
    for (std::size_t axis = 0; axis < 3; ++axis) normal[axis] = 2 * uniform32(words[axis]) - 1;
    normal = (1 / std::sqrt(dot(normal, normal))) * normal;
    const Vector3 through{5, 7, 10};
    Polyhedron one{kBox}, other{kBox};
    for (Polyhedron* body : {&one, &other}) body->cut({{0.6, 0.8, 0}, 9}, 0);
    const double all = one.volume();
    one.cut({normal, dot(normal, through)}, 1);
    other.cut({-1 * normal, -dot(normal, through)}, 1);
    ASSERT_NEAR(one.volume() + other.volume(), all, 1e-10) << i;
  }
}

struct SeedCase {
  const char* name;
  std::uint64_t count;
  double heaviest;
};
constexpr SeedCase kSeeds[] = {
    {"one", 1, 1},
    {"two", 2, 3},
    {"few", 12, 0},
    {"many", 400, 0},
    {"of_all_sizes", 150, 2.5},
    {"some_of_them_lost", 150, 40},
};
class Diagrams : public testing::TestWithParam<SeedCase> {
 protected:
  Diagrams() {
    const RandomStream stream{9, RandomStage::certificate};
    for (std::uint64_t i = 0; i < GetParam().count; ++i) {
      const auto words = stream.block(i);
      PowerSeed seed;
      for (std::size_t axis = 0; axis < 3; ++axis)
        seed.at[axis] =
            kBox.low[axis] + uniform32(words[axis]) * (kBox.high[axis] - kBox.low[axis]);
      seed.weight = GetParam().heaviest * uniform32(words[3]);
      seeds.push_back(seed);
    }
    cells = power_diagram(seeds, kBox, run.context);
  }
  [[nodiscard]] double power(std::size_t i, const Vector3& p) const {
    const Vector3 from = p - seeds[i].at;
    return dot(from, from) - seeds[i].weight;
  }
  test::TestContext run;
  std::vector<PowerSeed> seeds;
  std::vector<PowerCell> cells;
};

TEST_P(Diagrams, FillTheBox) {
  double all = 0;
  for (const PowerCell& cell : cells) all += cell.body.volume();
  EXPECT_NEAR(all / kBoxUm3, 1, 1e-9);
}

TEST_P(Diagrams, GiveEveryPointToTheSeedOfLeastPower) {
  const RandomStream stream{10, RandomStage::certificate};
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const auto words = stream.block(i);
    Vector3 p{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      p[axis] = kBox.low[axis] + uniform32(words[axis]) * (kBox.high[axis] - kBox.low[axis]);
    std::size_t nearest = 0, holding = 0, holders = 0;
    for (std::size_t j = 0; j < seeds.size(); ++j) {
      if (power(j, p) < power(nearest, p)) nearest = j;
      const ConvexShape shape{cells[j].sides.data(), static_cast<int>(cells[j].sides.size())};
      if (cells[j].body.empty() || !shape.contains(p)) continue;
      holding = j;
      ++holders;
    }
    ASSERT_EQ(holders, 1U) << i;
    ASSERT_EQ(holding, nearest) << i;
  }
}

TEST_P(Diagrams, HaveTheSameFaceFromBothSides) {
  for (std::size_t i = 0; i < cells.size(); ++i)
    for (const int other : cells[i].body.cuts()) {
      const auto j = static_cast<std::size_t>(other);
      const HalfSpace here = side_between(seeds, i, j), there = side_between(seeds, j, i);
      EXPECT_EQ(here.offset, -there.offset);
      EXPECT_EQ(here.normal, -1 * there.normal);
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Diagrams, testing::ValuesIn(kSeeds), test::kCaseName);

}  // namespace
}  // namespace synthoscope::simulator
