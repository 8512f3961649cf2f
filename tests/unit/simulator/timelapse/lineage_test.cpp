// SPDX-License-Identifier: MIT
#include "simulator/timelapse/lineage.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <map>
#include "core/base/error.hpp"

namespace synthoscope::simulator {
namespace {

TimeSpec dividing(double interval_seconds) {
  TimeSpec time;
  time.interval_seconds = interval_seconds;
  time.division = true;
  return time;
}

TEST(Lineage, GivesEachMotherTwoDaughtersInTheFrameBehindHerLast) {
  const auto lives = lineage_of(20, dividing(1800), 200, 3);
  ASSERT_GT(lives.size(), 100u);
  std::map<std::int64_t, int> daughters;
  for (std::size_t i = 0; i < lives.size(); ++i) {
    const Life& life = lives[i];
    EXPECT_LE(life.begin, life.end);
    EXPECT_EQ(life.mother < 0, i < 20);
    if (life.mother < 0) continue;
    ASSERT_LT(life.mother, static_cast<std::int64_t>(i));
    const Life& mother = lives[static_cast<std::size_t>(life.mother)];
    EXPECT_EQ(life.begin, mother.end + 1);
    EXPECT_DOUBLE_EQ(life.born_seconds, mother.born_seconds + mother.cycle_seconds);
    EXPECT_GE(1800 * static_cast<double>(life.begin), life.born_seconds);
    EXPECT_LT(1800 * static_cast<double>(life.begin), life.born_seconds + 1800);
    ++daughters[life.mother];
  }
  for (std::size_t i = 0; i < lives.size(); ++i)
    EXPECT_EQ(daughters[static_cast<std::int64_t>(i)], lives[i].end == 199 ? 0 : 2) << i;
}

TEST(Lineage, OfFewerFramesIsItsBeginning) {
  const auto all = lineage_of(8, dividing(3600), 120, 5);
  for (const std::int64_t frames : {1, 2, 50}) {
    const auto some = lineage_of(8, dividing(3600), frames, 5);
    const auto born = std::count_if(all.begin(), all.end(),
                                    [&](const Life& life) { return life.begin < frames; });
    ASSERT_EQ(static_cast<std::int64_t>(some.size()), born);
    for (std::size_t i = 0; i < some.size(); ++i) {
      EXPECT_EQ(some[i].begin, all[i].begin);
      EXPECT_EQ(some[i].end, std::min(all[i].end, frames - 1));
      EXPECT_EQ(some[i].mother, all[i].mother);
      EXPECT_EQ(some[i].cycle_seconds, all[i].cycle_seconds);
    }
  }
}

TEST(Lineage, CyclesHaveTheMeanAndTheSpreadThatAreAskedForAndBeginAnywhere) {
  constexpr int kCount = 4000;
  const auto lives = lineage_of(kCount, dividing(600), 1, 1);
  double sum = 0, squares = 0, phase = 0, phase_squares = 0;
  for (const Life& life : lives) {
    const double hours = life.cycle_seconds / 3600, passed = progress_of(life, 0);
    sum += hours;
    squares += hours * hours;
    phase += passed;
    phase_squares += passed * passed;
  }
  const double mean = sum / kCount, deviation = std::sqrt(squares / kCount - mean * mean);
  EXPECT_NEAR(mean, 24, 5 * 24 * 0.17 / std::sqrt(kCount));
  EXPECT_NEAR(deviation, 24 * 0.17, 0.25);
  EXPECT_NEAR(phase / kCount, 0.5, 5 / std::sqrt(12.0 * kCount));
  EXPECT_NEAR(phase_squares / kCount, 1.0 / 3, 0.03);
}

TEST(Lineage, GrowsAsFastAsCellsThatDivideOnceInACycle) {
  // Of equal cycles, each nucleus has two heirs a cycle later
  TimeSpec time = dividing(8640);
  time.cycle_spread = 0;
  const auto lives = lineage_of(500, time, 31, 2);
  for (const int cycles : {1, 2, 3}) {
    const std::int64_t frame = 10 * cycles;
    const auto living = std::count_if(lives.begin(), lives.end(), [&](const Life& life) {
      return life.begin <= frame && frame <= life.end;
    });
    EXPECT_EQ(living, 500 << cycles);
  }
}

TEST(Lineage, CountsHeadsAsAskingEachFrameDoes) {
  const std::int64_t frames = 90;
  const auto lives = lineage_of(7, dividing(3000), frames, 9);
  std::int64_t most = 0, rows = 0;
  for (std::int64_t frame = 0; frame < frames; ++frame) {
    const auto living = std::count_if(lives.begin(), lives.end(), [&](const Life& life) {
      return life.begin <= frame && frame <= life.end;
    });
    most = std::max<std::int64_t>(most, living);
    rows += living;
  }
  const Headcount count = headcount_of(lives, frames);
  EXPECT_EQ(count.most, most);
  EXPECT_EQ(count.rows, rows);
  EXPECT_EQ(count.lives, static_cast<std::int64_t>(lives.size()));
}

TEST(Lineage, WithoutDivisionIsTheFirstFrameForEver) {
  TimeSpec time;
  time.interval_seconds = 1;
  const auto lives = lineage_of(3, time, 10000, 1);
  ASSERT_EQ(lives.size(), 3u);
  EXPECT_EQ(lives[2].end, 9999);
  EXPECT_EQ(form_at(progress_of(lives[2], 9999)).volume, 1);
}

TEST(Lineage, RefusesMoreThanLabelsTellApart) {
  try {
    (void)lineage_of(1000, dividing(3600), 200, 1);
    FAIL();
  } catch (const InvalidSpec& problem) {
    EXPECT_NE(std::string{problem.what()}.find("more than 65535 nuclei"), std::string::npos);
  }
}

TEST(Cycle, DoublesTheVolumeAndStretchesInMitosisAlone) {
  EXPECT_EQ(form_at(0).volume, 1);
  EXPECT_NEAR(form_at(0.475).volume, 1.5, 1e-12);
  EXPECT_EQ(form_at(0.96).volume, 2);
  EXPECT_EQ(form_at(0.94).stretch, 1);
  EXPECT_NEAR(form_at(1).stretch, kLongestStretch, 1e-12);
  double sum = 0;
  constexpr int kSteps = 20000;
  for (int i = 0; i < kSteps; ++i) sum += form_at((i + 0.5) / kSteps).volume;
  EXPECT_NEAR(sum / kSteps, kMeanCycleVolume, 1e-4);
}

}  // namespace
}  // namespace synthoscope::simulator
