// SPDX-License-Identifier: MIT
// What the faces of the grid, and neighbours, do to nuclei of a movie.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <ostream>
#include "simulator/phantom/nuclei/placement.hpp"
#include "simulator/timelapse/movie.hpp"
#include "simulator/timelapse/wandering.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

/// Nuclei of a radius in a grid of a size, without texture.
MovieSpec wandering(std::int64_t count, double radius_um, const Vector3& size, double diffusion) {
  MovieSpec spec;
  spec.phantom.nuclei.count = count;
  spec.phantom.nuclei.radius_um = radius_um;
  spec.phantom.nuclei.radius_spread = 0;
  spec.time.interval_seconds = 300;
  spec.time.diffusion_um2_per_second = diffusion;
  spec.grid = {{16, 40, 40}, {size[0] / 16, size[1] / 40, size[2] / 40}};
  return spec;
}

struct SlabCase {
  const char* name;
  std::int64_t count;
  double diffusion;
  std::int64_t frames;
  friend std::ostream& operator<<(std::ostream& out, const SlabCase& c) { return out << c.name; }
};

class ThinSlab : public testing::TestWithParam<SlabCase> {};

TEST_P(ThinSlab, HasRoomForFewFlatNucleiWhichKeepTheirPlane) {
  const SlabCase& c = GetParam();
  MovieSpec spec = wandering(c.count, 2.5, {8, 40, 40}, c.diffusion);
  spec.frames = c.frames;
  test::TestContext run;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6, 7, 8}) {
    const Movie movie{spec, seed, run.context};
    std::map<std::int64_t, double> plane;
    for (std::int64_t frame = 0; frame < spec.frames; ++frame)
      for (const auto& body : movie.nuclei().at(frame))
        ASSERT_EQ(body.pose.centre[0],
                  plane.try_emplace(body.number, body.pose.centre[0]).first->second)
            << seed << ", frame " << frame;
  }
}

const SlabCase kSlabs[] = {{"far", 3, 0.05, 30}, {"near", 12, 0.001, 60}};
INSTANTIATE_TEST_SUITE_P(Cases, ThinSlab, testing::ValuesIn(kSlabs), test::kCaseName);

TEST(Walls, DoNotTurnBackWhatMayLeave) {
  for (const double step_um : {15.0, 30.0}) {
    MovieSpec spec = wandering(60, 1, {8, 60, 60}, step_um * step_um / (2 * 300));
    spec.phantom.nuclei.border = BorderRule::cut;
    spec.frames = 2;
    test::TestContext run;
    const Movie movie{spec, 1, run.context};
    const Wandering alone{
        spec.time, spec.phantom.nuclei.orientation == Orientation::flat, {1, RandomStage::motion}};
    std::size_t expected = 0;
    for (const auto& body : movie.nuclei().at(0)) {
      Vector3 velocity{};
      const Vector3 place = body.pose.centre + alone.step(body.number, 1, velocity);
      const double far = 2 * movie.drawn_nucleus(body.number).bounding_radius_um();
      expected += std::max(std::abs(place[1] - 30), std::abs(place[2] - 30)) <= 30 + far;
    }
    EXPECT_LT(expected, 52U);
    EXPECT_EQ(movie.nuclei().at(1).size(), expected) << step_um;
  }
}

class TurnedBack : public testing::Test {
 protected:
  test::TestContext run;
  /// Along x, of one nucleus for which the grid has about 18 um.
  [[nodiscard]] std::vector<double> places(double step_um, std::int64_t frames) {
    MovieSpec spec = wandering(1, 1, {8, 20, 20}, step_um * step_um / (2 * 300));
    spec.frames = frames;
    const Movie movie{spec, 3, run.context};
    std::vector<double> x;
    for (std::int64_t frame = 1; frame < frames; ++frame)
      x.push_back(movie.nuclei().at(frame)[0].pose.centre[2]);
    return x;
  }
};

TEST_F(TurnedBack, AsOftenAsAWallIsMet) {
  const auto x = places(40, 400);
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  for (const double wall : {*low, *high}) EXPECT_EQ(std::count(x.begin(), x.end(), wall), 1);
  // Uniform in what it has: its middle, and its variance of a twelfth of the square of its length
  const double length = *high - *low;
  double mean = 0, square = 0;
  for (const double place : x) mean += place / 399;
  for (const double place : x) square += (place - mean) * (place - mean) / 399;
  EXPECT_NEAR(mean, 10, 4 * length / std::sqrt(12 * 399.0));
  EXPECT_NEAR(square / (length * length), 1.0 / 12, 0.012);
}

TEST_F(TurnedBack, IsToldWhereThatIsAllThatIsSeen) {
  static_cast<void>(places(15, 3));
  EXPECT_TRUE(run.log.warnings.empty());
  static_cast<void>(places(40, 3));
  ASSERT_EQ(run.log.warnings.size(), 1U);
  for (const char* word : {"in an interval of 300 s", "40 um along y"})
    EXPECT_NE(run.log.warnings[0].find(word), std::string::npos) << run.log.warnings[0];
}

}  // namespace
}  // namespace synthoscope::simulator
