// SPDX-License-Identifier: MIT
// draw_run_test.cpp — runs of pixels get the bits that one pixel at a time gets.
#include "simulator/detector/noise/draw_run.hpp"
#include <gtest/gtest.h>
#include <vector>
#include "simulator/base/normal_quantile.hpp"
#include "simulator/detector/noise/poisson.hpp"

namespace synthoscope::simulator {
namespace {

const RandomStream kStream{31, RandomStage::shot_noise};

std::vector<double> some_uniforms(std::uint64_t first, std::int64_t count) {
  std::vector<double> u(static_cast<std::size_t>(count));
  draw_uniforms(kStream, first, 2, 3, count, u.data());
  return u;
}

TEST(DrawRun, DrawsUniformsOfThePromisedCountersAtAnyLengthAndPlace) {
  constexpr std::uint64_t kFirsts[] = {0, 77, (std::uint64_t{1} << 32) - 100,
                                       std::uint64_t{1} << 47};
  for (const std::uint64_t first : kFirsts)
    for (const std::int64_t count : {1, 3, 8, 31, 255, 256}) {
      const auto u = some_uniforms(first, count);
      for (std::size_t i = 0; i < u.size(); ++i) {
        const auto words = kStream.block(first + i, 0, 2, 3);
        ASSERT_EQ(u[i], uniform52(words[0], words[1])) << first << " + " << i;
      }
    }
}

TEST(DrawRun, GivesTheQuantileOfOnePixelInBothTails) {
  std::vector<double> u{0x1p-53, 1e-12, 0.07499, 0.075, 0.5, 0.925, 0.92501, 1 - 0x1p-53};
  for (const double more : some_uniforms(0, 248)) u.push_back(more);
  std::vector<double> z(u.size());
  draw_normals(u.data(), static_cast<std::int64_t>(u.size()), z.data());
  for (std::size_t i = 0; i < u.size(); ++i) EXPECT_EQ(z[i], normal_quantile(u[i])) << u[i];
}

TEST(DrawRun, GivesThePoissonCountOfOnePixelForMixedMeans) {
  for (std::uint64_t round = 0; round < 400; ++round) {
    const std::int64_t count = 1 + static_cast<std::int64_t>(round * 37 % 256);
    auto u = some_uniforms(round * 256, count);
    u[0] = round % 2 == 0 ? 0x1p-53 : 1 - 0x1p-53;
    std::vector<double> mean(u.size()), n(u.size());
    double m = 1e-3;
    for (double& v : mean) v = m = m > 3e5 ? 0 : m * 1.23 + 1e-3;
    draw_poissons(mean.data(), u.data(), count, n.data());
    for (std::size_t i = 0; i < u.size(); ++i)
      ASSERT_EQ(n[i], static_cast<double>(poisson(mean[i], u[i]))) << mean[i] << " at " << u[i];
  }
}

}  // namespace
}  // namespace synthoscope::simulator
