// SPDX-License-Identifier: MIT
// What form the chromatin of a dividing nucleus has, and how its stain follows.
#include "simulator/phantom/mitosis/mitosis.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>
#include "simulator/phantom/nuclei/nucleus_light.hpp"

namespace synthoscope::simulator {
namespace {

TEST(Mitosis, GoesThroughItsPhasesInOrder) {
  struct Case {
    double progress;
    bool has_mother;
    MitoticPhase phase;
  };
  const Case kCases[] = {
      {0, false, MitoticPhase::interphase},       {0, true, MitoticPhase::anaphase},
      {0.0059, true, MitoticPhase::anaphase},     {0.0061, true, MitoticPhase::telophase},
      {0.0259, true, MitoticPhase::telophase},    {0.0261, true, MitoticPhase::interphase},
      {0.9549, true, MitoticPhase::interphase},   {0.9551, true, MitoticPhase::prophase},
      {0.9701, true, MitoticPhase::prometaphase}, {0.9801, false, MitoticPhase::metaphase},
      {1, false, MitoticPhase::metaphase},
  };
  for (const Case& c : kCases)
    EXPECT_EQ(mitosis_at(c.progress, c.has_mother).phase, c.phase)
        << c.progress << ' ' << c.has_mother;
  EXPECT_NEAR(mitosis_at(0.96, true).progress, 1.0 / 3, 1e-9);
  EXPECT_EQ(mitosis_at(1, true).progress, 1);
}

TEST(Mitosis, TakesEachPhaseForItsPartOfTheWhole) {
  std::vector<int> steps(6);
  const int kSteps = 71000;
  for (int i = 0; i < kSteps; ++i)
    ++steps[static_cast<std::size_t>(mitosis_at_part((i + 0.5) / kSteps).phase)];
  const double whole = std::accumulate(kPhaseParts.begin(), kPhaseParts.end(), 0.0);
  EXPECT_EQ(steps[0], 0);
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_NEAR(steps[i + 1], kSteps * kPhaseParts[i] / whole, 2) << i;
}

TEST(Mitosis, ChangesFormsWithoutJumps) {
  const auto differ = [](const ChromatinForm& a, const ChromatinForm& b) {
    return std::max({std::abs(a.volume - b.volume), std::abs(a.roundness - b.roundness),
                     std::abs(a.flatness - b.flatness), std::abs(a.threads - b.threads),
                     std::abs(a.condensed - b.condensed), std::abs(a.arms - b.arms)});
  };
  const double kStep = 1e-5;
  for (const bool has_mother : {false, true})
    for (double progress = kStep; progress < 1; progress += kStep)
      ASSERT_LT(differ(form_of(mitosis_at(progress - kStep, has_mother)),
                       form_of(mitosis_at(progress, has_mother))),
                0.01)
          << progress;
  // A mother's plate becomes two
  const ChromatinForm last = form_of(mitosis_at(1, false)), first = form_of(mitosis_at(0, true));
  EXPECT_EQ(last.volume, first.volume);
  EXPECT_NEAR(last.flatness, first.flatness, 0.06);
}

TEST(Mitosis, KeepsTheAmountOfStain) {
  for (double part = 0; part <= 1; part += 1.0 / 64) {
    const Mitosis mitosis = mitosis_at_part(part);
    EXPECT_NEAR(chromatin_of(mitosis).density * form_of(mitosis).volume, 1, 1e-12);
  }
  // Threads have the mean density of the texture that they replace, whose values s / sqrt(1 + s^2)
  // are those of a normal s
  double sum = 0;
  const int kSteps = 20000;
  for (int i = 0; i < kSteps; ++i) {
    const double s = -5 + 10 * (i + 0.5) / kSteps;
    sum += std::exp(-s * s / 2) * thread_density(s / std::sqrt(1 + s * s));
  }
  EXPECT_NEAR(sum * (10.0 / kSteps) / std::sqrt(2 * 3.14159265358979), 1, 0.01);
}

TEST(Mitosis, MakesARoundPlateOfAFlatNucleus) {
  const Vector3 flat{2, 4, 8};
  for (const int axis : {1, 2}) {
    const ChromatinForm plate = form_of({MitoticPhase::metaphase, 1});
    const Vector3 factors = reshaping_of(plate, flat, axis, 100);
    EXPECT_NEAR(factors[0] * factors[1] * factors[2], 1, 1e-12);
    const Vector3 axes{factors[0] * 2, factors[1] * 4, factors[2] * 8};
    const auto a = static_cast<std::size_t>(axis);
    EXPECT_NEAR(axes[a] / axes[0], plate.flatness, 1e-12) << "a disc";
    EXPECT_NEAR(axes[3 - a], axes[0], 1e-12);
  }
  // In a thin grid it stays low
  const Vector3 factors = reshaping_of(form_of({MitoticPhase::metaphase, 1}), flat, 2, 3);
  EXPECT_NEAR(factors[0] * 2, 3, 1e-12);
  EXPECT_NEAR(factors[0] * factors[1] * factors[2], 1, 1e-12);
  EXPECT_EQ(reshaping_of({}, {1, 1, 1}, 2, 100), (Vector3{1, 1, 1}));
}

}  // namespace
}  // namespace synthoscope::simulator
