// SPDX-License-Identifier: MIT
#include "simulator/timelapse/wandering.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <ostream>
#include "tests/support/case_name.hpp"

namespace synthoscope::simulator {
namespace {

struct WanderingCase {
  const char* name;
  double interval, diffusion, speed, persistence;
  Orientation orientation;
  friend std::ostream& operator<<(std::ostream& out, const WanderingCase& c) {
    return out << c.name;
  }
};

const WanderingCase kCases[] = {
    {"brownian", 2, 0.3, 0, 600, Orientation::random},
    {"brownian_flat", 2, 0.3, 0, 600, Orientation::flat},
    {"persistent", 1, 0, 0.5, 3, Orientation::random},
    {"persistent_flat", 1, 0, 0.5, 3, Orientation::flat},
    {"straight", 0.01, 0, 0.5, 30, Orientation::random},
    {"forgetful", 50, 0, 0.5, 3, Orientation::random},
    {"both", 5, 0.1, 0.4, 8, Orientation::flat},
};

class Wanders : public testing::TestWithParam<WanderingCase> {
 protected:
  [[nodiscard]] TimeSpec time() const {
    TimeSpec time;
    time.interval_seconds = GetParam().interval;
    time.diffusion_um2_per_second = GetParam().diffusion;
    time.speed_um_per_second = GetParam().speed;
    time.persistence_seconds = GetParam().persistence;
    return time;
  }
  /// Ornstein and Fuerth.
  [[nodiscard]] double mean_square(double t) const {
    const auto& c = GetParam();
    const double axes = c.orientation == Orientation::flat ? 2 : 3, p = c.persistence;
    return 2 * axes * c.diffusion * t + 2 * c.speed * c.speed * p * (t + p * std::expm1(-t / p));
  }
};

TEST_P(Wanders, AsFarAsTheEquationSays) {
  const auto& c = GetParam();
  const Wandering wandering{time(), c.orientation == Orientation::flat, {4, RandomStage::motion}};
  constexpr int kBodies = 3000, kFrames = 12;
  std::array<double, kFrames + 1> squares{};
  for (std::int64_t body = 0; body < kBodies; ++body) {
    Vector3 place{}, velocity = wandering.first_velocity(body, 0);
    for (std::int64_t frame = 1; frame <= kFrames; ++frame) {
      place = place + wandering.step(body, frame, velocity);
      squares[static_cast<std::size_t>(frame)] += dot(place, place) / kBodies;
    }
    if (c.orientation == Orientation::flat) {
      EXPECT_EQ(place[0], 0);
    }
  }
  // A square of normal deviates of 2 axes spreads as much as its mean: 5 standard errors
  for (const int frame : {1, 2, 5, 12})
    EXPECT_NEAR(squares[static_cast<std::size_t>(frame)] / mean_square(c.interval * frame), 1,
                5 / std::sqrt(kBodies))
        << frame;
}

INSTANTIATE_TEST_SUITE_P(Cases, Wanders, testing::ValuesIn(kCases), test::kCaseName);

TEST(Wandering, TurnsByTheDiffusionThatIsAskedFor) {
  TimeSpec time;
  time.interval_seconds = 10;
  time.turning_rad2_per_second = 0.0005;
  for (const auto orientation : {Orientation::flat, Orientation::random}) {
    const Wandering wandering{time, orientation == Orientation::flat, {4, RandomStage::motion}};
    double along = 0;
    constexpr int kBodies = 3000, kFrames = 20;
    for (std::int64_t body = 0; body < kBodies; ++body) {
      Matrix3 turn{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
      for (std::int64_t frame = 1; frame <= kFrames; ++frame)
        turn = turn * transposed(wandering.turn(body, frame));
      along += turn[2][2] / kBodies;
      for (int row = 0; row < 3; ++row)
        for (int other = 0; other < 3; ++other)
          ASSERT_NEAR(
              dot(turn[static_cast<std::size_t>(row)], turn[static_cast<std::size_t>(other)]),
              row == other ? 1 : 0, 1e-13);
      if (orientation == Orientation::flat) {
        ASSERT_NEAR(turn[0][0], 1, 1e-13);
      }
    }
    // The mean cosine of an angle of variance 2 D t falls as exp(-D t), about each axis across it
    const double axes = orientation == Orientation::flat ? 1 : 2;
    EXPECT_NEAR(along, std::exp(-axes * 0.0005 * 10 * kFrames), 0.02);
  }
}

struct TurningCase {
  const char* name;
  double deviation;  ///< sqrt(2 D dt) about each axis, radians
  int frames;        ///< that it is shared out to
  friend std::ostream& operator<<(std::ostream& out, const TurningCase& c) { return out << c.name; }
};
const TurningCase kTurnings[] = {
    {"little", 0.1, 20}, {"one", 1, 1}, {"one_in_parts", 1, 25}, {"two", 2, 1}, {"five", 5, 1},
};

class TurnsFar : public testing::TestWithParam<TurningCase> {};

TEST_P(TurnsFar, AsTheHeatKernelOfRotationsSays) {
  const auto& [name, deviation, frames] = GetParam();
  TimeSpec time;
  time.interval_seconds = 10;
  time.turning_rad2_per_second = deviation * deviation / (2 * 10 * frames);
  const double t = deviation * deviation / 2;
  constexpr int kBodies = 8000;
  for (const auto orientation : {Orientation::flat, Orientation::random}) {
    const Wandering wandering{time, orientation == Orientation::flat, {4, RandomStage::motion}};
    double first = 0, second = 0;  // means of the first two harmonics of an axis' turn
    for (std::int64_t body = 0; body < kBodies; ++body) {
      Matrix3 turn{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
      for (std::int64_t frame = 1; frame <= frames; ++frame)
        turn = turn * transposed(wandering.turn(body, frame));
      const double cosine = turn[2][2], square = cosine * cosine;
      first += cosine / kBodies;
      second += (orientation == Orientation::flat ? 2 * square - 1 : 1.5 * square - 0.5) / kBodies;
    }
    // Harmonic n falls as exp(-n^2 D t) in the plane and as exp(-n (n + 1) D t) in space
    const bool is_flat = orientation == Orientation::flat;
    EXPECT_NEAR(first, std::exp(is_flat ? -t : -2 * t), 4 * std::sqrt(0.5 / kBodies));
    EXPECT_NEAR(second, std::exp(is_flat ? -4 * t : -6 * t), 4 * std::sqrt(0.5 / kBodies));
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, TurnsFar, testing::ValuesIn(kTurnings), test::kCaseName);

TEST(Wandering, IsAFunctionOfSeedBodyAndFrame) {
  TimeSpec time;
  time.interval_seconds = 1;
  time.speed_um_per_second = 1;
  const auto of_seed = [&](std::uint64_t seed) {
    return Wandering{time, /*in_plane=*/true, {seed, RandomStage::motion}};
  };
  const Wandering one = of_seed(4), again = of_seed(4), other = of_seed(5);
  Vector3 a{}, b{}, c{}, d{}, e{};
  EXPECT_EQ(one.step(3, 7, a), again.step(3, 7, b));
  EXPECT_NE(one.step(3, 8, c), one.step(3, 7, d));
  EXPECT_NE(one.step(3, 7, d), other.step(3, 7, e));
  // Golden: changes only if the promise about draws is broken
  Vector3 velocity = one.first_velocity(3, 0);
  const Vector3 way = one.step(3, 1, velocity);
  EXPECT_DOUBLE_EQ(way[1], 0.13368295705117386);
  EXPECT_DOUBLE_EQ(velocity[2], 0.51180249071142347);
}

}  // namespace
}  // namespace synthoscope::simulator
