// SPDX-License-Identifier: MIT
#include "simulator/phantom/texture.hpp"
#include <gtest/gtest.h>
#include <cmath>

namespace synthoscope::simulator {
namespace {

TEST(Texture, DoesNotDependOnWhereItWasAskedBefore) {
  Texture wandering{42, 3.7, 4};
  for (int i = 0; i < 200; ++i) {
    const Vector3 p{0.17 * i - 11, std::fmod(1.3 * i, 7.0) - 3, 0.01 * i};
    Texture fresh{42, 3.7, 4};
    EXPECT_EQ(wandering(p), fresh(p));
  }
}

TEST(Texture, HasMeanZeroStaysWithinOneAndVaries) {
  Texture texture{1, 2.0, 4};
  double sum = 0, squares = 0;
  constexpr int kSide = 40;
  for (int z = 0; z < kSide; ++z)
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x) {
        const double t = texture({z * 0.731, y * 0.731, x * 0.731});
        ASSERT_LT(std::abs(t), 1);
        sum += t;
        squares += t * t;
      }
  const double n = kSide * kSide * kSide;
  EXPECT_NEAR(sum / n, 0, 0.02);
  // Variance 1 before the squeeze s / sqrt(1 + s^2): about 0.34 for a normal s
  EXPECT_NEAR(squares / n, 0.34, 0.03);
}

TEST(Texture, IsSmoothBelowItsShortestOctave) {
  Texture texture{1, 4.0, 2};
  const Vector3 p{0.3, 0.4, 0.5}, q{0.3, 0.4, 0.5001};
  EXPECT_NEAR(texture(p), texture(q), 1e-3);
  EXPECT_NE(texture(p), texture({0.3, 0.4, 1.5}));
}

TEST(Texture, DiffersFromSeedToSeed) {
  Texture a{1, 4.0, 3}, b{2, 4.0, 3};
  EXPECT_NE(a({0.1, 0.2, 0.3}), b({0.1, 0.2, 0.3}));
}

}  // namespace
}  // namespace synthoscope::simulator
