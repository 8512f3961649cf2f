// SPDX-License-Identifier: MIT
// em_register_test.cpp — electron multiplication against its distribution, and against a register
// that is simulated stage by stage.
#include "simulator/detector/noise/em_register.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <map>
#include <random>
#include <vector>
#include "core/math/random.hpp"

namespace synthoscope::simulator {
namespace {

constexpr int kDraws = 200000;

std::vector<double> multiplied_often(double electrons, double gain) {
  const RandomStream stream{17, RandomStage::em_gain};
  std::vector<double> out;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    const auto words = stream.block(i);
    out.push_back(
        multiplied(electrons, gain, uniform52(words[0], words[1]), uniform52(words[2], words[3])));
  }
  return out;
}

/// Every electron of a stage makes one more with the chance that 536 stages need for `gain`.
std::vector<double> simulated_register(int electrons, double gain) {
  constexpr int kStages = 536;  // of a common sensor
  const double chance = std::pow(gain, 1.0 / kStages) - 1;
  std::mt19937_64 engine{5};
  std::vector<double> out;
  for (int i = 0; i < kDraws / 50; ++i) {
    int count = electrons;
    for (int stage = 0; stage < kStages; ++stage)
      count += std::binomial_distribution<int>{count, chance}(engine);
    out.push_back(count);
  }
  return out;
}

struct Moments {
  double mean, variance;
};
Moments moments_of(const std::vector<double>& values) {
  double sum = 0, squares = 0;
  for (const double v : values) sum += v;
  const double mean = sum / static_cast<double>(values.size());
  for (const double v : values) squares += (v - mean) * (v - mean);
  return {mean, squares / static_cast<double>(values.size())};
}

/// Largest distance between two empirical distribution functions.
double distance(const std::vector<double>& a, const std::vector<double>& b) {
  std::map<double, std::pair<double, double>> steps;
  for (const double v : a) steps[v].first += 1.0 / static_cast<double>(a.size());
  for (const double v : b) steps[v].second += 1.0 / static_cast<double>(b.size());
  double largest = 0, ahead = 0;
  for (const auto& [value, step] : steps) {
    ahead += step.first - step.second;
    largest = std::max(largest, std::abs(ahead));
  }
  return largest;
}

TEST(EmRegister, LeavesWhatItCannotMultiply) {
  EXPECT_EQ(multiplied(0, 300, 0.9, 0.9), 0);
  EXPECT_EQ(multiplied(7, 1, 0.9, 0.9), 7);
  EXPECT_GE(multiplied(7, 1.5, 0x1p-53, 0x1p-53), 7);
}

TEST(EmRegister, MakesAGeometricNumberOfOneElectron) {
  const double gain = 5;
  std::map<double, int> seen;
  for (const double v : multiplied_often(1, gain)) ++seen[v];
  double chi_square = 0, left = kDraws;
  int cells = 0;
  for (int k = 1; k <= 30; ++k) {
    const double expected = kDraws / gain * std::pow(1 - 1 / gain, k - 1);
    chi_square += (seen[k] - expected) * (seen[k] - expected) / expected;
    left -= seen[k];
    ++cells;
  }
  EXPECT_NEAR(left / kDraws, std::pow(1 - 1 / gain, 30), 3e-4);
  EXPECT_LT(chi_square, cells + 4 * std::sqrt(2.0 * cells));
}

TEST(EmRegister, HasTheMomentsOfManyStages) {
  for (const double gain : {2.0, 20.0, 300.0})
    for (const double electrons : {1.0, 8.0, 63.0, 64.0, 500.0}) {
      const Moments m = moments_of(multiplied_often(electrons, gain));
      EXPECT_NEAR(m.mean / (electrons * gain), 1, 0.01) << electrons << " electrons, " << gain;
      EXPECT_NEAR(m.variance / (electrons * gain * (gain - 1)), 1, 0.03)
          << electrons << " electrons, " << gain;
    }
}

TEST(EmRegister, DiffersLittleFromARegisterSimulatedStageByStage) {
  for (const double gain : {3.0, 20.0, 45.0})
    for (const int electrons : {1, 5}) {
      const auto simulated = simulated_register(electrons, gain);
      const auto ours = multiplied_often(electrons, gain);
      const double stages = 536;
      // Robbins and Hadwen: a finite register is a little less noisy than the limit
      const double excess =
          (moments_of(simulated).variance / moments_of(ours).variance) /
          ((2 * (gain - 1) * std::pow(gain, -(stages + 1) / stages) + 1 / gain - 1) /
           (1 - 1 / gain));
      EXPECT_NEAR(excess, 1, 0.1) << electrons << " electrons, " << gain;
      // 1.63 / sqrt(4000): the chance of more is 1 % where both are the same
      EXPECT_LT(distance(simulated, ours), 0.026) << electrons << " electrons, " << gain;
    }
}

}  // namespace
}  // namespace synthoscope::simulator
