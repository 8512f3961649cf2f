// SPDX-License-Identifier: MIT
#include "kernels/variance/merge_steps.hpp"
#include <gtest/gtest.h>
#include <array>
#include <random>
#include "kernels/body/threewise.hpp"

namespace synthoscope::kernels {
namespace {

/// What each voxel weighs along x in the last window, from the first voxel on.
std::vector<double> composed(const MergeSteps& chain) {
  const std::int64_t reach = chain.reach().x, n = 4 * reach + 1;
  std::vector<std::vector<double>> signals(1, std::vector<double>(static_cast<std::size_t>(n)));
  signals[0][static_cast<std::size_t>(2 * reach)] = 1;
  for (const MergeStep& step : chain.steps) {
    std::vector<double> made(static_cast<std::size_t>(n));
    const auto at = [&](int signal, std::int64_t x) {
      return x < 0 || x >= n
                 ? 0
                 : signals[static_cast<std::size_t>(signal)][static_cast<std::size_t>(x)];
    };
    for (std::int64_t x = 0; x < n; ++x) {
      double& value = made[static_cast<std::size_t>(x)];
      if (step.taps.empty()) {
        value = (1 - 2 * step.side) * at(step.centre, x) +
                step.side * (at(step.sides, x - step.spacing) + at(step.sides, x + step.spacing));
        continue;
      }
      value = step.taps[0] * at(step.centre, x);
      for (std::int64_t i = 1; i <= step.reach(); ++i)
        value += step.taps[static_cast<std::size_t>(i)] *
                 (at(step.sides, x - i) + at(step.sides, x + i));
    }
    signals.push_back(made);
  }
  const auto& last = signals[static_cast<std::size_t>(chain.results.back())];
  return {last.begin() + reach, last.end() - reach};
}

LocalWindow along_x(WindowShape shape, double size) {
  const double none = shape == WindowShape::gaussian ? 0 : 1;
  return {shape, none, none, size};
}

TEST(MergeSteps, ComposesTwoSpacingsToOneTwoThreeFour) {
  const LocalWindow window = along_x(WindowShape::triangle, 4);
  const MergeSteps chain = merge_steps(std::array{window});
  ASSERT_EQ(chain.steps.size(), 2U);
  EXPECT_EQ(chain.steps[0].spacing, 1);
  EXPECT_EQ(chain.steps[1].spacing, 2);
  std::vector<double> weights = composed(chain);
  for (double& weight : weights) weight *= 16;
  EXPECT_EQ(weights, (std::vector<double>{1, 2, 3, 4, 3, 2, 1}));
}

TEST(MergeSteps, ComposesToTheWeightsOfEverySize) {
  for (const WindowShape shape : {WindowShape::triangle, WindowShape::box, WindowShape::gaussian})
    for (double size = 1; size <= 65; size += shape == WindowShape::box ? 2 : 1) {
      const LocalWindow window = along_x(shape, size);
      const MergeSteps chain = merge_steps(std::array{window});
      EXPECT_EQ(chain.reach(), half_reach(window)) << print_window(window);
      const std::vector<double> got = composed(chain), half = half_weights(shape, size);
      ASSERT_EQ(got.size(), 2 * half.size() - 1) << print_window(window);
      for (std::size_t i = 0; i < got.size(); ++i) {
        const std::size_t from_centre = i < half.size() ? half.size() - 1 - i : i - half.size() + 1;
        EXPECT_NEAR(got[i], half[from_centre], 1e-15) << print_window(window) << " at " << i;
      }
      if (shape != WindowShape::gaussian) {
        EXPECT_LE(chain.steps.size(), 14U) << print_window(window);
      }
    }
}

TEST(MergeSteps, MakesEveryScaleOfTheOneBefore) {
  const LocalWindow scales[] = {
      along_x(WindowShape::triangle, 2), along_x(WindowShape::triangle, 4),
      along_x(WindowShape::triangle, 12), along_x(WindowShape::triangle, 12)};
  const MergeSteps chain = merge_steps(scales);
  EXPECT_EQ(chain.results, (std::vector<int>{1, 2, 4, 4}));
  EXPECT_EQ(chain.reach().x, 11);
  const MergeSteps alone = merge_steps(std::array{scales[2]});
  const std::vector<double> together = composed(chain), expected = composed(alone);
  ASSERT_EQ(together.size(), expected.size());
  for (std::size_t i = 0; i < together.size(); ++i) EXPECT_NEAR(together[i], expected[i], 1e-15);
}

TEST(MergeSteps, RefusesWindowsThatAreNotMadeOfOneAnother) {
  const auto refused = [](std::vector<LocalWindow> windows) {
    EXPECT_THROW(merge_steps(windows), InvalidSpec) << print_window(windows.back());
  };
  refused({along_x(WindowShape::triangle, 4), along_x(WindowShape::triangle, 6)});
  refused({along_x(WindowShape::triangle, 4), along_x(WindowShape::triangle, 2)});
  refused({along_x(WindowShape::box, 3), along_x(WindowShape::box, 9)});
  refused({along_x(WindowShape::triangle, 2), along_x(WindowShape::gaussian, 9)});
  refused({along_x(WindowShape::box, 4)});
  refused({along_x(WindowShape::box, 0)});
  refused({along_x(WindowShape::triangle, 2.5)});
  refused({along_x(WindowShape::gaussian, -1)});
  refused({along_x(WindowShape::gaussian, 1e9)});
}

TEST(Threewise, EqualsTheSumsItStandsFor) {
  std::mt19937 generator{5};
  std::uniform_real_distribution<float> any{-3, 7};
  for (const double side : {0.25, 1.0 / 3, 3.0 / 7, 0.2}) {
    const Part l{any(generator), any(generator), 2}, c{any(generator), any(generator), 3},
        r{any(generator), any(generator), 0.5F};
    const Part got = threewise(l, c, r, three_weights(side));
    const double w[] = {side, 1 - 2 * side, side};
    const double m[] = {double{l.voxel} + l.offset, double{c.voxel} + c.offset,
                        double{r.voxel} + r.offset};
    const double v[] = {2, 3, 0.5};
    double mean = 0, variance = 0;
    for (int i = 0; i < 3; ++i) {
      mean += w[i] * m[i];
      variance += w[i] * v[i];
      for (int j = i + 1; j < 3; ++j) variance += w[i] * w[j] * (m[i] - m[j]) * (m[i] - m[j]);
    }
    EXPECT_NEAR(double{got.voxel} + got.offset, mean, 2e-6);
    EXPECT_NEAR(got.variance, variance, 1e-6 * variance);
  }
}

}  // namespace
}  // namespace synthoscope::kernels
